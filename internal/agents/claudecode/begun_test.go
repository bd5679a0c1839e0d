package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// queued is a prompt that was typed while Claude worked.
func queued(second int, prompt any, fields ...any) string {
	attachment := block{"type": "queued_command", "prompt": prompt, "commandMode": "prompt", "origin": block{"kind": "human"}, "humanTurn": true}
	for i := 0; i < len(fields); i += 2 {
		attachment[fields[i].(string)] = fields[i+1]
	}
	return rec("attachment", fmt.Sprint("q", second), second, nil, "message", nil, "attachment", attachment)
}

// What begins a turn, and in whose words.
func TestWhatBeginsATurn(t *testing.T) {
	first := rec("user", "u1", 1, "one") + rec("assistant", "a1", 2, []any{say("1")})
	answer := rec("assistant", "a9", 9, []any{say("9")})
	command := func(parts string, fields ...any) string {
		return first + rec("user", "u3", 3, parts, fields...) + answer
	}
	const plan = "# Add a cache\n\nWe keep one entry per key."
	told := func(turn Turn) string {
		s := turn.Prompt
		for _, mark := range []struct {
			is   bool
			name string
		}{{turn.Command != "", turn.Command}, {turn.Plan != "", "plan"}, {turn.Memo, "memo"}, {turn.Program, "program"}} {
			if mark.is {
				s += " [" + mark.name + "]"
			}
		}
		return s + ": " + strings.Join(turn.Replies, "|")
	}
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		// typed while Claude works
		{"queued", first + queued(3, "two") + answer, []string{"one: 1", "two: 9"}},
		{"queued, in blocks", first + queued(3, []any{say("two"), block{"type": "image"}}) + answer, []string{"one: 1", "two: 9"}},
		{"queued by an older client", first + queued(3, "two", "origin", nil, "humanTurn", nil) + answer, []string{"one: 1", "two: 9"}},
		{"queued, without a mode", first + queued(3, "two", "commandMode", nil) + answer, []string{"one: 1", "two: 9"}},
		{"two queued", first + queued(3, "two") + queued(4, "three") + answer, []string{"one: 1", "two: ", "three: 9"}},
		{"queued and written twice", first + queued(3, "two") + queued(3, "two") + answer, []string{"one: 1", "two: 9"}},
		{"queued notification", first + queued(3, "<task-notification>two</task-notification>", "commandMode", "task-notification", "origin", block{"kind": "task-notification"}) + answer, []string{"one: 1|9"}},
		{"queued by another session", first + queued(3, "two", "origin", block{"kind": "peer"}, "humanTurn", nil) + answer, []string{"one: 1|9"}},
		{"queued by a schedule", first + queued(3, "two", "origin", block{"kind": "auto-continuation"}, "humanTurn", nil) + answer, []string{"one: 1|9"}},
		{"queued by the client", first + queued(3, "two", "isMeta", true) + answer, []string{"one: 1|9"}},
		{"queued bash", first + queued(3, "ls", "commandMode", "bash") + answer, []string{"one: 1|9"}},
		{"queued picture", first + queued(3, []any{block{"type": "image"}}) + answer, []string{"one: 1"}},
		{"queue operation", first + `{"type":"queue-operation","operation":"enqueue","content":"two"}` + "\n" + answer, []string{"one: 1|9"}},
		{"attachment that mentions one", first + rec("attachment", "q", 3, nil, "message", nil, "attachment", block{"type": "file", "content": `{"type":"queued_command"}`}) + answer, []string{"one: 1|9"}},

		// commands
		{"command", command("<command-message>feature</command-message>\n<command-name>/feature</command-name>\n<command-args>add retries</command-args>"), []string{"one: 1", "add retries [/feature]: 9"}},
		{"command without arguments", command("<command-message>lint</command-message>\n<command-name>/lint</command-name>"), []string{"one: 1", "/lint [/lint]: 9"}},
		{"command with empty arguments", command("<command-message>lint</command-message>\n<command-name>/lint</command-name>\n<command-args></command-args>"), []string{"one: 1", "/lint [/lint]: 9"}},
		{"command of an old client", command("<command-message>lint is running…</command-message>\n<command-name>lint</command-name>\n<command-args>cmd</command-args>"), []string{"one: 1", "cmd [/lint]: 9"}},
		{"command of a plugin", command("<command-message>mem:status</command-message>\n<command-name>/mem:status</command-name>\n<command-args>cats and dogs</command-args>"), []string{"one: 1", "cats and dogs [/mem:status]: 9"}},
		{"arguments of several lines", command("<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>two\nthree</command-args>"), []string{"one: 1", "two\nthree [/x]: 9"}},
		{"its text", first + rec("user", "u3", 3, "<command-message>x</command-message>\n<command-name>/x</command-name>") + rec("user", "u4", 3, "Never do it.", "isMeta", true, "parentUuid", "u3") + answer, []string{"one: 1", "/x [/x]: 9"}},
		{"its text by an old client", first + rec("user", "u3", 3, "<command-message>x</command-message>\n<command-name>/x</command-name>") + rec("user", "u4", 3, "Never do it.", "parentUuid", "u3") + answer, []string{"one: 1", "/x [/x]: 9"}},
		{"a prompt after it", command("<command-message>x</command-message>\n<command-name>/x</command-name>") + rec("user", "u5", 12, "five", "parentUuid", "a9"), []string{"one: 1", "/x [/x]: 9", "five: "}},
		{"a skill that Claude runs", first + rec("user", "u3", 3, "Base directory for this skill: /x\n\nAlways do it.", "isMeta", true) + answer, []string{"one: 1|9"}},
		{"command without a name", command("<command-message>x</command-message>"), []string{"one: 1"}},
		{"model", command("<command-name>/model</command-name>\n            <command-message>model</command-message>\n            <command-args>opus</command-args>"), []string{"one: 1|9"}},
		{"clear", command("<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"), []string{"one: 1|9"}},
		{"what a command printed", command("<local-command-stdout>ok</local-command-stdout>"), []string{"one: 1|9"}},
		{"of a sub-agent", rec("user", "u3", 3, "<command-message>x</command-message>\n<command-name>/x</command-name>", "isSidechain", true, "agentId", "a7"), nil},

		// plans
		{"plan", command("Implement the following plan:\n\n"+plan, "planContent", plan), []string{"one: 1", "Implement the following plan: Add a cache [plan]: 9"}},
		{"plan that says so", command("Implement the following plan:\n\n# Plan: Add a cache\n\nOne entry.", "planContent", "# Plan: Add a cache\n\nOne entry."), []string{"one: 1", "Implement the following plan: Add a cache [plan]: 9"}},
		{"plan without a field", command("Implement the following plan:\n\n" + plan), []string{"one: 1", "Implement the following plan: Add a cache [plan]: 9"}},
		{"plan with a note", command("Implement the following plan:\n\n" + plan + "\n\nIf you need specific details from before exiting plan mode, read the transcript."), []string{"one: 1", "Implement the following plan: Add a cache [plan]: 9"}},
		{"no plan", command("implement the plan from yesterday"), []string{"one: 1", "implement the plan from yesterday: 9"}},
		{"an empty plan", command("Implement the following plan:"), []string{"one: 1|9"}},
		{"plan for a sub-agent", rec("user", "u3", 3, "Implement the following plan:\n\n"+plan, "isSidechain", true, "agentId", "a7"), []string{"Implement the following plan:\n\n" + plan + ": "}},

		// memory of old clients
		{"memo", command("<user-memory-input>always run make lint</user-memory-input>"), []string{"one: 1", "always run make lint [memo]: 9"}},
		{"empty memo", command("<user-memory-input> </user-memory-input>"), []string{"one: 1|9"}},
		{"heading", command("# Heading\n\ntext"), []string{"one: 1", "# Heading\n\ntext: 9"}},

		// programs, schedules and other sessions
		{"human", command("two", "origin", block{"kind": "human"}, "promptSource", "typed", "turnOrigin", "human", "entrypoint", "cli"), []string{"one: 1", "two: 9"}},
		{"claude -p", command("two", "promptSource", "sdk", "turnOrigin", "sdk", "entrypoint", "sdk-cli"), []string{"one: 1", "two [program]: 9"}},
		{"SDK", command("two", "entrypoint", "sdk-py"), []string{"one: 1", "two [program]: 9"}},
		{"GitHub action", command("two", "entrypoint", "claude-code-github-action"), []string{"one: 1", "two [program]: 9"}},
		{"editor", command("two", "promptSource", "sdk", "turnOrigin", "sdk", "entrypoint", "claude-vscode"), []string{"one: 1", "two: 9"}},
		{"desktop", command("two", "promptSource", "sdk", "turnOrigin", "sdk", "entrypoint", "claude-desktop"), []string{"one: 1", "two: 9"}},
		{"human through the SDK", command("two", "origin", block{"kind": "human"}, "promptSource", "sdk", "turnOrigin", "human", "entrypoint", "sdk-ts"), []string{"one: 1", "two: 9"}},
		{"schedule", command("two", "turnOrigin", "scheduled"), []string{"one: 1|9"}},
		{"loop", command("two", "isMeta", true, "turnOrigin", "scheduled"), []string{"one: 1|9"}},
		{"goes on by itself", command("two", "turnOrigin", "auto_continuation"), []string{"one: 1|9"}},
		{"host", command("two", "turnOrigin", "host_synthetic"), []string{"one: 1|9"}},
		{"background agent", command("two", "turnOrigin", "task_notification", "origin", block{"kind": "task-notification"}), []string{"one: 1|9"}},
		{"other session", command("two", "turnOrigin", "peer"), []string{"one: 1"}},
		{"channel", command("two", "origin", block{"kind": "channel"}), []string{"one: 1|9"}},
		{"text that nobody typed", command("two", "textNotTyped", true, "origin", block{"kind": "human"}), []string{"one: 1|9"}},
		{"plugin", command("two", "origin", block{"kind": "plugin"}), []string{"one: 1|9"}},
		{"of unknown origin", command("two", "turnOrigin", "unknown"), []string{"one: 1", "two: 9"}},

		// written twice
		{"prompt twice", first + rec("user", "u3", 3, "two") + rec("user", "u3", 3, "two") + answer, []string{"one: 1", "two: 9"}},
		{"prompt twice, the second after the reply", first + rec("user", "u3", 3, "two") + answer + rec("user", "u3", 3, "two"), []string{"one: 1", "two: 9"}},
		{"session within a session", first + rec("user", "x1", 0, "older", "sessionId", "s2", "parentUuid", nil) + answer, []string{"one: 1", "older: 9"}},

		// blocked by a hook
		{"blocked", first + rec("user", "u3", 3, "two") + blockedBy(3, "two") + rec("user", "u4", 4, "three") + answer, []string{"one: 1", "three: 9"}},
		{"blocked, said before", first + blockedBy(3, "two") + rec("user", "u3", 3, "two") + rec("user", "u4", 4, "three") + answer, []string{"one: 1", "three: 9"}},
		{"blocked, written twice", first + rec("user", "u3", 3, "two") + blockedBy(3, "two") + rec("user", "u5", 3, "two") + rec("user", "u4", 4, "three") + answer, []string{"one: 1", "three: 9"}},
		{"blocked, and typed again", first + rec("user", "u3", 3, "two") + blockedBy(3, "two") + rec("user", "u4", 20, "two") + answer, []string{"one: 1", "two: 9"}},
		{"blocked, and kept out of the file", first + blockedBy(3, "two") + rec("user", "u4", 20, "three") + answer, []string{"one: 1", "three: 9"}},
		{"blocked by what stops the turn", first + rec("user", "u3", 3, "two") + rec("attachment", "h", 3, nil, "message", nil, "attachment", block{"type": "hook_stopped_continuation", "hookEvent": "UserPromptSubmit"}) + rec("user", "u4", 4, "three"), []string{"one: 1", "three: "}},
		{"blocked by an error", first + rec("user", "u3", 3, "two") + rec("attachment", "h", 3, nil, "message", nil, "attachment", block{"type": "hook_blocking_error", "hookEvent": "UserPromptSubmit"}) + rec("user", "u4", 4, "three"), []string{"one: 1", "three: "}},
		{"a hook that said something", first + rec("user", "u3", 3, "two") + rec("attachment", "h", 3, nil, "message", nil, "attachment", block{"type": "hook_additional_context", "hookEvent": "UserPromptSubmit"}) + answer, []string{"one: 1", "two: 9"}},
		{"an answered prompt", first + blockedBy(3, "two") + answer, []string{"one: 1|9"}},
		{"a prompt about it", first + rec("user", "u3", 3, "what is \"UserPromptSubmit operation blocked by hook\"?") + answer, []string{"one: 1", "what is \"UserPromptSubmit operation blocked by hook\"?: 9"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turns, _ := read(t, tt.in, 0)
			var got []string
			for _, turn := range turns {
				got = append(got, told(turn))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
		})
	}
}

