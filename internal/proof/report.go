package proof

import (
	"cmp"
	"slices"
	"time"
)

// A Range is a count by the strict rule and by the looser one, from 0.
type Range struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// add counts a match.
func (r *Range) add(m Match) {
	switch m {
	case Strict:
		r.Low++
		r.High++
	case Loose:
		r.High++
	}
}

// A Spent is what was spent until a session had an answer itself, where its transcript shows it.
type Spent struct {
	Low     float64 `json:"low_seconds"`
	High    float64 `json:"high_seconds"`
	LowTok  int     `json:"low_tokens"`
	HighTok int     `json:"high_tokens"`
}

// A Tally is what came of one kind.
type Tally struct {
	Again Range `json:"again"` // met again
	Known Range `json:"known"` // of these, what would have been said in time
	Spent Spent `json:"spent"` // on those that would have been known
}

// A Report is what a replay came to.
type Report struct {
	Version  int            `json:"version"` // of this form
	Sessions int            `json:"sessions"`
	Projects int            `json:"projects"`
	Begun    time.Time      `json:"begun"` // of the first session
	Ended    time.Time      `json:"ended"` // the beginning of the last one
	Prompts  int            `json:"prompts"`
	Calls    int            `json:"calls"`
	SaidAt   int            `json:"said_at"`  // prompts at which something would have been said
	CallsAt  int            `json:"calls_at"` // tool calls at which it would
	Tokens   int            `json:"tokens"`   // that would have been said in all
	Failures int            `json:"failures"` // commands that failed, each way once a session
	Kinds    map[Kind]Tally `json:"kinds"`
	Findings []Finding      `json:"findings"`

	Comparison *Comparison `json:"comparison,omitempty"` // of the sessions from which memories were withheld

	Unreadable int     `json:"unreadable"` // files that were left out
	Untimed    int     `json:"untimed"`    // of what would have been known, what the transcript does not show the end of
	Took       float64 `json:"took_seconds"`

	projects map[string]bool
}

// NewReport returns an empty report.
func NewReport() *Report {
	return &Report{Version: 1, Kinds: map[Kind]Tally{}, Findings: []Finding{}, projects: map[string]bool{}}
}

// add counts a session.
func (r *Report) add(s Replayed) {
	if s.Begun.IsZero() { // it could not be read
		r.Unreadable++
		return
	}
	r.Sessions++
	r.projects[s.Project] = true
	if r.Begun.IsZero() || s.Begun.Before(r.Begun) {
		r.Begun = s.Begun
	}
	if s.Begun.After(r.Ended) {
		r.Ended = s.Begun
	}
	r.Prompts += s.Prompts
	r.Calls += s.Calls
	r.SaidAt += s.SaidAt
	r.CallsAt += s.CallsAt
	r.Tokens += s.Tokens
	r.Failures += s.Failures
	for _, f := range s.Findings {
		r.count(f)
	}
	r.Findings = append(r.Findings, s.Findings...)
}

// count counts a finding. It is known by the strict rule only if it is met again by it.
func (r *Report) count(f Finding) {
	t := r.Kinds[f.Kind]
	t.Again.add(f.Match)
	if f.Known != NoMatch {
		known := f.surety()
		t.Known.add(known)
		t.Spent.High += f.Seconds
		t.Spent.HighTok += f.Tokens
		if known == Strict {
			t.Spent.Low += f.Seconds
			t.Spent.LowTok += f.Tokens
		}
		if f.Seconds == 0 {
			r.Untimed++
		}
	}
	r.Kinds[f.Kind] = t
}

// surety is how surely a finding would have been known: strictly if both is strict.
func (f Finding) surety() Match {
	switch {
	case f.Known == NoMatch:
		return NoMatch
	case f.Known == Strict && f.Match == Strict:
		return Strict
	}
	return Loose
}

func (r *Report) finish() {
	r.Projects = len(r.projects)
	for _, k := range Kinds {
		if _, found := r.Kinds[k]; !found {
			r.Kinds[k] = Tally{}
		}
	}
}

// Total adds up all kinds.
func (r *Report) Total() (t Tally) {
	for _, k := range r.Kinds {
		t.Again.Low += k.Again.Low
		t.Again.High += k.Again.High
		t.Known.Low += k.Known.Low
		t.Known.High += k.Known.High
		t.Spent.Low += k.Spent.Low
		t.Spent.High += k.Spent.High
		t.Spent.LowTok += k.Spent.LowTok
		t.Spent.HighTok += k.Spent.HighTok
	}
	return t
}

// An Example is what came up again, the last time that it would have been known.
type Example struct {
	Finding
	Times int // that it came up again and would have been known
}

// Examples returns the n best examples of what would have been known: of each kind what was known most often, the kinds
// in turn.
func (r *Report) Examples(n int) []Example {
	byKind := map[Kind][]Example{}
	for _, f := range r.Findings {
		if f.Known == NoMatch {
			continue
		}
		list := byKind[f.Kind]
		i := slices.IndexFunc(list, func(e Example) bool { return e.What == f.What })
		if i < 0 {
			list, i = append(list, Example{}), len(list)
		}
		if times := list[i].Times + 1; times == 1 || f.surety().better(list[i].surety()) == f.surety() {
			list[i] = Example{f, times}
		} else {
			list[i].Times = times
		}
		byKind[f.Kind] = list
	}
	for _, list := range byKind {
		slices.SortStableFunc(list, func(a, b Example) int { return cmp.Compare(b.Times, a.Times) })
	}
	var out []Example
	for round := 0; len(out) < n && round < n; round++ {
		for _, kind := range Kinds {
			if list := byKind[kind]; round < len(list) && len(out) < n {
				out = append(out, list[round])
			}
		}
	}
	return out
}

// Merge adds the counts of another report, of other sessions.
func (r *Report) Merge(o *Report) {
	r.Sessions, r.Projects, r.Prompts, r.Calls = r.Sessions+o.Sessions, r.Projects+o.Projects, r.Prompts+o.Prompts, r.Calls+o.Calls
	r.SaidAt, r.CallsAt, r.Tokens, r.Failures = r.SaidAt+o.SaidAt, r.CallsAt+o.CallsAt, r.Tokens+o.Tokens, r.Failures+o.Failures
	r.Unreadable, r.Took = r.Unreadable+o.Unreadable, r.Took+o.Took
	for _, f := range o.Findings {
		r.count(f)
	}
	r.Findings = append(r.Findings, o.Findings...)
}
