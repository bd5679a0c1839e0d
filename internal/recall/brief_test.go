package recall

import (
	"maps"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// pumpSession is a session about pumps: three turns, of which the second and the
// third decided something.
func pumpSession() []memory.Memory {
	of := func(m memory.Memory, turn string, minute int) memory.Memory {
		m.Session, m.Turn, m.OccurredAt = "pumps", turn, now.Add(-48*time.Hour+time.Duration(minute)*time.Minute)
		m.SetHome(here)
		return m
	}
	return []memory.Memory{
		of(memory.Memory{Source: memory.Episodes, ID: "ep-a", Title: "the irrigation controller floods bed seven", Text: "The moisture probe of bed seven reports percent, the others report millibar."}, "t1", 0),
		of(memory.Memory{Source: memory.Journal, ID: "dec-b", Title: "probes report millibar (asked: percent or millibar?)", Tags: []string{memory.TagDecision}, Origin: memory.OriginUser}, "t2", 2),
		of(memory.Memory{Source: memory.Journal, ID: "dec-c", Title: "a pump never runs longer than 90 s", Tags: []string{memory.TagDecision}, Origin: memory.OriginUser,
			Fields: map[string]string{"rationale": "the motor overheats"}}, "t3", 4),
		of(memory.Memory{Source: memory.Handoffs, ID: "hand-d", Title: "Irrigation controller: probes and pumps",
			Fields: map[string]string{"open": "calibrate bed nine (turn 3)", "next": "frost mode (turn 3)", "cause": "bed seven was read in percent (turn 1)"}}, "t3", 5),
		of(with(inbox("note-x", "Pancakes", "Eggs and flour."), func(m *memory.Memory) { m.Source = memory.Episodes }), "t4", 6),
	}
}

// A prompt that matches one turn of a session brings what the session decided and found, each only once in a
// session.
func TestBriefOfSession(t *testing.T) {
	r := open(t, pumpSession()...)
	req := ask(t, "why does the irrigation controller flood bed seven, is it the moisture probe?")
	res, err := r.Recall(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n[decision] a pump never runs longer than 90 s (because: the motor overheats) (2026-11-19, dec-c)\n",
		"\n[decision] probes report millibar (asked: percent or millibar?) (2026-11-19, dec-b)\n", "\n[cause] bed seven was read in percent [open] calibrate bed nine (2026-11-19, hand-d)\n"} {
		if !strings.Contains(res.Context, want) {
			t.Errorf("context lacks %q:\n%s", want, res.Context)
		}
	}
	if strings.Contains(res.Context, "Eggs") {
		t.Errorf("a turn about something else:\n%s", res.Context)
	}
	req.Session.Injected = maps.Clone(res.Keys)
	again, err := r.Recall(t.Context(), req)
	if err != nil || strings.Contains(again.Context, "90 s") || strings.Contains(again.Context, "millibar (asked") {
		t.Errorf("injected twice: %v\n%s", err, again.Context)
	}
}

// What the session's start brought is not repeated in the words of the turn, but what it
// lacks is injected.
func TestTurnAfterTheStart(t *testing.T) {
	of := func(src memory.Source, turn, title, text string) memory.Memory {
		m := memory.Memory{Source: src, Title: title, Text: text, Session: "ferry", Turn: turn, OccurredAt: now.Add(-time.Hour)}
		m.SetHome(here)
		return m
	}
	const topic = "the timetable export drops the last ferry"
	handoff := of(memory.Handoffs, "t1", topic, "")
	handoff.Fields = map[string]string{"open": "the loop stopped before the last row and reads all rows now (turn 1)"}
	r := open(t, handoff,
		of(memory.Episodes, "t1", topic, "Outcome: the loop stopped before the last row and reads all rows now.\nDid: edited export.go"),
		of(memory.Episodes, "t2", "how high is the surcharge for bicycles?", "Outcome: the surcharge for bicycles is 3.20 in summer and 1.10 in winter."))
	start, err := r.Orient(t.Context(), ask(t, ""))
	if err != nil || !strings.Contains(start.Context, "reads all rows now") {
		t.Fatalf("start: %v\n%s", err, start.Context)
	}
	tests := []struct {
		name, prompt string
		started      bool
		want         string // in what is injected, "" for nothing
	}{
		{"without the start", "does the timetable export drop the last ferry again?", false, "reads all rows now"},
		{"what the start brought", "does the timetable export drop the last ferry again?", true, ""},
		{"what the start lacks", "how high is the surcharge for bicycles?", true, "3.20 in summer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			if tt.started {
				req.Session.Injected = maps.Clone(start.Keys)
			}
			res, err := r.Recall(t.Context(), req)
			if err != nil || !strings.Contains(res.Context, tt.want) || (tt.want == "") != (res.Context == "") {
				t.Errorf("want %q, %v:\n%s", tt.want, err, res.Context)
			}
		})
	}
}

