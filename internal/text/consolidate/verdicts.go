package consolidate

import (
	"hash/maphash"
	"sync/atomic"

	"recollect/internal/memory"
)

// A set of Verdicts has waysOfSet places; all have room for 65,536 verdicts in half a megabyte: what
// three sessions of a hundred decisions say against three others.
const (
	setsOfVerdicts = 1 << 14
	waysOfSet      = 4
)

// Verdicts holds what comparing memories came to, for those compared last. Prompts find the same
// sessions again and again, and to parse two memories takes a thousand times as long as to look
// up what came of it. A verdict is found by all that the memories say, so that none outlives a
// change. What was parsed last is held too: the first prompts of a day find few verdicts, but the
// same memories. The zero value is empty. It is safe for concurrent use.
type Verdicts struct {
	sets   [setsOfVerdicts][waysOfSet]atomic.Uint64 // hashes alone
	parsed [maxParsed]atomic.Pointer[parsed]
}

// maxParsed is how many parsed memories are held, some five kilobytes each.
const maxParsed = 512

// A parsed memory is one that was parsed, and is not changed any more.
type parsed struct {
	of digest
	*node
}

// nodeOf parses a memory.
func (v *Verdicts) nodeOf(m *memory.Memory, of digest) *node {
	slot := &v.parsed[of%maxParsed]
	if held := slot.Load(); held != nil && held.of == of {
		return held.node
	}
	s := newNode(*m)
	slot.Store(&parsed{of, s})
	return s
}

// Forget drops what has words of memories: nothing of what was forgotten may stay.
func (v *Verdicts) Forget() {
	for i := range v.parsed {
		v.parsed[i].Store(nil)
	}
}

var verdictSeed = maphash.MakeSeed()

// The kinds of questions.
const (
	contradicts digest = iota
	someContradict
	speaksOfChange
)

// about returns what a question about one memory, or two, is found by: an even number other than 0,
// which is an empty place.
func about(kind, of, other digest) uint64 {
	return max(2, maphash.Comparable(verdictSeed, [...]digest{kind, of, other})&^1)
}

// of returns the answer to a question, which decide finds if it is not known. It is the last bit of
// what is stored.
func (v *Verdicts) of(question uint64, decide func() bool) bool {
	set := &v.sets[question>>1%setsOfVerdicts]
	free := question >> 32 % waysOfSet
	for way := range set {
		switch known := set[way].Load(); known {
		case 0:
			free = uint64(way)
		case question, question | 1:
			return known != question
		}
	}
	yes := decide()
	if yes {
		question |= 1
	}
	set[free].Store(question)
	return yes
}

// A digest stands for all that is compared of a memory.
type digest uint64

func digestOf(m *memory.Memory) digest {
	var h maphash.Hash
	h.SetSeed(verdictSeed)
	for _, s := range [...]string{
		m.ID, string(m.Source), m.Project, m.ProjectPath, m.ProjectRemote, m.Title, m.Text, m.AppliesTo, m.Session, m.Turn, m.Agent, m.Origin, m.Evidence,
	} {
		h.WriteString(s)
		h.WriteByte(0)
	}
	for _, tag := range m.Tags {
		h.WriteString(tag)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	for name, text := range m.Fields { // in any order
		sum ^= maphash.Comparable(verdictSeed, [2]string{name, text})
	}
	return digest(sum)
}

// Newer are memories of which one is asked whether some contradict older ones. Each is parsed
// once, if ever.
type Newer struct {
	verdicts *Verdicts
	memories []memory.Memory
	digests  []digest
	all      digest
	nodes    []*node
}

// Newer prepares to ask what some memories contradict.
func (v *Verdicts) Newer(ms []memory.Memory) *Newer {
	n := &Newer{verdicts: v, memories: ms, digests: make([]digest, len(ms)), nodes: make([]*node, len(ms))}
	for i := range ms {
		n.digests[i] = digestOf(&ms[i])
		n.all = digest(about(someContradict, n.all, n.digests[i]))
	}
	return n
}

// Contradict reports whether any of them says otherwise than a part of older, which it need not
// supersede: a recap stands as long as most of it does.
func (n *Newer) Contradict(older *memory.Memory) bool {
	of := digestOf(older)
	return n.verdicts.of(about(someContradict, n.all, of), func() bool { return n.compare(older, of) })
}

// compare is Contradict one by one: when a session decides one thing more, the rest is known.
func (n *Newer) compare(older *memory.Memory, of digest) bool {
	var o *node
	for i := range n.memories {
		if n.verdicts.of(about(contradicts, n.digests[i], of), func() bool {
			if o == nil {
				o = n.verdicts.nodeOf(older, of)
			}
			if n.nodes[i] == nil {
				n.nodes[i] = n.verdicts.nodeOf(&n.memories[i], n.digests[i])
			}
			return n.nodes[i].disagreesWith(o)
		}) {
			return true
		}
	}
	return false
}

// Replaced returns what a decision or a wish took the place of: of the memories
// that it supersedes, the one that was stated last and of which it says
// otherwise. What it only says again, or sums up, may still hold and does not
// count. read reads a memory by its id; one that cannot be read is left out.
func (v *Verdicts) Replaced(m memory.Memory, read func(id string) (memory.Memory, error)) (old memory.Memory, ok bool) {
	n := v.Newer([]memory.Memory{m})
	for _, id := range m.Supersedes {
		other, err := read(id)
		if err != nil || !n.Contradict(&other) {
			continue
		}
		if !ok || byTime(&node{Memory: old}, &node{Memory: other}) < 0 {
			old, ok = other, true
		}
	}
	return old, ok
}

// SpeakOfChange reports whether some memories of a session, what it decided and what it is about,
// say that something changes, or that something else stays as it was.
func (v *Verdicts) SpeakOfChange(ms []memory.Memory) bool {
	for i := range ms {
		m := &ms[i]
		if v.of(about(speaksOfChange, digestOf(m), 0), func() bool {
			s := statementOf(*m)
			isChange := s.changes || s.aboutSession.changes
			return isChange || s.stays || s.whole
		}) {
			return true
		}
	}
	return false
}
