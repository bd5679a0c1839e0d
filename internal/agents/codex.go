package agents

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

func isCodex(line gjson.Result) bool {
	return str(line.Get("type")) == "session_meta" && line.Get("payload").IsObject()
}

func isRollout(_, name string) bool {
	return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
}

// codexRecords reads a line of a rollout: {"timestamp", "type", "payload"}. Codex writes what the user
// and Codex said twice, as items and as events. The items are complete, so it reads those.
func codexRecords(t *Translator, line gjson.Result) []record {
	payload := line.Get("payload")
	switch str(line.Get("type")) {
	case "session_meta":
		t.codexSession(payload)
	case "turn_context":
		if dir := str(payload.Get("cwd")); dir != "" {
			t.cwd = dir
		}
	case "response_item":
		return t.codexItem(payload, str(line.Get("timestamp")))
	case "compacted":
		if text := str(payload.Get("message")); text != "" {
			return record{kind: "user", at: str(line.Get("timestamp")), summary: true}.one(textBlock(text))
		}
	}
	return nil
}

// codexSession reads the properties of a session. A fork contains those of its origin too, later.
func (t *Translator) codexSession(payload gjson.Result) {
	if t.session != "" {
		return
	}
	t.session, t.cwd = str(payload.Get("id")), str(payload.Get("cwd"))
	if payload.Get("source.subagent").Exists() {
		t.agent, t.role = t.session, str(payload.Get("agent_role"))
	}
}

func (t *Translator) codexItem(item gjson.Result, at string) []record {
	user, reply := record{kind: "user", at: at}, record{kind: "assistant", at: at}
	id := str(item.Get("call_id"))
	switch str(item.Get("type")) {
	case "message":
		switch str(item.Get("role")) {
		case "user":
			return user.one(codexPrompt(item.Get("content"))...)
		case "assistant":
			if text := textOf(item.Get("content")); text != "" {
				return reply.one(textBlock(text))
			}
		}
	case "reasoning":
		if text := textOf(item.Get("summary")); text != "" {
			return reply.one(thinkingBlock(text))
		}
	case "function_call":
		arguments := str(item.Get("arguments"))
		if !nesting.ValidJSON(arguments) {
			arguments = "{}"
		}
		return reply.one(t.call(id, str(item.Get("name")), gjson.Parse(arguments))...)
	case "custom_tool_call":
		return reply.one(t.call(id, str(item.Get("name")), item.Get("input"))...)
	case "function_call_output", "custom_tool_call_output":
		output, failed := codexOutput(item.Get("output"))
		return user.one(t.results(id, output, failed)...)
	}
	return nil
}

// codexAdds are the beginnings of texts that Codex adds in the user's name.
var codexAdds = [...]string{
	"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions instructions>", "<skill>", "<INSTRUCTIONS>",
	"<user_shell_command>", "<subagent_notification>", "<collaboration_mode>", "<apps_instructions>", "<skills_instructions>",
}

// codexPrompt returns the user's own texts.
func codexPrompt(content gjson.Result) []block {
	if !content.IsArray() {
		return promptBlock(nil, str(content))
	}
	var blocks []block
	content.ForEach(func(_, part gjson.Result) bool {
		blocks = promptBlock(blocks, str(part.Get("text")))
		return true
	})
	return blocks
}

func promptBlock(blocks []block, text string) []block {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<turn_aborted>") {
		return append(blocks, textBlock(interrupted))
	}
	for _, begin := range codexAdds {
		if strings.HasPrefix(text, begin) {
			return blocks
		}
	}
	if text == "" {
		return blocks
	}
	return append(blocks, textBlock(text))
}

// exitCode matches the line in a command's output that tells its exit code.
var exitCode = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)

// headSize is the largest length of the heading of an output in bytes.
const headSize = 1 << 10

// codexOutput returns the output of a call and whether it failed. The output is a text with a heading, or
// JSON with the output and its exit code.
func codexOutput(output gjson.Result) (string, bool) {
	text := textOf(output)
	if output.IsObject() {
		text = str(output.Get("content"))
	}
	if strings.HasPrefix(text, "{") && nesting.ValidJSON(text) {
		inner := gjson.Parse(text)
		if printed := inner.Get("output"); printed.Type == gjson.String {
			return ended(printed.Str, int(inner.Get("metadata.exit_code").Int()))
		}
	}
	head, printed, ok := strings.Cut(text, "\nOutput:\n")
	if !ok || len(head) > headSize {
		return text, false
	}
	code := exitCode.FindStringSubmatch(head)
	if code == nil {
		return printed, false
	}
	n, err := strconv.Atoi(code[1])
	return ended(printed, map[bool]int{true: 1, false: n}[err != nil])
}

// ended returns the output of a command in Claude Code's form.
func ended(output string, code int) (string, bool) {
	if code == 0 {
		return output, false
	}
	return "Exit code " + strconv.Itoa(code) + "\n" + output, true
}