// A decision on a matter that another line tells is injected, unless it says nothing by itself.
func TestBriefWithMatterThatWasSaid(t *testing.T) {
	decided := func(id, title string) memory.Memory {
		m := memory.Memory{Source: memory.Journal, ID: id, Title: title, Session: "plurals", Turn: "t1", OccurredAt: now.Add(-time.Hour)}
		m.SetHome(here)
		return m
	}
	const matter = "three overrides of pluralize are needed, for person, index and matrix"
	res, err := open(t,
		decided("dec-a", matter),
		decided("dec-b", "Don't touch the rest (on: "+matter+")"),
		decided("dec-c", "Agreed (on: "+matter+")"),
	).Recall(t.Context(), ask(t, "why does pluralize have overrides for person and matrix?"))
	if err != nil || !strings.Contains(res.Context, matter) || !strings.Contains(res.Context, "Don't touch the rest (on: ") || strings.Contains(res.Context, "Agreed") {
		t.Errorf("%v\n%s", err, res.Context)
	}
}

// A superseded decision is not part of its session's brief.
func TestBriefWithoutSuperseded(t *testing.T) {
	ms := pumpSession()
	later := memory.Memory{Source: memory.Journal, ID: "dec-e", Title: "a pump never runs longer than 45 s", Supersedes: []string{"dec-c"}, OccurredAt: now.Add(-time.Hour)}
	later.SetHome(here)
	res, err := open(t, append(ms, later)...).Recall(t.Context(), ask(t, "why does the irrigation controller flood bed seven, is it the moisture probe?"))
	if err != nil || strings.Contains(res.Context, "90 s") || !strings.Contains(res.Context, "millibar (asked") {
		t.Errorf("%v\n%s", err, res.Context)
	}
}

// The brief of the session that superseded a decision comes before that of the session whose
// turn the prompt found, whatever words it has.
func TestBriefOfAmendingSession(t *testing.T) {
	ms := pumpSession()
	later := memory.Memory{Source: memory.Journal, ID: "dec-e", Session: "frost", Turn: "t9", Title: "no engine runs longer than 45 s", Supersedes: []string{"dec-c"}, OccurredAt: now.Add(-time.Hour)}
	later.SetHome(here)
	res, err := open(t, append(ms, later)...).Recall(t.Context(), ask(t, "why does the irrigation controller flood bed seven, is it the moisture probe?"))
	newer, older := strings.Index(res.Context, "45 s"), strings.Index(res.Context, "millibar (asked")
	if err != nil || newer < 0 || older < newer {
		t.Errorf("%v: the amending session at %d, the amended one at %d\n%s", err, newer, older, res.Context)
	}
}

// Prompts about past work get the newest session whatever their words, narrowed by what they
// name, and nothing where there is no past.
func TestPastWork(t *testing.T) {
	r := open(t, pumpSession()...)
	tests := []struct {
		name, prompt, last string
		elsewhere          bool
		want, without      string
	}{
		{"what is next", "where were we?", "", false, "Next: frost mode", "\n  - Done"},
		{"to go on, first", "continue", "", false, "Open: calibrate bed nine", "Eggs"},
		{"to go on, later", "continue", "rename the flag", false, "", "frost"},
		{"narrowed", "what did we decide about the pump?", "", false, "never runs longer than 90 s", "Eggs"},
		{"an unknown matter", "what did we decide about kubernetes?", "", false, "", "memory-data"},
		{"an unknown matter, among other words", "remind me how we set up kubernetes", "", false, "", "memory-data"},
		{"another project", "where were we?", "", true, "", "frost"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			req.LastPrompt, req.Session.Begun = tt.last, tt.last != ""
			if tt.elsewhere {
				req.Project = other
			}
			res, err := r.Recall(t.Context(), req)
			if err != nil || !strings.Contains(res.Context, tt.want) || strings.Contains(res.Context, tt.without) {
				t.Errorf("%v\n%s", err, res.Context)
			}
		})
	}
}

// What a prompt about past work gets stays within the budget of the moment, and is one line a
// session where the context is nearly full.
func TestPastWorkBudget(t *testing.T) {
	var ms []memory.Memory
	for n := range 4 { // sessions of one day
		for _, m := range pumpSession() {
			m.ID = m.ID + string(rune('0'+n))
			m.Session = m.Session + string(rune('0'+n))
			m.OccurredAt = m.OccurredAt.Add(time.Duration(n) * time.Hour)
			ms = append(ms, m)
		}
	}
	r := open(t, ms...)
	for tokens := 0; tokens <= 900; tokens += 30 {
		req := ask(t, "where were we?")
		req.Settings.Budget.Tokens = tokens
		res, err := r.Recall(t.Context(), req)
		if err != nil || res.Explanation.Tokens > tokens {
			t.Errorf("%d tokens, want %d at most, %v", res.Explanation.Tokens, tokens, err)
		}
	}
	req := ask(t, "where were we?")
	req.HeadingsOnly = true
	res, err := r.Recall(t.Context(), req)
	if err != nil || len(res.Entries) < 2 {
		t.Fatalf("%d entries, %v; want several", len(res.Entries), err)
	}
	for _, e := range res.Entries {
		if strings.Count(e, "\n  - ") > 1 {
			t.Errorf("more than a line:\n%s", e)
		}
	}
}
