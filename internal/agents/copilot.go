package agents

import (
	"regexp"

	"github.com/tidwall/gjson"
)

func isCopilot(line gjson.Result) bool {
	return str(line.Get("type")) == "session.start" && line.Get("data").IsObject()
}

func isEvents(_, name string) bool { return name == "events.jsonl" }

// copilotRecords reads an event of a session of Copilot CLI. It skips the events of a sub-agent, which
// name it or the call that started it, because that call has the result.
func copilotRecords(t *Translator, line gjson.Result) []record {
	data, at, id := line.Get("data"), str(line.Get("timestamp")), str(line.Get("id"))
	user, reply := record{kind: "user", id: id, at: at}, record{kind: "assistant", id: id, at: at}
	if str(line.Get("agentId")) != "" || str(data.Get("parentToolCallId")) != "" {
		return nil
	}
	switch str(line.Get("type")) {
	case "session.start":
		if t.session == "" {
			t.session, t.cwd = str(data.Get("sessionId")), str(data.Get("context.cwd"))
		}
	case "user.message":
		return user.one(copilotPrompt(data)...)
	case "assistant.message":
		return reply.one(copilotReply(data)...)
	case "tool.execution_start":
		return reply.one(t.call(str(data.Get("toolCallId")), str(data.Get("toolName")), data.Get("arguments"))...)
	case "tool.execution_complete":
		output, failed := copilotOutput(data)
		return user.one(t.results(str(data.Get("toolCallId")), output, failed)...)
	case "session.compaction_complete":
		if text := str(data.Get("summaryContent")); text != "" {
			user.summary = true
			return user.one(textBlock(text))
		}
	case "abort":
		return user.one(textBlock(interrupted))
	}
	return nil
}

// copilotPrompt returns the user's own text. A message that Copilot CLI or a skill adds has a source.
func copilotPrompt(data gjson.Result) []block {
	text, source := textOf(data.Get("content")), str(data.Get("source"))
	added := source != "" && source != "user" || data.Get("isAutopilotContinuation").Type == gjson.True
	if text == "" || added {
		return nil
	}
	return []block{textBlock(text)}
}

func copilotReply(data gjson.Result) []block {
	var blocks []block
	if text := str(data.Get("reasoningText")); text != "" {
		blocks = append(blocks, thinkingBlock(text))
	}
	if text := textOf(data.Get("content")); text != "" {
		blocks = append(blocks, textBlock(text))
	}
	return blocks
}

// shellEnd matches the line after the output of a command.
var shellEnd = regexp.MustCompile(`\n?<shellId: \S+ completed with exit code -?\d+>\s*$`)

// copilotOutput returns the output of a call and whether it failed. To the tool, a command that ends with
// a status other than 0 is a success.
func copilotOutput(data gjson.Result) (string, bool) {
	output := textOf(data.Get("result.content"))
	if data.Get("success").Type == gjson.False {
		if output == "" {
			output = str(data.Get("error.message"))
		}
		return output, true
	}
	code := data.Get("shellExecution.exitCode")
	if code.Type != gjson.Number {
		return output, false
	}
	return ended(shellEnd.ReplaceAllString(output, ""), int(code.Int()))
}
