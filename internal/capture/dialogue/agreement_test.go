package dialogue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/text/sentence"
)

// settledAs is what a test looks at in a point.
type settledAs struct{ What, Asked, Why, Not string }

func settledIn(points []Decision) []settledAs {
	var out []settledAs
	for _, p := range points {
		out = append(out, settledAs{p.What, p.Asked, p.Why, p.Not})
	}
	return out
}

func TestSettled(t *testing.T) {
	for _, tt := range []struct {
		name, asked, reply, prompt string
		want                       []settledAs
	}{
		{
			"one word", "", "What should a full cart answer with: 409 or 422?", "409",
			[]settledAs{{What: "409", Asked: "What should a full cart answer with: 409 or 422?", Not: "422"}},
		},
		{
			"one digit", "", "Should the first reminder go out after 3 days or after 7 days?", "7",
			[]settledAs{{What: "7", Asked: "Should the first reminder go out after 3 days or after 7 days?"}},
		},
		{
			"another value", "a lock takes at most 4 boats, never two ferries", "It does now.", "actually make it 3 boats",
			[]settledAs{{What: "3 boats", Asked: "a lock takes at most 4 boats, never two ferries"}},
		},
		{
			"another value alone", "a lock takes 4 boats", "It does now.", "ok, change that to 3",
			[]settledAs{{What: "3", Asked: "a lock takes 4 boats"}},
		},
		{
			"another value of what was said before", "ferries go first", "They do now.", "on second thought make it 3 boats",
			[]settledAs{{What: "3 boats"}},
		},
		{
			"enough", "a lock takes 4 boats", "It does now.", "actually 3 boats are enough",
			[]settledAs{{What: "3 boats are enough", Asked: "a lock takes 4 boats"}},
		},
		{
			"option by its place", "", "Either keep the seeds in a fixture, or draw them from a table. Which?", "the first",
			[]settledAs{{What: "keep the seeds in a fixture", Asked: "Either keep the seeds in a fixture, or draw them from a table. Which?", Not: "draw them from a table"}},
		},
		{
			"no, and what instead", "", "I'll sort the shelves by name, so the list is stable.", "No - by aisle, then by shelf number. Pickers walk the aisles in order.",
			[]settledAs{{What: "by aisle, then by shelf number", Why: "Pickers walk the aisles in order.", Not: "I'll sort the shelves by name, so the list is stable"}},
		},
		{
			"what is not meant", "", "Where shall the index be built?", "on the night machine. not in the browser.",
			[]settledAs{{What: "on the night machine, not in the browser", Asked: "Where shall the index be built?"}},
		},
		{
			"plain no", "", "Add an upper bound for parcels as well?", "no",
			[]settledAs{{What: "no", Asked: "Add an upper bound for parcels as well?"}},
		},
		{
			"a short question has what it is about", "freeze", "In dry runs too?", "yes, only there",
			[]settledAs{{What: "only there", Asked: "freeze: In dry runs too?"}},
		},
		{
			"several", "loom or shuttle for the runner", "Loom needs no server. I'd take loom.", "loom. 3 retries per job. only the night shift may restart, day users get read-only",
			[]settledAs{
				{What: "loom", Asked: "loom or shuttle for the runner?", Not: "shuttle for the runner"},
				{What: "3 retries per job"},
				{What: "only the night shift may restart, day users get read-only", Asked: ""},
			},
		},
		{
			"accepted", "", "I'd keep the archive read-only, because auditors compare its checksum.", "ok do it",
			[]settledAs{{What: "keep the archive read-only", Why: "because auditors compare its checksum"}},
		},
		{
			"accepted and refined", "", "So tickets close after the last comment, and never while a parcel is open?", "Exactly. A reopened ticket counts as new.",
			[]settledAs{
				{What: "yes", Asked: "So tickets close after the last comment, and never while a parcel is open?"},
				{What: "A reopened ticket counts as new", Asked: "So tickets close after the last comment, and never while a parcel is open?"},
			},
		},
		{
			"a rule that answers nothing", "", "The importer is done.", "a badge must never outlive its owner's contract",
			[]settledAs{{What: "a badge must never outlive its owner's contract"}},
		},
		{
			"German", "", "Sollen Gutscheine verfallen oder ewig gelten?", "Ewig gelten. Nie löschen, das Finanzamt fragt danach",
			[]settledAs{{What: "Ewig gelten", Asked: "Sollen Gutscheine verfallen oder ewig gelten?"}, {What: "Nie löschen, das Finanzamt fragt danach"}},
		},
		{
			"French", "", "Je propose de garder les deux formats.", "Non, seulement le JSON.",
			[]settledAs{{What: "seulement le JSON", Not: "Je propose de garder les deux formats"}},
		},
		{
			"Spanish", "", "¿Guardamos la fecha en UTC o en hora local?", "UTC, siempre",
			[]settledAs{{What: "UTC, siempre", Asked: "¿Guardamos la fecha en UTC o en hora local?", Not: "en hora local"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, settledIn(ReadProposal(sentence.Read(tt.asked), tt.reply, false).Settled(sentence.Read(tt.prompt)))); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNothingSettled(t *testing.T) {
	const proposal = "I'd keep the archive read-only, because auditors compare its checksum."
	for _, tt := range []struct{ name, reply, prompt string }{
		{"empty", "", ""},
		{"no words", "?", "?!"},
		{"thanks", proposal, "thanks!"},
		{"question", proposal, "why not a symlink, always the same one?"},
		{"order", "Done. Anything else?", "run it again and look at the log"},
		{"side talk", "I'll sort by aisle.", "heads-up: test_aisles is flaky on CI, rerun before you blame it"},
		{"what Claude shall do next", "Shall I open a pull request?", "yes"},
		{"facts", "Which version are you seeing it with? Can you share the log?", "version 3, only on Linux"},
		{"how things are", "That's the reason the cache exists.", "Right, it only holds the last two pages then."},
		{"thought", proposal, "maybe we should never write to it"},
		{"trouble", "The importer is done.", "it fails again, I only get two rows"},
		{"pasted", proposal, strings.Repeat("2026-01-02 10:00:01 must never fail\n", 200)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ReadProposal(sentence.Read(""), tt.reply, false).Settled(sentence.Read(tt.prompt)); got != nil {
				t.Errorf("settled %q, want nothing", settledIn(got))
			}
		})
	}
}

func TestChanged(t *testing.T) {
	for prompt, want := range map[string][]settledAs{
		"change of plan: badges by floor, not by team":                         {{What: "badges by floor, not by team"}},
		"from now on invoices are numbered per year":                           {{What: "from now on invoices are numbered per year"}},
		"polling is out. the broker has to push":                               {{What: "polling is out"}},
		"Ab sofort zählt der Posteingang":                                      {{What: "Ab sofort zählt der Posteingang"}},
		"the export must never drop a row, but it drops the last. please look": nil,
		"every badge gets a number, only adults get a photo":                   nil,
		"": nil,
	} {
		got := settledIn(Changed(sentence.Read(prompt)))
		if len(got) > len(want) && want != nil {
			got = got[:len(want)]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("changed(%q) (-want +got):\n%s", prompt, diff)
		}
	}
}

func TestRejects(t *testing.T) {
	for prompt, want := range map[string]bool{
		"No. That's all wrong, badges go by floor.": true,
		"scratch that. badges go by floor":          true,
		"no - badges go by floor":                   false,
		"badges go by floor":                        false,
		"":                                          false,
	} {
		if got := Rejects(sentence.Read(prompt)); got != want {
			t.Errorf("Rejects(%q) = %v, want %v", prompt, got, want)
		}
	}
}

func TestReadRecap(t *testing.T) {
	for _, tt := range []struct {
		name, reply string
		want        Recap
	}{
		{
			"sentence", "Good, that is all. Recap of seat(row): rows count from the stage. A broken seat is never sold. Shall I start?",
			Recap{About: "seat(row)", Clauses: []string{"rows count from the stage", "A broken seat is never sold"}, Evidence: "Recap of seat(row): rows count from the stage."},
		},
		{
			"list", "Settled:\n\n- rows count from the stage\n- a broken seat is never sold\n\nTomorrow: the box office.",
			Recap{Clauses: []string{"rows count from the stage", "a broken seat is never sold"}, Evidence: "Settled:"},
		},
		{
			"rule without a colon", "All done. So, the definitive rule for rows is that they count from the stage.",
			Recap{Clauses: []string{"So, the definitive rule for rows is that they count from the stage"}, Evidence: "So, the definitive rule for rows is that they count from the stage."},
		},
		{"summary", "Summary: rows count from the stage", Recap{}},
		{"what is open", "Settled:\n- Still open: the box office\n- shall rows count from the stage?", Recap{}},
		{
			"what others say", "Agreed:\n1. Rows count from the stage.\n2. One commenter writes: We decided to sell row 13.\n3. The README says:\nevery row is sold\n- always\n4. Boxes are sold whole.",
			Recap{Clauses: []string{"Rows count from the stage", "Boxes are sold whole"}, Evidence: "Agreed:"},
		},
		{"none", "Rows count from the stage.", Recap{}},
		{"empty", "", Recap{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := ReadRecap([]*sentence.Text{sentence.Read(tt.reply)})
			if diff := cmp.Diff(tt.want, got); diff != "" || ok != (tt.want.Clauses != nil) {
				t.Errorf("recap, %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

func TestRestated(t *testing.T) {
	for reply, want := range map[string]string{
		"Got it - rows count from the stage. Shall I start?":     "rows count from the stage",
		"Understood. Rows count from the stage; I'll rename it.": "",
		"Rows count from the stage.":                             "",
		"OK.":                                                    "",
		"":                                                       "",
		"Right: rows count from the stage. I'll write that down.": "rows count from the stage",
	} {
		if got := Restated(reply); got != want {
			t.Errorf("Restated(%q) = %q, want %q", reply, got, want)
		}
	}
}

func TestRuleOf(t *testing.T) {
	for sentence, want := range map[string]string{
		"yes, twelve":               "yes",
		"so yes, twelve":            Answer,
		"No. Twelve.":               "no",
		"twelve":                    Answer,
		"Only twelve":               "always-never",
		"":                          Answer,
		"And nein, das wird nichts": Answer,
	} {
		if got := DecisionRule(sentence); got != want {
			t.Errorf("RuleOf(%q) = %q, want %q", sentence, got, want)
		}
	}
}
