package clean

import (
	"testing"
	"time"

	"recollect/internal/memory"
)

// BenchmarkDraft makes a memory of an episode as the extractor hands it over.
func BenchmarkDraft(b *testing.B) {
	d := memory.Draft{Memory: memory.Memory{
		Source: memory.Episodes, Origin: memory.OriginAssistant, Project: "app", ProjectPath: "/home/dev/src/app", ProjectRemote: "example.org/dev/app",
		Title: "the api client gives up on 502, make it retry",
		Text: "Asked: the api client gives up on 502, make it retry\n\nthree times at most\nDid: edited internal/api/client.go, scripts/deploy.sh; " +
			"ran `go test ./...` (failed, then passed), `git push`; committed \"api: retry on 502\"\nOutcome: The client retries now.\n- `maxRetries` is 3",
		Keywords: []string{"maxretries", "client_test", "errtoomany", "e0611"}, Files: []string{"internal/api/client.go", "scripts/deploy.sh", "go.mod"},
		Session: "3f2c9a54-6d0e-4f7e-9a55-0a3d1c6f2b11", Turn: "8a55d7c1-1be2-4ac0-a5fd-1e0a3d1c6f2b", OccurredAt: time.Unix(1_770_000_000, 0),
	}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Draft(d); err != nil {
			b.Fatal(err)
		}
	}
}
