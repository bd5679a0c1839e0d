// Package sessions reads what sessions came to: their briefs, what a decision replaced, and which later
// session settled the subject of another anew. Texts of theirs that were compared are held as their terms.
package sessions

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
	"recollect/internal/store"
	"recollect/internal/text/consolidate"
)

// A Reader reads what sessions came to.
type Reader struct {
	Store    *store.Store
	Index    *index.Index
	Wrong    func(id string) bool // whether the owner said that a memory is wrong
	Texts    *Texts
	Verdicts *consolidate.Verdicts
}

// Briefs returns the briefs of sessions. Those of which nothing is known are
// left out.
func (r *Reader) Briefs(sessions []string) map[string]brief.Brief {
	briefs := make(map[string]brief.Brief, len(sessions))
	for session, ids := range r.Store.Turns(sessions) {
		if b := r.briefOf(session, slices.Concat(ids...)); b.Handoff != nil || len(b.Decisions) > 0 {
			briefs[session] = b
		}
	}
	return briefs
}

// briefOf returns the brief of a session that has these memories.
func (r *Reader) briefOf(session string, ids []string) brief.Brief {
	ids = slices.DeleteFunc(ids, func(id string) bool {
		src, _ := memory.SourceOf(id)
		return src != memory.Journal && src != memory.Handoffs
	})
	ms := make([]memory.Memory, 0, len(ids))
	amended := ""
	for _, id := range ids {
		src, _ := memory.SourceOf(id)
		if src == memory.Journal && r.Store.SupersededBy(id) != "" {
			amended = cmp.Or(r.amendingSession(id, session), amended)
			continue
		}
		if m, err := r.Store.Get(id); err == nil && !r.Wrong(id) {
			ms = append(ms, m)
		}
	}
	b := brief.New(ms)
	b.Amended, b.Until = amended, r.replacedBy(b.Decisions)
	return b
}

// amendingSession returns the session that superseded the decision id of a session, or "" if that
// was none or the session itself.
func (r *Reader) amendingSession(id, session string) string {
	m, err := r.Store.Get(r.Store.SupersededBy(id))
	if err != nil || m.Session == session {
		return ""
	}
	return m.Session
}

// alone is how many words a decision has that does not say what it is about.
const alone = 3

// replacedBy returns what each of the decisions replaced, by its id, for those that say otherwise
// than an older one of another session, or too little without it: "3 boats".
func (r *Reader) replacedBy(decisions []memory.Memory) map[string]string {
	replaced := map[string]string{}
	for i := range decisions {
		m := &decisions[i]
		if len(m.Supersedes) == 0 {
			continue
		}
		if old, ok := r.Verdicts.Replaced(*m, r.Store.Get); ok && (old.Session != m.Session || len(strings.Fields(m.Title)) <= alone) {
			replaced[m.ID] = old.Title
		}
	}
	return replaced
}
