package agents

import (
	"github.com/tidwall/gjson"
)

func isCopilot(line gjson.Result) bool {
	return str(line.Get("type")) == "session.start" && line.Get("data").IsObject()
}

func isEvents(_, name string) bool { return name == "events.jsonl" }

// copilotRecords reads an event of a session of Copilot CLI. What a sub-agent says names the call
// that started it, and is passed over: that call has the result.
func copilotRecords(t *Translator, line gjson.Result) []record {
	data, at, id := line.Get("data"), str(line.Get("timestamp")), str(line.Get("id"))
	user, reply := record{kind: "user", id: id, at: at}, record{kind: "assistant", id: id, at: at}
	if str(data.Get("parentToolCallId")) != "" {
		return nil
	}
	call := str(data.Get("toolCallId"))
	switch str(line.Get("type")) {
	case "session.start":
		if t.session == "" {
			t.session, t.cwd = str(data.Get("sessionId")), str(data.Get("context.cwd"))
		}
	case "user.message":
		if text := textOf(data.Get("content")); text != "" {
			return user.one(textBlock(text))
		}
	case "assistant.message":
		if text := textOf(data.Get("content")); text != "" {
			return reply.one(textBlock(text))
		}
	case "tool.execution_start":
		return reply.one(t.call(call, str(data.Get("toolName")), data.Get("arguments"))...)
	case "tool.execution_complete":
		failed := data.Get("success").Type == gjson.False
		output := textOf(data.Get("result.content"))
		if failed && output == "" {
			output = str(data.Get("error.message"))
		}
		return user.one(t.results(call, output, failed)...)
	case "abort":
		return user.one(textBlock(interrupted))
	}
	return nil
}
