package agents

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// isOpenCode reports whether a line is the first one of an export or of a file that our plugin writes.
func isOpenCode(line gjson.Result) bool {
	info := line.Get("info")
	return strings.HasPrefix(str(info.Get("id")), "ses_") && info.Get("directory").Type == gjson.String
}

// isExport reports whether a file is an export. OpenCode's own folders, from before it had a database,
// contain none.
func isExport(folder, name string) bool {
	own := strings.Contains(filepath.ToSlash(folder)+"/", "/storage/")
	records := isLines(folder, name) || filepath.Ext(name) == ".json"
	return records && !own && strings.HasPrefix(name, "ses_")
}

// openCodeRecords reads a message of a session of OpenCode: {"info", "parts"}. The first line has no
// parts, only the properties of the session.
func openCodeRecords(t *Translator, line gjson.Result) []record {
	info := line.Get("info")
	r := record{kind: str(info.Get("role")), id: str(info.Get("id")), at: openCodeTime(info.Get("time.created"))}
	switch {
	case r.kind == "" && isOpenCode(line):
		t.openCodeSession(info)
	case r.kind == "user":
		return r.one(openCodePrompt(line.Get("parts"))...)
	case r.kind == "assistant":
		if dir := str(info.Get("path.cwd")); dir != "" {
			t.cwd = dir
		}
		return t.openCodeReply(r, info, line.Get("parts"))
	}
	return nil
}

func (t *Translator) openCodeSession(info gjson.Result) {
	if t.session != "" {
		return
	}
	t.session, t.cwd = str(info.Get("id")), str(info.Get("directory"))
	if str(info.Get("parentID")) != "" {
		t.agent = t.session
	}
}

// openCodeTime converts milliseconds to a time in Claude Code's form.
func openCodeTime(ms gjson.Result) string {
	if ms.Type != gjson.Number {
		return ""
	}
	return time.UnixMilli(ms.Int()).UTC().Format(time.RFC3339Nano)
}

// openCodePrompt returns the user's own text. Parts that OpenCode or a plugin adds are synthetic,
// including what recollect injected.
func openCodePrompt(parts gjson.Result) []block {
	var blocks []block
	for _, part := range parts.Array() {
		text := str(part.Get("text"))
		if str(part.Get("type")) == "text" && text != "" && part.Get("synthetic").Type != gjson.True {
			blocks = append(blocks, textBlock(text))
		}
	}
	return blocks
}

// openCodeReply returns a reply and the results of its calls, or the summary of a compaction.
func (t *Translator) openCodeReply(r record, info, parts gjson.Result) []record {
	var said, results []block
	for _, part := range parts.Array() {
		text := str(part.Get("text"))
		switch kind := str(part.Get("type")); {
		case kind == "text" && text != "":
			said = append(said, textBlock(text))
		case kind == "reasoning" && text != "":
			said = append(said, thinkingBlock(text))
		case kind == "tool":
			id, state := str(part.Get("callID")), part.Get("state")
			said = append(said, t.call(id, str(part.Get("tool")), state.Get("input"))...)
			results = append(results, t.openCodeResults(id, state)...)
		}
	}
	if info.Get("summary").Type == gjson.True {
		r.kind, r.summary = "user", true
		return r.one(said...)
	}
	out := append(r.one(said...), record{kind: "user", at: r.at}.one(results...)...)
	if str(info.Get("error.name")) == "MessageAbortedError" {
		out = append(out, record{kind: "user", at: r.at}.one(textBlock(interrupted))...)
	}
	return out
}

// openCodeResults returns the result of a call, if it has ended.
func (t *Translator) openCodeResults(id string, state gjson.Result) []block {
	switch str(state.Get("status")) {
	case "completed":
		output, failed := ended(str(state.Get("output")), int(state.Get("metadata.exit").Int()))
		return t.results(id, output, failed)
	case "error":
		return t.results(id, str(state.Get("error")), true)
	}
	return nil
}
