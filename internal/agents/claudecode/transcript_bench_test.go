package claudecode

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkReadTurns reads a session of 200 turns of ten calls each, with
// outputs and structured results of the sizes that real transcripts have.
func BenchmarkReadTurns(b *testing.B) {
	var in strings.Builder
	for turn := range 200 {
		in.WriteString(rec("user", fmt.Sprint("u", turn), turn, "fix the parser"))
		for call := range 10 {
			id := fmt.Sprint("t", turn, "-", call)
			in.WriteString(rec("assistant", "a"+id, turn, []any{use(id, "Bash", block{"command": "go test ./..."})}))
			in.WriteString(`{"type":"attachment","attachment":{"stdout":"` + strings.Repeat("x", 2000) + `"}}` + "\n")
			in.WriteString(rec("user", "r"+id, turn, []any{result(id, strings.Repeat("ok  \tapp\n", 300))},
				"toolUseResult", block{"stdout": strings.Repeat("ok  \tapp\n", 300)}))
		}
		in.WriteString(rec("assistant", fmt.Sprint("a", turn), turn, []any{say(strings.Repeat("It works now. ", 50))}))
	}
	text := in.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadTurns(strings.NewReader(text), 0, func(Turn) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
