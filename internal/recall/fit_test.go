package recall

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
)

// A memory that does not fit whole is injected as a heading, and leaves room for the
// next.
func TestFitShort(t *testing.T) {
	long := strings.Repeat("Rows were not closed. ", 100)
	ms := []memory.Memory{inbox("note-1", "First", long), inbox("note-2", "Second", "Brief."), inbox("note-3", "Third", long), inbox("note-4", "Fourth", "")}
	tests := []struct {
		name          string
		tokens, items int
		want          []string
	}{
		{"room for the brief one", 200, 6, []string{api.OutcomeHeading, api.OutcomeInjected, api.OutcomeHeading, api.OutcomeInjected}},
		{"room for one long one", 700, 6, []string{api.OutcomeInjected, api.OutcomeInjected, api.OutcomeHeading, api.OutcomeInjected}},
		{"room for all", 2000, 6, []string{api.OutcomeInjected, api.OutcomeInjected, api.OutcomeInjected, api.OutcomeInjected}},
		{"two at most", 2000, 2, []string{api.OutcomeInjected, api.OutcomeInjected, request.NoRoom, request.NoRoom}},
		{"none at all", 2000, 0, []string{request.NoRoom, request.NoRoom, request.NoRoom, request.NoRoom}},
		{"no tokens", 0, 6, []string{request.NoRoom, request.NoRoom, request.NoRoom, request.NoRoom}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, "")
			req.Settings.Budget.Tokens, req.Settings.Budget.Items = tt.tokens, tt.items
			req.Settings.Sources.Inbox.Tokens = 2000
			var found []*candidate
			for _, m := range ms {
				found = append(found, &candidate{memory: &m, activity: "test"})
			}
			res := request.NewResult(&req)
			fitAll(&req, found, &res)
			var got []string
			for _, c := range found {
				got = append(got, c.outcome)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if !strings.Contains(strings.Join(tt.want, ""), "told") && res.Context != "" {
				t.Errorf("context %q with nothing injected", res.Context)
			}
		})
	}
}

// alphabet has letters of one byte, of one unit and of two.
var alphabet = []string{"pool", "é", "Größe", "🚀", "日本", " ", " ", "\n", "<T>", "</memory-data>", "👩‍💻"}

func scribble(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func randomCandidates(t *testing.T, r *rand.Rand) []*candidate {
	t.Helper()
	found := make([]*candidate, r.IntN(40))
	for i := range found {
		m := memory.Memory{
			Source: memory.Sources[r.IntN(len(memory.Sources))], Title: "t" + scribble(r, 30), Text: scribble(r, 1<<r.IntN(12)),
			OccurredAt: now, Project: "app", ID: fmt.Sprintf("note-%d", i),
		}
		if err := m.Normalize(); err != nil {
			t.Fatal(err)
		}
		found[i] = &candidate{memory: &m, activity: "test"}
		if r.IntN(8) == 0 {
			found[i].outcome = "held back"
		}
	}
	return found
}

func randomBudget(r *rand.Rand, req *request.Request) {
	req.Settings.Budget.Tokens = r.IntN(4000) // beyond what is allowed, for the limit on units
	req.Settings.Budget.Items = r.IntN(51)
	s := &req.Settings.Sources
	for _, src := range []*int{&s.Patterns.Tokens, &s.Journal.Tokens, &s.Episodes.Tokens, &s.Thinking.Tokens, &s.Goals.Tokens} {
		*src = r.IntN(3000)
	}
}

func TestFitProperties(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	r := rand.New(rand.NewPCG(1, 1))
	injected, widest := 0, 0
	shipped := ask(t, "")
	for range 600 {
		req := shipped
		randomBudget(r, &req)
		found := randomCandidates(t, r)
		res := request.NewResult(&req)
		fitAll(&req, found, &res)
		checkLimits(t, &res, req)
		checkOrder(t, &res, found)
		injected += len(res.Injected)
		widest = max(widest, block.Units(res.Context))
		if t.Failed() {
			t.Fatalf("budget of %d tokens, %d items:\n%s", req.Settings.Budget.Tokens, req.Settings.Budget.Items, res.Context)
		}
	}
	if injected == 0 || widest < block.MaxUnits-300 {
		t.Errorf("%d memories injected, the widest context %d units: no limit was reached", injected, widest)
	}
}

// checkLimits fails unless res stays within every limit, counted anew.
func checkLimits(t *testing.T, res *request.Result, req request.Request) {
	t.Helper()
	n := len(utf16.Encode([]rune(res.Context)))
	if n > block.MaxUnits {
		t.Errorf("%d units", n)
	}
	if (n+3)/4 > req.Settings.Budget.Tokens && n > 0 {
		t.Errorf("%d tokens, want %d at most", (n+3)/4, req.Settings.Budget.Tokens)
	}
	if len(res.Injected) > req.Settings.Budget.Items {
		t.Errorf("%d memories, want %d at most", len(res.Injected), req.Settings.Budget.Items)
	}
	spent := map[memory.Source]int{}
	for _, b := range res.Injected {
		spent[b.Source] += block.Tokens(b.Text)
	}
	for src, n := range spent {
		if limit := req.Settings.Sources.Of(src).Tokens; n > limit {
			t.Errorf("%d tokens of %s, want %d at most", n, src, limit)
		}
	}
}

// checkOrder fails unless the bites are candidates that nothing held back, in
// their order, each once, and the context is made of them.
func checkOrder(t *testing.T, res *request.Result, found []*candidate) {
	t.Helper()
	next, left := 0, 0
	var entries []string
	for _, c := range found {
		switch c.outcome {
		case api.OutcomeInjected, api.OutcomeHeading:
			if next == len(res.Injected) || res.Injected[next].ID != c.memory.ID {
				t.Errorf("%s is not bite number %d", c.memory.ID, next+1)
				return
			}
			if res.Keys[c.memory.ID] != c.memory.ContentKey() {
				t.Errorf("the key of %s is %q", c.memory.ID, res.Keys[c.memory.ID])
			}
			entries = append(entries, res.Injected[next].Text)
			next++
		case request.NoRoom:
			left++
		case "held back", noTeamPlace:
		default:
			other, ok := strings.CutPrefix(c.outcome, "says the same as ")
			if !ok || other == c.memory.ID {
				t.Errorf("outcome %q", c.outcome)
			}
		}
	}
	if next != len(res.Injected) || len(res.Keys) != next {
		t.Errorf("%d candidates are injected, with %d bites and %d keys", next, len(res.Injected), len(res.Keys))
	}
	if res.Left != left {
		t.Errorf("Left = %d, want %d", res.Left, left)
	}
	if got := block.Frame(entries); got != res.Context {
		t.Errorf("the context is not the frame of the bites")
	}
}

// fitAll injects candidates that were chosen in this order.
func fitAll(req *request.Request, found []*candidate, res *request.Result) {
	t := &chosen{scored: &scored{candidates: &candidates{query: query{req: req}}}, ranked: found}
	n := injection{chosen: t, texts: &sessions.Texts{}, budget: request.NewBudget(req, req.Settings.Budget.Items, req.Settings.Budget.Tokens), res: res}
	n.injectForActivities()
	res.Context = block.Frame(res.Entries)
}
