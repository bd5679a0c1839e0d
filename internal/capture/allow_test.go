package capture

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// never allows all turns but those whose prompts have some words.
func never(words ...string) func(claudecode.Turn, memory.Project) Allowance {
	return func(t claudecode.Turn, _ memory.Project) Allowance {
		for _, w := range words {
			if strings.Contains(t.Prompt, w) {
				return Allowance{Never: true}
			}
		}
		return Allowance{}
	}
}

// all returns everything that the store holds of sessions, handoffs too.
func (d *desk) all() string {
	var b strings.Builder
	for m, err := range d.store.All() {
		if err != nil {
			d.t.Fatal(err)
		}
		fmt.Fprintln(&b, m.Title, m.Body(), m.Evidence)
	}
	return b.String()
}

const (
	hushPrompt = "why does the payroll of Wilhelmina fail to print?"
	hushReply  = "The printer of Wilhelmina had no paper. Shall salaries be printed on Fridays?"
	afterReply = "Yes, do that. Reconnect after two seconds."
)

// What a turn says that may not be learned from is in no memory: not in the next turn's,
// not in the handoff, not in the summary of the conversation.
func TestNeverLearned(t *testing.T) {
	summary := `{"type":"user","uuid":"u9","sessionId":"s1","cwd":"/app","isCompactSummary":true,"timestamp":"2026-10-01T10:04:00Z","message":{"role":"user","content":"This session is being continued. Primary Request: the payroll of Wilhelmina. Pending Tasks: pay Wilhelmina."}}`
	records := []string{
		header, asked(1, poolPrompt), replied(1, poolReply), asked(2, hushPrompt), replied(2, hushReply),
		asked(3, "yes, on Fridays. And "+corsPrompt), replied(3, corsReply), summary,
	}
	for name, step := range map[string]int{"at once": len(records), "record by record": 1} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			in := Input{Allow: never("Wilhelmina")}
			for i := 0; i < len(records); i += step {
				d.write(records[i:min(i+step, len(records))]...)
				d.take(in)
			}
			check := func(when string) {
				t.Helper()
				got := d.all()
				if strings.Contains(got, "Wilhelmina") || strings.Contains(got, "salaries") {
					t.Errorf("%s: the memories tell it:\n%s", when, got)
				}
				if !strings.Contains(got, "exhausted") || !strings.Contains(got, "CORS") {
					t.Errorf("%s: the memories lack the turns around it:\n%s", when, got)
				}
			}
			check("captured")
			d.capture.states.Purge() // as in another daemon
			d.write(asked(4, "and what else?"), replied(4, afterReply))
			d.take(in)
			check("captured on")
			in.Whole = true
			d.take(in)
			check("imported")
			f := &fakeModel{}
			if _, err := d.capture.Refine(t.Context(), Input{Path: d.path, Allow: in.Allow}, func(string) memory.Project { return memory.Project{} }, 10_000, f.read); err != nil {
				t.Fatal(err)
			}
			if asked := fmt.Sprint(f.asked); strings.Contains(asked, "Wilhelmina") || !strings.Contains(asked, "basket") {
				t.Errorf("the model was asked %s", asked)
			}
		})
	}
}

// What may not be learned from at present is read later, with all that follows.
func TestLearnedLater(t *testing.T) {
	d := newDesk(t)
	later := Input{Allow: func(t claudecode.Turn, _ memory.Project) Allowance {
		return Allowance{Later: strings.Contains(t.Prompt, "basket")}
	}}
	later.Path = d.path
	project := func(string) memory.Project { return memory.Project{} }
	d.write(header, asked(1, poolPrompt), replied(1, poolReply), asked(2, corsPrompt), replied(2, corsReply), asked(3, hushPrompt), replied(3, hushReply))
	for range 2 {
		if _, err := d.capture.File(t.Context(), later, project); !errors.Is(err, ErrLater) {
			t.Fatalf("File() = %v, want ErrLater", err)
		}
		if got := d.all(); !strings.Contains(got, "exhausted") || strings.Contains(got, "CORS") || strings.Contains(got, "paper") {
			t.Fatalf("the memories have more or less than what comes before:\n%s", got)
		}
	}
	if _, err := d.capture.Refine(t.Context(), later, project, 10_000, (&fakeModel{}).read); !errors.Is(err, ErrLater) {
		t.Errorf("Refine() = %v, want ErrLater", err)
	}
	d.take(Input{})
	if got := d.all(); !strings.Contains(got, "CORS") || !strings.Contains(got, "paper") {
		t.Errorf("the memories lack what came later:\n%s", got)
	}
}
