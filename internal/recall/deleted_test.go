package recall

import (
	"fmt"
	"slices"
	"testing"

	"recollect/internal/memory"
)

// Memories that were deleted since they were indexed are left out, whichever and however many of
// those that were found they are.
func TestDeletedSinceIndexed(t *testing.T) {
	tests := map[string][]int{
		"none": nil, "the best": {0}, "the last": {7}, "some": {2, 3, 5}, "every other": {0, 2, 4, 6}, "all but one": {0, 1, 2, 3, 4, 5, 6}, "all": {0, 1, 2, 3, 4, 5, 6, 7},
	}
	for name, deleted := range tests {
		t.Run(name, func(t *testing.T) {
			var ms []memory.Memory
			for i := range 8 {
				ms = append(ms, memory.Memory{
					Source: memory.Journal, Title: fmt.Sprint("the checkout pool has ", 30+i, " connections"), Text: fmt.Sprint("Because of load ", i, "."),
					Project: here.Name, ProjectPath: here.Path, OccurredAt: now.Add(-day), Session: fmt.Sprint("s", i), Turn: "u1",
				})
			}
			r := open(t, ms...)
			var gone []string
			for _, i := range deleted {
				gone = append(gone, ms[i].ID)
				if _, err := r.Store.Delete(now, ms[i].ID); err != nil {
					t.Fatal(err)
				}
			}
			for _, prompt := range []string{"how many connections has the checkout pool?", "checkout pool"} {
				res, err := r.Recall(t.Context(), ask(t, prompt))
				if err != nil {
					t.Fatal(err)
				}
				for _, injected := range res.Injected {
					if slices.Contains(gone, injected.ID) {
						t.Errorf("%s was injected", injected.ID)
					}
				}
				if len(deleted) == len(ms) && len(res.Injected) > 0 || len(deleted) < len(ms) && len(res.Injected) == 0 {
					t.Errorf("%q: %d injected", prompt, len(res.Injected))
				}
			}
		})
	}
}
