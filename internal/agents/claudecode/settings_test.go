package claudecode

import (
	"strings"
	"testing"
)

// A status line that is set and taken out again leaves every byte as it was.
func TestStatusLineRoundTrip(t *testing.T) {
	tests := []struct{ name, text, before string }{
		{"empty file", "", ""},
		{"only a newline", "\n", ""},
		{"empty object", "{}", ""},
		{"empty object on two lines", "{\n}\n", ""},
		{"other settings", "{\n\t\"model\": \"opus\",\n\t\"env\": {\"A\": \"1\"}\n}", ""},
		{"on one line", `{"model":"opus"}`, ""},
		{"windows lines", "{\r\n  \"model\": \"opus\"\r\n}\r\n", ""},
		{"null", `{"a": 1, "statusLine": null, "b": 2}`, ""},
		{"a command", `{"statusLine": {"type": "command", "command": "~/.claude/line.sh", "padding": 0}}`, "~/.claude/line.sh"},
		{"a command with escapes", `{"statusLine":{"padding":2 , "command" : "echo \u0041 \/ \"x\"","type":"command","refreshInterval":5}, "z": [1, 2 ]}`, `echo A / "x"`},
		{"a command without a type", `{"statusLine":{"command":"date"}}`, "date"},
		{"a command elsewhere", `{"hooks":{"statusLine":{"command":"date"}},"command":"x"}`, ""},
		{"a key like it", `{"statusLineX":1,"a.statusLine":2}`, ""},
	}
	const command = `'/opt/re collect' statusline --after 'echo "hi" <&> \ ü'`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, err := StatusLineCommand(tt.text)
			if err != nil || before != tt.before {
				t.Fatalf("StatusLineCommand() = %q, %v, want %q", before, err, tt.before)
			}
			edited, e, err := SetStatusLine(tt.text, command)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := StatusLineCommand(edited); err != nil || got != command {
				t.Errorf("%s has the command %q, %v", edited, got, err)
			}
			if rest := strings.Replace(edited, e.New, e.Old, 1); rest != tt.text {
				t.Errorf("more than the edit has changed:\n%s\n%s", edited, rest)
			}
			if got, err := UnsetStatusLine(edited, before, e); err != nil || got != tt.text {
				t.Errorf("undone: %q, %v, want %q", got, err, tt.text)
			}
		})
	}
}

// Where Claude Code has rewritten the file meanwhile, what it added stays.
func TestStatusLineRewritten(t *testing.T) {
	tests := []struct{ name, before, text, want string }{
		{"none before", "", `{"model":"opus","statusLine":{"type":"command","command":"C"}}`, `{"model":"opus"}`},
		{"one before", "date", `{"statusLine":{"type":"command","command":"C","padding":1},"model":"opus"}`, `{"statusLine":{"type":"command","command":"date","padding":1},"model":"opus"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := UnsetStatusLine(tt.text, tt.before, Edit{Old: "{", New: `{ "statusLine": {"type": "command", "command": "C"},`})
			if err != nil || got != tt.want {
				t.Errorf("UnsetStatusLine() = %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestStatusLineRefused(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"comments", "{\n  // mine\n  \"model\": \"opus\"\n}", "not JSON"},
		{"cut", `{"model":`, "not JSON"},
		{"a list", `[]`, "not a JSON object"},
		{"twice", `{"statusLine":{"command":"a"},"statusLine":{"command":"b"}}`, "stands there 2 times"},
		{"another type", `{"statusLine":{"type":"widget","command":"a"}}`, "is no command"},
		{"no command", `{"statusLine":{"type":"command"}}`, "is no command"},
		{"a text", `{"statusLine":"date"}`, "is no command"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, err := SetStatusLine(tt.text, "x"); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("SetStatusLine() = %s, %v, want an error with %q", got, err, tt.want)
			}
		})
	}
}
