package extract

import (
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
)

// BenchmarkEpisode makes the episode of a long turn: a hundred calls and a
// page of an answer.
func BenchmarkEpisode(b *testing.B) {
	turn := claudecode.Turn{ID: "u1", Prompt: strings.Repeat("why does parse_file fail? ", 40)}
	for range 50 {
		turn.Actions = append(turn.Actions, edit("/home/dev/app/internal/parse/file.go"), bash("cd app && go test ./... 2>&1 | tail -5", false))
	}
	turn.Replies = []string{"It reads too far.\n\n" + strings.Repeat("- `readAll` stops at EOF now\n", 60)}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := episodeOf(turn, app); !ok {
			b.Fatal("not kept")
		}
	}
}
