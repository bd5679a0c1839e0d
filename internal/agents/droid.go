package agents

import (
	"strings"

	"github.com/tidwall/gjson"
)

func isDroid(line gjson.Result) bool {
	return str(line.Get("type")) == "session_start" && str(line.Get("id")) != "" && line.Get("cwd").Type == gjson.String
}

func isLines(_, name string) bool { return strings.HasSuffix(name, ".jsonl") }

// droidRecords reads a line of a session of Factory Droid, whose blocks are those of Claude Code.
func droidRecords(t *Translator, line gjson.Result) []record {
	switch str(line.Get("type")) {
	case "session_start":
		if t.session == "" {
			t.session, t.cwd = str(line.Get("id")), str(line.Get("cwd"))
		}
	case "message":
		r := record{kind: str(line.Get("message.role")), id: str(line.Get("id")), at: str(line.Get("timestamp"))}
		if str(line.Get("visibility")) == "llm_only" || r.kind != "user" && r.kind != "assistant" {
			return nil
		}
		return r.one(t.droidBlocks(line.Get("message.content"))...)
	}
	return nil
}

func (t *Translator) droidBlocks(content gjson.Result) []block {
	if text := str(content); text != "" {
		return []block{textBlock(text)}
	}
	var blocks []block
	if !content.IsArray() {
		return nil
	}
	content.ForEach(func(_, part gjson.Result) bool {
		switch str(part.Get("type")) {
		case "text":
			blocks = append(blocks, textBlock(str(part.Get("text"))))
		case "thinking":
			blocks = append(blocks, thinkingBlock(str(part.Get("thinking"))))
		case "tool_use":
			blocks = append(blocks, t.call(str(part.Get("id")), str(part.Get("name")), part.Get("input"))...)
		case "tool_result":
			failed := part.Get("is_error").Type == gjson.True
			blocks = append(blocks, t.results(str(part.Get("tool_use_id")), textOf(part.Get("content")), failed)...)
		}
		return true
	})
	return blocks
}
