package claudecode

import (
	"strings"
	"testing"
)

// What nests deeper than the stack reaches is no record and no event, and ends no process.
func TestNestedWithoutEnd(t *testing.T) {
	const size = 12 << 20
	record := `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/app","message":{"role":"user","content":`
	event := `{"hook_event_name":"PostToolUse","session_id":"s1","tool_response":`
	for _, tt := range []struct{ name, open, end string }{
		{"lists", "[", "]"},
		{"objects", `{"a":`, "}"},
		{"both", `[{"a":`, "}]"},
	} {
		for _, closed := range []bool{false, true} {
			n := size / len(tt.open+tt.end)
			deep := strings.Repeat(tt.open, n)
			if closed {
				deep += "1" + strings.Repeat(tt.end, n) + "}}"
			}
			turns, scan := read(t, record+deep+"\n"+rec("user", "u2", 2, "and this one?")+"\n", 0)
			if len(turns) != 1 || turns[0].ID != "u2" || scan.Skipped == 0 {
				t.Errorf("%s, closed %v: %d turns, %d skipped", tt.name, closed, len(turns), scan.Skipped)
			}
			if _, err := ReadChain(strings.NewReader(record+deep+"\n"), 0); err != nil {
				t.Errorf("%s, closed %v: %v", tt.name, closed, err)
			}
			if _, err := ReadEvent(strings.NewReader(event + strings.TrimSuffix(deep, "}"))); err == nil {
				t.Errorf("%s, closed %v: it is taken for an event", tt.name, closed)
			}
			if _, ok := usageOf([]byte(`{"usage":`+deep), false); ok {
				t.Errorf("%s, closed %v: it tells how much was used", tt.name, closed)
			}
		}
	}
}
