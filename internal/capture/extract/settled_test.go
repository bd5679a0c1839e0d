package extract

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// after returns a turn after one in which Claude said something.
func after(reply string, turn claudecode.Turn) *Turn {
	return NewTurn(turn, app, NewTurn(claudecode.Turn{ID: "u0", Prompt: "how shall seats be sold?", Replies: []string{reply}}, app, nil))
}

func TestSettledMemories(t *testing.T) {
	for _, tt := range []struct {
		name, before, prompt, reply string
		want                        []noted
	}{
		{
			"answer", "Hold a seat for 5, 10 or 15 minutes?", "10", "",
			[]noted{{Title: "10 (asked: Hold a seat for 5, 10 or 15 minutes?)", Not: "Hold a seat for 5; 15 minutes", Origin: memory.OriginUser}},
		},
		{
			"correction", "I'll sell the rows from the back.", "No, rows from the front first, always. Late guests disturb less there.", "",
			[]noted{{
				Title: "rows from the front first, always (asked: how shall seats be sold?)", Why: "Late guests disturb less there.", Not: "I'll sell the rows from the back", Origin: memory.OriginUser,
			}},
		},
		{
			"restated", "Which seats are held back?", "only the two aisles", "Got it - the aisles left and right of block C are held back, row 1 to 12. Next I'd look at prices.",
			[]noted{{
				Title: "only the two aisles (asked: Which seats are held back?)", Origin: memory.OriginUser,
				Text: "Restated: the aisles left and right of block C are held back, row 1 to 12",
			}},
		},
		{
			"too long for a title", "Should a seat that was given back be sold again at once, or only once the night's list of guests is printed?", "only after the list", "",
			[]noted{{
				Title:  "only after the list (asked: Should a seat that was given back be sold again at once, or only once the night's list of…",
				Text:   "only after the list (asked: Should a seat that was given back be sold again at once, or only once the night's list of guests is printed?)",
				Origin: memory.OriginUser,
			}},
		},
		{
			"names in quotes", "What do we call the blocks?", "'north' becomes 'n' and 'south' becomes 's'", "",
			[]noted{{Title: "`north` becomes `n` and `south` becomes `s` (asked: What do we call the blocks?)", Origin: memory.OriginUser}},
		},
		{"wish", "Shall I commit?", "never push to main", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := after(tt.before, claudecode.Turn{ID: "u1", Prompt: tt.prompt, Replies: []string{tt.reply}})
			if diff := cmp.Diff(tt.want, notedIn(journal(s))); diff != "" {
				t.Errorf("journal (-want +got):\n%s", diff)
			}
		})
	}
}

// What a prompt settles depends on what it answers, and on who wrote it.
func TestNothingToSettle(t *testing.T) {
	const rules = "Rows from the front first, always. Never sell row 13."
	for _, tt := range []struct {
		name string
		s    *Turn
	}{
		{"task of a sub-agent", after("From which end?", claudecode.Turn{ID: "u1", Prompt: rules, Agent: "a1", Sidechain: true})},
		{"task that begins a session", NewTurn(claudecode.Turn{ID: "u1", Prompt: "Sell seats from the front first. Every seat has exactly one price."}, app, nil)},
		{"template", NewTurn(claudecode.Turn{ID: "u1", Prompt: "Fix this bug to solve the issue based on manual.yaml:\n\nrows must be sold from the front first"}, app, nil)},
		{"long prompt", after("From which end?", claudecode.Turn{ID: "u1", Prompt: strings.Repeat("Each of the seats has exactly one price. ", 60)})},
		{"nothing", after("", claudecode.Turn{})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := notedIn(journal(tt.s)); got != nil {
				t.Errorf("journal = %v, want none", got)
			}
		})
	}
}

func TestRecaps(t *testing.T) {
	recap := claudecode.Turn{ID: "u1", Prompt: "that's all", Replies: []string{"Recap of sell(seat): rows from the front first; a held seat is free after 10 minutes."}}
	before := NewTurn(recap, app, nil)
	made := journal(before)
	want := []noted{{Title: "sell(seat): rows from the front first; a held seat is free after 10 minutes", Origin: memory.OriginAssistant}}
	if diff := cmp.Diff(want, notedIn(made)); diff != "" {
		t.Fatalf("recap (-want +got):\n%s", diff)
	}
	if !slices.Equal(made[0].Tags, []string{memory.TagRecap}) || RuleOf(made[0].Memory) != "recap-of" {
		t.Errorf("tags %q by %q, want that of a recap", made[0].Tags, RuleOf(made[0].Memory))
	}
	id := stored(t, made[0]).ID
	for _, tt := range []struct {
		prompt, reply string
		want          []string
	}{
		{"No. That's wrong. Rows from the back first, always.", "", []string{id}},
		{"No - a held seat is free after 15 minutes.", "Updated rule: rows from the front first; a held seat is free after 15 minutes.", []string{id}},
		{"No - a held seat is free after 15 minutes.", "", nil},
		{"Exactly. Boxes are only sold whole.", "", nil},
	} {
		var got []string
		for _, m := range journal(NewTurn(claudecode.Turn{ID: "u2", Prompt: tt.prompt, Replies: []string{tt.reply}}, app, before)) {
			got = append(got, m.Supersedes...)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q supersedes (-want +got):\n%s", tt.prompt, diff)
		}
	}
}

// stored returns a draft as it is stored.
func stored(t *testing.T, d memory.Draft) memory.Memory {
	t.Helper()
	m, err := clean.Draft(d)
	if err != nil {
		t.Fatal(err)
	}
	return m.Memory()
}

// A turn that is captured before Claude has answered gives the memory that it
// gives when it is whole, under the same id.
func TestSettledInPieces(t *testing.T) {
	whole := claudecode.Turn{ID: "u1", Prompt: "10. no refunds", Replies: []string{"Understood: 10 minutes, then the seat is free for others again."}}
	half := whole
	half.Replies = nil
	const asked = "Hold a seat for 5, 10 or 15 minutes?"
	a, b := journal(after(asked, half)), journal(after(asked, whole))
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%d memories of a half turn, %d of the whole", len(a), len(b))
	}
	for i := range a {
		if x, y := stored(t, a[i]).ID, stored(t, b[i]).ID; x != y {
			t.Errorf("%q has id %s, then %s", a[i].Title, x, y)
		}
	}
}

func TestAssumed(t *testing.T) {
	made := journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: "do it", Replies: []string{"I chose a ring buffer over a channel because it never blocks the writer."}}, app, nil))
	if len(made) != 1 || !slices.Contains(made[0].Tags, memory.TagAssumed) || made[0].Importance != memory.Low || made[0].Confidence != confidenceStated {
		t.Errorf("what Claude alone decided = %+v, want it marked as assumed", made)
	}
}
