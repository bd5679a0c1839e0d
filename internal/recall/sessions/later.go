package sessions

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/terms"
	"recollect/internal/store"
)

// Bounds of the search for a later session on the subject of another.
const (
	// sameSubject is the share of the worth of the words of either session that the other must have,
	// if their topics share a word. It was 0.27 or more for chats that changed a rule of another in
	// their own words; of chats about other rules whose topics share a word, the most was 0.2.
	sameSubject = 0.23

	laterHits     = 40 // decisions that are looked at
	laterSessions = 4  // of so many sessions
	laterWords    = 60 // words that are looked for, the rarest
)

// AddLater notes of each brief that was read, and of which no decision is superseded, which later
// session settled its subject anew. Such a session changes what was said, but often in words of
// which no single decision contradicts one of the earlier: "two weeks, the rest stays".
func (r *Reader) AddLater(ctx context.Context, briefs map[string]brief.Brief) error {
	for session, b := range briefs {
		if b.Amended != "" || b.Handoff == nil || len(b.Decisions) == 0 {
			continue
		}
		var err error
		if b.Amended, err = r.laterOn(ctx, session, &b); err != nil {
			return err
		}
		briefs[session] = b
	}
	return nil
}

// laterOn returns the last session that settled the subject of a brief anew, "" if there is none.
func (r *Reader) laterOn(ctx context.Context, session string, b *brief.Brief) (string, error) {
	own, err := r.rarities(r.subjectWords(b))
	if err != nil {
		return "", err
	}
	sessions, err := r.decidedAfter(ctx, session, &b.Decisions[len(b.Decisions)-1], rarestWords(own))
	if err != nil {
		return "", err
	}
	last, when := "", b.Decisions[0].OccurredAt
	for id, other := range r.Briefs(sessions) {
		same, err := r.settlesAnew(&other, b)
		if err != nil {
			return "", err
		}
		if same && other.Decisions[0].OccurredAt.After(when) {
			last, when = id, other.Decisions[0].OccurredAt
		}
	}
	return last, nil
}

// settlesAnew reports whether a session settled the subject of an older one anew.
func (r *Reader) settlesAnew(newer, older *brief.Brief) (bool, error) {
	switch {
	case len(newer.Decisions) == 0 || len(older.Decisions) == 0 || !newer.Decisions[0].OccurredAt.After(older.Decisions[0].OccurredAt),
		!r.topicsMeet(newer, older), !r.Verdicts.SpeakOfChange(statementsOfChange(newer)):
		return false, nil
	}
	a, err := r.rarities(r.subjectWords(newer))
	if err != nil {
		return false, err
	}
	b, err := r.rarities(r.subjectWords(older))
	return commonShare(a, b) >= sameSubject, err
}

// OnSameSubject reports whether one of two sessions settled the subject of the other anew.
func (r *Reader) OnSameSubject(x, y string) (bool, error) {
	briefs := r.Briefs([]string{x, y})
	a, b := briefs[x], briefs[y]
	if a.Amended == y || b.Amended == x {
		return true, nil
	}
	if same, err := r.settlesAnew(&a, &b); same || err != nil {
		return same, err
	}
	return r.settlesAnew(&b, &a)
}

// decidedAfter lists sessions that decided something in these words after the decision m of
// another, in its project, the best first.
func (r *Reader) decidedAfter(ctx context.Context, session string, m *memory.Memory, words []index.Term) ([]string, error) {
	hits, err := r.Index.Search(ctx, index.Query{Terms: words, Filter: index.Filter{Sources: []memory.Source{memory.Journal}}}, laterHits)
	if err != nil {
		return nil, fmt.Errorf("search for later decisions: %w", err)
	}
	var sessions []string
	for _, h := range hits {
		other, ok := r.Store.Where(h.ID)
		if known := other.Session == session || slices.Contains(sessions, other.Session); !ok || known || !mayDecideAnew(&other, m) {
			continue
		}
		if sessions = append(sessions, other.Session); len(sessions) == laterSessions {
			break
		}
	}
	return sessions, nil
}

// mayDecideAnew reports whether what was decided at other, in a session of the user's, may replace the decision m: it
// is later and in the same project.
func mayDecideAnew(other *store.Where, m *memory.Memory) bool {
	ofSession := other.Session != "" && other.Agent == ""
	sameProject := other.Project.Zero() || other.Project.Same(m.Home())
	return ofSession && sameProject && other.OccurredAt.After(m.OccurredAt)
}

// subjectWords returns the words of a session that say what it is about: its topic and what it decided.
func (r *Reader) subjectWords(b *brief.Brief) []string {
	said := []string{b.Handoff.Title}
	for i := range b.Decisions {
		said = append(said, brief.Decision(&b.Decisions[i]))
	}
	return r.Texts.termsOf(said...)
}

// topicsMeet reports whether the topics of two sessions share a word that not any prompt may have.
func (r *Reader) topicsMeet(a, b *brief.Brief) bool {
	if a.Handoff == nil || b.Handoff == nil {
		return false
	}
	other := r.Texts.Of(b.Handoff.Title)
	return slices.ContainsFunc(r.Texts.Of(a.Handoff.Title).terms, func(term string) bool {
		return other.Has(term) && !terms.IsCommon(term)
	})
}

// statementsOfChange lists the memories of a session that may say that it changes something: its decisions,
// and its topic.
func statementsOfChange(b *brief.Brief) []memory.Memory {
	return append(slices.Clone(b.Decisions), memory.Memory{Title: b.Handoff.Title})
}

// rarities returns how rare each of some terms is among the memories.
func (r *Reader) rarities(terms []string) (map[string]float64, error) {
	found, docs, err := r.Index.Frequencies(terms)
	if err != nil {
		return nil, fmt.Errorf("count words of a session: %w", err)
	}
	rare := make(map[string]float64, len(terms))
	for i, term := range terms {
		rare[term] = math.Log(1 + float64(docs)/float64(1+found[i]))
	}
	return rare, nil
}

// rarestWords returns the terms to look for.
func rarestWords(rare map[string]float64) []index.Term {
	terms := make([]index.Term, 0, len(rare))
	for term := range rare {
		terms = append(terms, index.Term{Text: term, Weight: 1})
	}
	slices.SortFunc(terms, func(a, b index.Term) int {
		return cmp.Or(cmp.Compare(rare[b.Text], rare[a.Text]), cmp.Compare(a.Text, b.Text))
	})
	return terms[:min(len(terms), laterWords)]
}

// commonShare returns the share of the worth of words that two sessions have in common, of that of
// the one that has less.
func commonShare(a, b map[string]float64) float64 {
	both, all, others := 0.0, 0.0, 0.0
	for word, worth := range a {
		all += worth
		if _, ok := b[word]; ok {
			both += worth
		}
	}
	for _, worth := range b {
		others += worth
	}
	return relevance.Ratio(both, min(all, others))
}
