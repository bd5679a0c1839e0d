package agents

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// A tool is one of Claude Code's tools, to which tools of other agents are translated.
type tool struct {
	name   string
	fields map[string]string // names of its input fields, by those of other agents
}

var (
	bash  = tool{"Bash", map[string]string{"command": "command", "cmd": "command", "description": "description"}}
	write = tool{"Write", map[string]string{
		"file_path": "file_path", "filePath": "file_path", "path": "file_path", "content": "content", "contents": "content", "file_text": "content",
	}}
	edit = tool{"Edit", map[string]string{
		"file_path": "file_path", "filePath": "file_path", "path": "file_path", "old_string": "old_string", "old_str": "old_string", "oldString": "old_string",
		"new_string": "new_string", "new_str": "new_string", "newString": "new_string",
	}}
	read  = tool{"Read", map[string]string{"file_path": "file_path", "filePath": "file_path", "path": "file_path", "absolute_path": "file_path"}}
	fetch = tool{"WebFetch", map[string]string{"url": "url", "prompt": "prompt"}}
)

// tools maps tools of other agents, by their names in lower case, to those of Claude Code that do the
// same.
var tools = map[string]tool{
	"bash": bash, "execute": bash, "exec_command": bash, "shell": bash, "shell_command": bash, "run_shell_command": bash,
	"create": write, "write": write, "write_file": write,
	"edit": edit, "replace": edit, "str_replace": edit, "strreplace": edit,
	"read": read, "read_file": read, "view": read,
	"fetchurl": fetch, "web_fetch": fetch, "webfetch": fetch,
}

// patching are the tools that take a patch.
var patching = map[string]bool{"apply_patch": true, "applypatch": true}

// call translates a tool call into a call of Claude Code: one block, or one for each file of a patch.
func (t *Translator) call(id, name string, input gjson.Result) []block {
	key := strings.ToLower(name)
	if patching[key] {
		text := str(input)
		if input.IsObject() {
			text = cmp.Or(str(input.Get("input")), str(input.Get("patchText")))
		}
		if blocks := t.patch(id, text); len(blocks) > 0 {
			return blocks
		}
	}
	known, ok := tools[key]
	if !ok || !input.IsObject() {
		return []block{{Type: "tool_use", ID: id, Name: name, Input: object(input)}}
	}
	fields := map[string]string{}
	input.ForEach(func(key, value gjson.Result) bool {
		if field := known.fields[key.Str]; field != "" && fields[field] == "" {
			fields[field] = words(value)
		}
		return true
	})
	return []block{useBlock(id, known.name, fields)}
}

func useBlock(id, name string, fields map[string]string) block {
	input, err := json.Marshal(fields)
	if err != nil {
		input = nil // impossible: strings can always be written
	}
	return block{Type: "tool_use", ID: id, Name: name, Input: input}
}

// object returns a value that is an object unchanged, and an empty object for any other.
func object(value gjson.Result) json.RawMessage {
	if !value.IsObject() {
		return json.RawMessage("{}")
	}
	return json.RawMessage(value.Raw)
}

// words returns a command: a string, or a list of words. If the list starts a shell with a script, only
// the script counts.
func words(value gjson.Result) string {
	if !value.IsArray() {
		return str(value)
	}
	var all []string
	value.ForEach(func(_, word gjson.Result) bool {
		all = append(all, str(word))
		return true
	})
	if len(all) == 3 && (all[1] == "-lc" || all[1] == "-c") {
		return all[2]
	}
	return strings.Join(all, " ")
}

// patch returns the changes of a patch as one edit of Claude Code per file.
func (t *Translator) patch(id, text string) []block {
	var blocks []block
	for _, f := range patched(text) {
		n := len(blocks)
		if n == maxPatched {
			break
		}
		fields := map[string]string{"file_path": f.path}
		name := edit.name
		if f.added {
			name, fields["content"] = write.name, string(f.new)
		} else {
			fields["old_string"], fields["new_string"] = string(f.old), string(f.new)
		}
		blocks = append(blocks, useBlock(part(id, n), name, fields))
	}
	if len(blocks) > 1 {
		if len(t.parts) >= maxKnown {
			clear(t.parts)
		}
		t.parts[id] = len(blocks)
	}
	return blocks
}

// maxPatched is the largest number of files that are read of a patch.
const maxPatched = 64

// part returns the id of part n of a call.
func part(id string, n int) string {
	if n == 0 {
		return id
	}
	return id + "#" + strconv.Itoa(n)
}

// results returns the result of a call for it and all its parts.
func (t *Translator) results(id, output string, failed bool) []block {
	blocks := []block{resultBlock(id, output, failed)}
	for n := 1; n < t.parts[id]; n++ {
		blocks = append(blocks, resultBlock(part(id, n), output, failed))
	}
	delete(t.parts, id)
	return blocks
}

// A patchedFile holds the changes of a patch to one file.
type patchedFile struct {
	path     string
	added    bool
	old, new []byte
}

// patched reads a patch in the form that begins with "*** Begin Patch".
func patched(text string) []patchedFile {
	var files []patchedFile
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if path, ok := strings.CutPrefix(line, "*** Add File: "); ok {
			files = append(files, patchedFile{path: path, added: true})
			continue
		}
		if path, ok := strings.CutPrefix(line, "*** Update File: "); ok {
			files = append(files, patchedFile{path: path})
			continue
		}
		marker := strings.HasPrefix(line, "***") || strings.HasPrefix(line, "@@")
		if len(files) == 0 || line == "" || marker {
			continue
		}
		f := &files[len(files)-1]
		if line[0] != '+' {
			f.old = append(append(f.old, line[1:]...), '\n')
		}
		if line[0] != '-' {
			f.new = append(append(f.new, line[1:]...), '\n')
		}
	}
	return files
}
