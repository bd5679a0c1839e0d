package recall

import (
	"cmp"

	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
	"recollect/internal/store"
	"recollect/rankers"
)

// A candidate is a memory on its way through the stages of recall. Each stage sets what is its own.
type candidate struct {
	id string

	// By findCandidates, and for the turns near the best ones by scoreCandidates:
	made        store.Where // where and when its memory was made
	lexicalRank int         // from 1, among the hits of the words; 0 where it is none
	vectorRank  int         // likewise, among the hits of the vectors
	relevance.Evidence

	// By scoreCandidates:
	considered bool // it was relevant enough by itself to be looked at further
	relevance  float64

	// When its memory is read:
	memory     *memory.Memory
	superseded string // id of the memory that replaces it
	withheld   string // why it is held back, whatever it is about

	// By chooseCandidates:
	activity string  // of the prompt, for which it is injected
	required float64 // the relevance that it needs
	rank     int     // by score, from 1, whatever a gate says
	score    rankers.Score
	tokens   int
	same     string // another that says what it says
	outcome  string // how it is injected, or why it is held back; empty while undecided
}

// sessionOrSelf returns the session that a memory belongs to, or itself where it has none.
func (c *candidate) sessionOrSelf() string { return cmp.Or(c.made.Session, c.id) }

// A candidatePool holds the candidates of a query, one for each memory.
type candidatePool struct {
	byID    map[string]*candidate
	clauses int         // of the query
	free    []candidate // made, but not in use
}

// candidatesAtOnce is how many candidates are made at a time, which takes less time than one by one.
const candidatesAtOnce = 32

// addCandidate makes a candidate of a memory that has none.
func (p *candidatePool) addCandidate(id string) *candidate {
	if len(p.free) == 0 {
		p.free = make([]candidate, candidatesAtOnce)
		met := make([]float64, candidatesAtOnce*p.clauses)
		for i := range p.free {
			p.free[i].Met = met[i*p.clauses:][:p.clauses]
		}
	}
	c := &p.free[0]
	p.free = p.free[1:]
	c.id = id
	p.byID[id] = c
	return c
}

// candidateOf returns the candidate of a memory, which it makes if there is none.
func (p *candidatePool) candidateOf(id string) *candidate {
	if c := p.byID[id]; c != nil {
		return c
	}
	return p.addCandidate(id)
}

// locate finds out when, where, for which project and by whom the memory of a candidate was made,
// and reports whether it is there: it may have been deleted since it was indexed. Most
// candidates are dropped for what this tells, and reading a memory takes longer than finding it.
func (r *Recall) locate(c *candidate) (ok bool) {
	c.made, ok = r.Store.Where(c.id)
	return ok
}

// readMemory reads the memory of a candidate, unless it has been read, and reports whether it is there:
// it may have been deleted, or become unreadable, since it was indexed.
func (r *Recall) readMemory(c *candidate) bool {
	if c.memory != nil {
		return true
	}
	m, err := r.Store.Get(c.id)
	if err != nil || !r.locate(c) {
		return false
	}
	c.memory = &m
	c.superseded = r.Store.SupersededBy(c.id)
	c.withheld = r.whyWithheld(&m)
	return true
}
