package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
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
			name: "session start",
			in:   `{"hook_event_name":"SessionStart","source":"resume","context_tokens":15416,"effort":{"level":"low"}}`,
			want: Event{Name: "SessionStart", Source: "resume"},
		},
		{
			name: "subagent stop",
			in:   `{"hook_event_name":"SubagentStop","agent_type":"Explore","last_assistant_message":"5 files"}`,
			want: Event{Name: "SubagentStop", LastAssistantMessage: "5 files"},
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
