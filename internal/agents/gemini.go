package agents

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

func isQwen(line gjson.Result) bool {
	return str(line.Get("sessionId")) != "" && line.Get("message.parts").IsArray()
}

func isGemini(line gjson.Result) bool {
	return str(line.Get("sessionId")) != "" && str(line.Get("startTime")) != "" && !line.Get("type").Exists()
}

func isChat(folder, name string) bool {
	return filepath.Base(folder) == "chats" && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json"))
}

// qwenRecords reads a line of a session of Qwen Code: a record as Claude Code writes it, whose message
// has the form of Gemini's API.
func qwenRecords(t *Translator, line gjson.Result) []record {
	if id := str(line.Get("sessionId")); id != "" {
		t.session = id
	}
	if dir := str(line.Get("cwd")); dir != "" {
		t.cwd = dir
	}
	r := record{kind: str(line.Get("type")), id: str(line.Get("uuid")), at: str(line.Get("timestamp")), branch: str(line.Get("gitBranch"))}
	switch r.kind {
	case "user":
		return r.one(ownParts(line.Get("message.parts"))...)
	case "assistant":
	case "tool_result":
		r.kind = "user"
	default:
		return nil
	}
	return r.one(t.parted(line.Get("message.parts"))...)
}

// parted returns the parts of a message as blocks.
func (t *Translator) parted(parts gjson.Result) []block {
	var blocks []block
	if !parts.IsArray() {
		return nil
	}
	parts.ForEach(func(_, part gjson.Result) bool {
		text, call, response := str(part.Get("text")), part.Get("functionCall"), part.Get("functionResponse")
		switch {
		case call.IsObject():
			blocks = append(blocks, t.call(str(call.Get("id")), str(call.Get("name")), call.Get("args"))...)
		case response.IsObject():
			output, failed := responded(response.Get("response"))
			blocks = append(blocks, t.results(str(response.Get("id")), output, failed)...)
		case text != "" && part.Get("thought").Type == gjson.True:
			blocks = append(blocks, thinkingBlock(text))
		case text != "":
			blocks = append(blocks, textBlock(text))
		}
		return true
	})
	return blocks
}

// responded returns the answer of a tool, and whether it is an error.
func responded(response gjson.Result) (string, bool) {
	if failure := str(response.Get("error")); failure != "" {
		return failure, true
	}
	return textOf(response.Get("output")), false
}

// geminiRecords reads a line of a session of Gemini CLI. The first line has the properties of the
// session; the others are messages, and changes of earlier messages, which it skips.
func geminiRecords(t *Translator, line gjson.Result) []record {
	if id := str(line.Get("sessionId")); id != "" && t.session == "" {
		t.session = id
	}
	r := record{id: str(line.Get("id")), at: str(line.Get("timestamp"))}
	switch str(line.Get("type")) {
	case "user":
		if t.again(r.id) {
			return nil
		}
		r.kind = "user"
		return r.one(ownParts(line.Get("content"))...)
	case "gemini":
		r.kind, r.message = "assistant", r.id
		return t.geminiReply(r, line)
	}
	return nil
}

// geminiAdds are the beginnings of texts that Gemini CLI, Qwen Code and hooks add in the user's name,
// including what recollect injected.
var geminiAdds = [...]string{"<hook_context>", "<session_context>", "&lt;memory-data "}

// ownParts returns the parts of a prompt that the user wrote.
func ownParts(content gjson.Result) []block {
	parts := []gjson.Result{content}
	if content.IsArray() {
		parts = content.Array()
	}
	var blocks []block
	for _, part := range parts {
		text := str(part)
		if part.IsObject() {
			text = str(part.Get("text"))
		}
		for _, begin := range geminiAdds {
			if i := strings.Index(text, begin); i == 0 || i > 0 && text[i-1] == '\n' {
				text = strings.TrimSpace(text[:i])
			}
		}
		if text != "" {
			blocks = append(blocks, textBlock(text))
		}
	}
	return blocks
}

// again reports whether a prompt with this id was read before.
func (t *Translator) again(id string) bool {
	if id == "" {
		return false
	}
	if len(t.seen) >= maxKnown {
		clear(t.seen)
	}
	was := t.seen[id]
	t.seen[id] = true
	return was
}

// geminiReply returns a reply and the results of its calls.
func (t *Translator) geminiReply(r record, line gjson.Result) []record {
	var said, results []block
	for _, thought := range line.Get("thoughts").Array() {
		if text := str(thought.Get("description")); text != "" {
			said = append(said, thinkingBlock(text))
		}
	}
	if text := textOf(line.Get("content")); text != "" {
		said = append(said, textBlock(text))
	}
	for _, call := range line.Get("toolCalls").Array() {
		id := str(call.Get("id"))
		said = append(said, t.call(id, str(call.Get("name")), call.Get("args"))...)
		output, failed := responded(call.Get("result.0.functionResponse.response"))
		if status := str(call.Get("status")); status == "success" || status == "error" {
			results = append(results, t.results(id, output, failed || status == "error")...)
		}
	}
	return append(r.one(said...), record{kind: "user", at: r.at}.one(results...)...)
}
