package fit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/lab/embedding"
)

// Stores of each size are drawn with prompts that they answer and such that they do not.
func TestDrawStores(t *testing.T) {
	all, everyday, err := written(embedding.Written())
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Docs) < 600 || len(all.Queries) != len(embedding.Grades)*len(all.Docs) || len(everyday) < 100 {
		t.Fatalf("%d held memories with %d prompts, %d everyday prompts", len(all.Docs), len(all.Queries), len(everyday))
	}
	for _, s := range samplings() {
		stores := s.draw(all, everyday)
		if diff := cmp.Diff(stores, s.draw(all, everyday)); diff != "" {
			t.Errorf("stores of %d, drawn again (-first +second):\n%s", s.size, diff)
		}
		if len(stores) != s.stores {
			t.Errorf("%d stores of %d, want %d", len(stores), s.size, s.stores)
		}
		for _, c := range stores {
			in := map[string]bool{}
			for _, d := range c.Docs {
				in[d.ID] = true
			}
			for _, q := range c.Queries {
				if len(within(q.Relevant, in)) != 1 {
					t.Errorf("the answer to %q is not in its store", q.Text)
				}
			}
			if want := min(s.size, len(all.Docs)); len(c.Docs) != want || len(c.Queries) < min(s.asked, want) {
				t.Errorf("a store of %d memories has %d, and %d prompts", want, len(c.Docs), len(c.Queries))
			}
			count := map[string]int{}
			for _, q := range c.Negatives {
				kind, _, _ := strings.Cut(q.ID, "/")
				count[kind]++
			}
			if count["everyday"] == 0 || count["miss"] == 0 || count["edit"] == 0 || s.size < len(all.Docs) && count["absent"] == 0 {
				t.Errorf("a store of %d has the unanswered prompts %v", len(c.Docs), count)
			}
		}
	}
}
