package claudecode

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"recollect/internal/system/nesting"
)

// statusLineKey is the key of a user's settings.json that names the status line.
const statusLineKey = "statusLine"

// An Edit is the only change in a settings.json: it replaced Old by New, so that undoing it restores
// every byte.
type Edit struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// StatusLineCommand returns the command of the status line in a settings.json, or "" if it has none.
func StatusLineCommand(text string) (string, error) {
	line, err := statusLine(text)
	if err != nil || !line.Exists() || line.Type == gjson.Null {
		return "", err
	}
	kind, command := line.Get("type"), line.Get("command")
	if other := kind.Exists() && kind.Str != "command"; other || !line.IsObject() || command.Type != gjson.String {
		return "", errors.New("statusLine: is no command")
	}
	return command.Str, nil
}

// AutoMemoryDirectory returns the folder that a settings.json names for Claude Code's own memory, "" if it names
// none. home replaces a leading "~".
func AutoMemoryDirectory(text, home string) string {
	if !nesting.ValidJSON(text) {
		return ""
	}
	dir := gjson.Get(text, "autoMemoryDirectory").Str
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && home != "" {
		dir = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// statusLine returns the status line in the text of a settings.json.
func statusLine(text string) (line gjson.Result, err error) {
	if strings.TrimSpace(text) == "" {
		return line, nil
	}
	if !nesting.ValidJSON(text) {
		return line, errors.New("not JSON")
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return line, errors.New("not a JSON object")
	}
	n := 0
	object.ForEach(func(key, value gjson.Result) bool {
		if key.String() == statusLineKey {
			line, n = value, n+1
		}
		return true
	})
	if n > 1 {
		return line, fmt.Errorf("statusLine: stands there %d times", n)
	}
	return line, nil
}

// SetStatusLine makes command the status line in the text of a settings.json. It changes only the command
// of an existing status line.
func SetStatusLine(text, command string) (string, Edit, error) {
	if _, err := StatusLineCommand(text); err != nil {
		return "", Edit{}, err
	}
	line, _ := statusLine(text) // cannot fail: it has been read above
	quoted := string(gjson.AppendJSONString(nil, command))
	added := `{"type": "command", "command": ` + quoted + `}`
	at := 0
	var e Edit
	switch {
	case line.IsObject():
		was := line.Get("command")
		at, e = was.Index, Edit{was.Raw, quoted}
	case line.Exists(): // null
		at, e = line.Index, Edit{line.Raw, added}
	case strings.TrimSpace(text) == "":
		e = Edit{text, "{\n  \"" + statusLineKey + "\": " + added + "\n}\n"}
	case len(gjson.Parse(text).Map()) == 0:
		at = strings.IndexByte(text, '{')
		e = Edit{"{", "{\n  \"" + statusLineKey + "\": " + added + "\n"}
	default:
		at = strings.IndexByte(text, '{')
		e = Edit{"{", "{\n  \"" + statusLineKey + "\": " + added + ","}
	}
	if !strings.HasPrefix(text[at:], e.Old) {
		return "", Edit{}, errors.New("statusLine: cannot be set in place")
	}
	edited := text[:at] + e.New + text[at+len(e.Old):]
	if got, err := StatusLineCommand(edited); err != nil || got != command {
		return "", Edit{}, errors.Join(errors.New("statusLine: cannot be set in place"), err)
	}
	return edited, e, nil
}

// UnsetStatusLine undoes e in the text of a settings.json whose status line is command. If something else
// has rewritten the place meanwhile, it sets the status line to the command before, or removes it if
// before is "".
func UnsetStatusLine(text, before string, e Edit) (string, error) {
	if strings.Count(text, e.New) == 1 {
		undone := strings.Replace(text, e.New, e.Old, 1)
		if got, err := StatusLineCommand(undone); err == nil && got == before {
			return undone, nil
		}
	}
	if before == "" {
		return sjson.Delete(text, statusLineKey)
	}
	return sjson.Set(text, statusLineKey+".command", before)
}
