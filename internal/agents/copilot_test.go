package agents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// What a message of Copilot CLI says, and who said it.
func TestCopilotEvents(t *testing.T) {
	const begin = `{"type":"session.start","data":{"sessionId":"c1","context":{"cwd":"/src"}}}`
	for _, tt := range []struct{ name, line, path, want string }{
		{"a skill", `{"type":"user.message","data":{"content":"how to read a PDF","source":"skill-pdf"}}`, "", ""},
		{"autopilot", `{"type":"user.message","data":{"content":"go on","isAutopilotContinuation":true}}`, "", ""},
		{"the task of a sub-agent", `{"type":"user.message","agentId":"a1","data":{"content":"count the files"}}`, "", ""},
		{"a failure of a tool", `{"type":"tool.execution_complete","data":{"toolCallId":"1","success":false,"error":{"message":"no such file"}}}`,
			"message.content.0.content", "no such file"},
		{"a command that fails", `{"type":"tool.execution_complete","data":{"toolCallId":"1","success":true,"shellExecution":{"exitCode":3},` +
			`"result":{"content":"no such file\n<shellId: 0 completed with exit code 3>"}}}`, "message.content.0.content", "Exit code 3\nno such file"},
		{"a command that succeeds", `{"type":"tool.execution_complete","data":{"toolCallId":"1","success":true,"shellExecution":{"exitCode":0},` +
			`"result":{"content":"ok\n<shellId: 0 completed with exit code 0>"}}}`, "message.content.0.content", "ok"},
		{"a compaction", `{"type":"session.compaction_complete","data":{"success":true,"summaryContent":"The pool leaks."}}`, "isCompactSummary", "true"},
		{"the user stops it", `{"type":"abort","data":{}}`, "message.content.0.text", interrupted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines, ok := Detect([]byte(begin)).Lines([]byte(tt.line))
			if want := min(len(tt.want), 1); !ok || len(lines) != want {
				t.Fatalf("got %q, %v; want %d lines", lines, ok, want)
			}
			if tt.want == "" {
				return
			}
			if d := cmp.Diff(tt.want, gjson.Get(lines[0], tt.path).String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.path, d)
			}
		})
	}
}
