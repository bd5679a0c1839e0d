package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadEvent(t *testing.T) {
	long := strings.Repeat("why does the build fail? ", 50_000)
	tests := []struct {
		name string
		in   string
		want Event
	}{
		{
			name: "prompt",
			in: `{"session_id":"s1","transcript_path":"/home/dev/.claude/p/s1.jsonl","cwd":"/home/dev/app",
				"hook_event_name":"UserPromptSubmit","permission_mode":"default","prompt":"fix \"it\"\nnow \ud83d\ude00"}`,
			want: Event{
				Name: "UserPromptSubmit", SessionID: "s1", Cwd: "/home/dev/app",
				TranscriptPath: "/home/dev/.claude/p/s1.jsonl", Prompt: "fix \"it\"\nnow 😀",
			},
		},
		{
			name: "prompt of Cursor",
			in:   `{"conversation_id":"c1","hook_event_name":"beforeSubmitPrompt","workspace_roots":["/src","/lib"],"transcript_path":null,"prompt":"hi"}`,
			want: Event{Name: "beforeSubmitPrompt", SessionID: "c1", Cwd: "/src", Prompt: "hi"},
		},
		{
			name: "roots that are none",
			in:   `{"hook_event_name":"stop","cwd":"/src","workspace_roots":[7,"/lib"]}`,
			want: Event{Name: "stop", Cwd: "/src"},
		},
		{
			name: "session start",
			in:   `{"hook_event_name":"SessionStart","source":"resume","context_tokens":15416,"effort":{"level":"low"}}`,
			want: Event{Name: "SessionStart", Source: "resume", ContextTokens: 15416},
		},
		{
			name: "subagent stop",
			in:   `{"hook_event_name":"SubagentStop","agent_type":"Explore","last_assistant_message":"5 files"}`,
			want: Event{Name: "SubagentStop", AgentType: "Explore", LastAssistantMessage: "5 files"},
		},
		{
			name: "subagent stop of a compaction",
			in:   `{"hook_event_name":"SubagentStop","agent_id":"a7","agent_type":"","agent_transcript_path":"/t/s1/subagents/agent-a7.jsonl"}`,
			want: Event{Name: "SubagentStop", AgentID: "a7", AgentTranscriptPath: "/t/s1/subagents/agent-a7.jsonl"},
		},
		{
			name: "before a compaction",
			in:   `{"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}`,
			want: Event{Name: "PreCompact", Trigger: "auto"},
		},
		{
			name: "session end",
			in:   `{"hook_event_name":"SessionEnd","reason":"clear","prompt_id":"p1"}`,
			want: Event{Name: "SessionEnd", PromptID: "p1", Reason: "clear"},
		},
		{
			name: "tool that did its work",
			in: `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"toolu_1","duration_ms":21,
				"tool_input": {"command":"pwd"},"tool_response":{"stdout":"/x","interrupted":false}}`,
			want: Event{
				Name: "PostToolUse", ToolName: "Bash", ToolUseID: "toolu_1",
				ToolInput: `{"command":"pwd"}`, ToolResponse: `{"stdout":"/x","interrupted":false}`,
			},
		},
		{
			name: "tool that failed",
			in:   `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":"Exit code 3\nerr","is_interrupt":true}`,
			want: Event{Name: "PostToolUseFailure", ToolName: "Bash", Error: "Exit code 3\nerr", Interrupt: true},
		},
		{
			name: "responses of any kind",
			in:   `{"hook_event_name":"PostToolUse","tool_input":"text","tool_response":[{"type":"text","text":"x"}]}`,
			want: Event{Name: "PostToolUse", ToolInput: `"text"`, ToolResponse: `[{"type":"text","text":"x"}]`},
		},
		{
			name: "null fields and white space around",
			in:   "\n\t {\"hook_event_name\":\"Stop\",\"cwd\":null}\r\n",
			want: Event{Name: "Stop"},
		},
		{
			name: "more than a megabyte of prompt",
			in:   `{"hook_event_name":"UserPromptSubmit","prompt":"` + long + `"}`,
			want: Event{Name: "UserPromptSubmit", Prompt: long},
		},
		{
			name: "invalid UTF-8",
			in:   "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"a\xffb\"}",
			want: Event{Name: "UserPromptSubmit", Prompt: "a\uFFFDb"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadEvent(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ReadEvent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadEventErrors(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want string
	}{
		{"empty", "", "read event: empty input"},
		{"white space", " \n", "read event: empty input"},
		{"text", "hello", "read event: not JSON"},
		{"cut short", `{"hook_event_name":"Stop"`, "read event: not JSON"},
		{"two objects", `{"hook_event_name":"Stop"}{}`, "read event: not JSON"},
		{"array", `[{"hook_event_name":"Stop"}]`, "read event: not a JSON object"},
		{"no name", `{"cwd":"/home/dev"}`, "read event: no hook_event_name"},
		{"name is a number", `{"hook_event_name":7}`, "read event: hook_event_name: must be a string, not a number"},
		{"prompt is an array", `{"hook_event_name":"X","prompt":[]}`, "read event: prompt: must be a string, not an array"},
		{"prompt is an object", `{"hook_event_name":"X","prompt":{}}`, "read event: prompt: must be a string, not an object"},
		{"cwd is a boolean", `{"hook_event_name":"X","cwd":true}`, "read event: cwd: must be a string, not a boolean"},
		{"interrupt is a string", `{"hook_event_name":"X","is_interrupt":"no"}`, "read event: is_interrupt: must be a boolean, not a string"},
		{"tool is an object", `{"hook_event_name":"X","tool_name":{}}`, "read event: tool_name: must be a string, not an object"},
		{"error is a list", `{"hook_event_name":"X","error":[]}`, "read event: error: must be a string, not an array"},
		{"too long", `{"x":"` + strings.Repeat("x", maxEvent) + `"}`, "read event: more than 16777216 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadEvent(strings.NewReader(tt.in))
			if err == nil || err.Error() != tt.want {
				t.Errorf("ReadEvent error = %v, want %s", err, tt.want)
			}
		})
	}
}

// Of a tool call only so much is kept, and it stays JSON.
func TestReadEventBounds(t *testing.T) {
	long := strings.Repeat("é", maxInput)
	tests := []struct {
		name, in, holds string
	}{
		{"object", `{"file_path":"/x/main.go","content":"` + long + `","edits":["` + long + `"]}`, `"/x/main.go"`},
		{"string", `"begins ` + long + ` ends"`, "begins"},
		{"list", `["` + long + `"]`, ""},
		{"object of many members", `{"a":"` + strings.Repeat(`b","`+"x"+`":"`, maxInput) + `"}`, ""},
		{"short list", `[1,[2,{"a":null}]]`, `[1,[2,{"a":null}]]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ReadEvent(strings.NewReader(`{"hook_event_name":"PostToolUse","tool_input":` + tt.in + `,"tool_response":` + tt.in + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if e.ToolInput != e.ToolResponse || len(e.ToolInput) > maxInput+len("{}") || !strings.Contains(e.ToolInput, tt.holds) {
				t.Errorf("input of %d bytes, %.80s, want %q in at most %d", len(e.ToolInput), e.ToolInput, tt.holds, maxInput)
			}
			if e.ToolInput != "" && !json.Valid([]byte(e.ToolInput)) {
				t.Errorf("input is no JSON: %.80s", e.ToolInput)
			}
		})
	}
}

func TestEventTranscript(t *testing.T) {
	const path = "/t/s1.jsonl"
	tests := []struct {
		name string
		in   Event
		want string
	}{
		{"main conversation", Event{TranscriptPath: path}, path},
		{"sub-agent's tool", Event{TranscriptPath: path, AgentID: "a7"}, "/t/s1/subagents/agent-a7.jsonl"},
		{"sub-agent that says it", Event{TranscriptPath: path, AgentID: "a7", AgentTranscriptPath: "/u/a7.jsonl"}, "/u/a7.jsonl"},
		{"agent id that is a path", Event{TranscriptPath: path, AgentID: "../../x"}, path},
		{"transcript of another kind", Event{TranscriptPath: "/t/s1.json", AgentID: "a7"}, "/t/s1.json"},
		{"none", Event{AgentID: "a7"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := filepath.ToSlash(tt.in.Transcript()); got != tt.want {
				t.Errorf("Transcript() = %q, want %q", got, tt.want)
			}
		})
	}
}

// oneWrite fails the second call of Write.
type oneWrite struct {
	bytes.Buffer
	calls int
}

func (w *oneWrite) Write(p []byte) (int, error) {
	if w.calls++; w.calls > 1 {
		return 0, errors.New("second write")
	}
	return w.Buffer.Write(p)
}

func TestWriteOutput(t *testing.T) {
	type output struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
		SystemMessage      string
	}
	tests := []struct {
		name, text, want string
	}{
		{"plain", "one\ntwo", "one\ntwo"},
		{"frame", `<memory-data source="recollect">` + "\ta & b\\</memory-data>", `<memory-data source="recollect">` + "\ta & b\\</memory-data>"},
		{"control characters", "a\x00\x1b[2m\u2028b", "a\x00\x1b[2m\u2028b"},
		{"invalid UTF-8", "a\xc3(b\xff", "a\uFFFD(b\uFFFD"},
		{"long", strings.Repeat("é😀", 9_000), strings.Repeat("é😀", 9_000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out oneWrite
			if err := WriteOutput(&out, "UserPromptSubmit", tt.text, tt.text); err != nil {
				t.Fatal(err)
			}
			var got output
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("output %q: %v", &out, err)
			}
			var want output
			want.HookSpecificOutput.HookEventName = "UserPromptSubmit"
			want.HookSpecificOutput.AdditionalContext, want.SystemMessage = tt.want, tt.want
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteField(t *testing.T) {
	for _, tt := range []struct{ base, value, want string }{
		{"{}", "a \"b\"\n", `{"additionalContext":"a \"b\"\n"}` + "\n"},
		{`{"continue":true}`, "a", `{"continue":true,"additionalContext":"a"}` + "\n"},
		{`{"continue":true}`, "", ""},
	} {
		var out bytes.Buffer
		if err := WriteField(&out, tt.base, "additionalContext", tt.value); err != nil || out.String() != tt.want {
			t.Errorf("WriteField(%s, %q) wrote %q, %v; want %q", tt.base, tt.value, out.String(), err, tt.want)
		}
	}
}

func TestWriteOutputParts(t *testing.T) {
	tests := []struct {
		name, context, message, want string
	}{
		{"nothing", "", "", ""},
		{"context", "c", "", `{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}}` + "\n"},
		{"message", "", "m", `{"systemMessage":"m"}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out oneWrite
			if err := WriteOutput(&out, "Stop", tt.context, tt.message); err != nil || out.String() != tt.want {
				t.Errorf("output %q, %v, want %q", out.String(), err, tt.want)
			}
		})
	}
}

func TestWriteOutputError(t *testing.T) {
	w := &oneWrite{calls: 1}
	if err := WriteOutput(w, "Stop", "x", ""); err == nil || err.Error() != "write hook output: second write" {
		t.Errorf("WriteOutput error = %v", err)
	}
}

func FuzzReadEvent(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"UserPromptSubmit","prompt":"\ud83d fix","cwd":null}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		e, err := ReadEvent(bytes.NewReader(in))
		if (err == nil) != (e.Name != "") {
			t.Errorf("ReadEvent(%q) = %+v, %v", in, e, err)
		}
		if Typed(e.Prompt) && strings.TrimSpace(e.Prompt) == "" {
			t.Errorf("Typed(%q) = true", e.Prompt)
		}
	})
}