func blockedBy(second int, prompt string) string {
	return rec("system", fmt.Sprint("s", second), second, nil, "message", nil, "subtype", "informational",
		"content", "UserPromptSubmit operation blocked by hook:\n[guard]: not here\n\nOriginal prompt: "+prompt)
}

// What was not permitted did not fail.
func TestRefusedCalls(t *testing.T) {
	for _, tt := range []struct {
		name, output string
		fields       []any
		refused      bool
	}{
		{"by the user", "The user doesn't want to proceed with this tool use. The tool use was rejected", nil, true},
		{"by the user, with a reason", "The user doesn't want to take this action right now. STOP what you are doing", nil, true},
		{"by a rule", "Permission to use Bash with command rm has been denied.", nil, true},
		{"by the classifier", "Permission for this action has been denied. Reason: it deletes files", nil, true},
		{"by a hook", "PreToolUse:Bash hook error: [guard]: no shell today", nil, true},
		{"by a hook, with a long name", "PreToolUse:mcp__server__tool hook error: [" + strings.Repeat("x", 80) + "]: no", nil, true},
		{"as the record says", "no", []any{"toolDenialKind", "permission-rule"}, true},
		{"as the decision says", "no", []any{"permissionDecision", block{"decision": "reject", "source": "hook"}}, true},
		{"accepted and failed", "Exit code 1\nboom", []any{"permissionDecision", block{"decision": "accept"}}, false},
		{"a hook behind the call", "PostToolUse:Bash hook error: [lint]: two findings", nil, false},
		{"output that mentions a hook", "Exit code 1\nPreToolUse:Bash hook error: [guard]: x", nil, false},
		{"permission of the system", "Exit code 1\nmkdir: Permission denied", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := rec("user", "u1", 1, "one") + rec("assistant", "a1", 2, []any{use("t1", "Bash", block{"command": "ls"})}) +
				rec("user", "r1", 3, []any{failure("t1", tt.output)}, tt.fields...)
			turns, _ := read(t, in, 0)
			if got := turns[0].Actions[0]; got.Refused != tt.refused || got.Failed == tt.refused {
				t.Errorf("refused %v, failed %v, want refused %v", got.Refused, got.Failed, tt.refused)
			}
		})
	}
}
