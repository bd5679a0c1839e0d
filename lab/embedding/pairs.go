package embedding

import "math/rand/v2"

// A pairKind is the origin of the two texts of a pair.
type pairKind int

const (
	subject     pairKind = iota // a commit's subject and its body
	heading                     // two headings and their section
	neighbour                   // a paragraph and the next
	cloze                       // a sentence and the rest of its paragraph
	dictionary                  // a word and its gloss
	concept                     // names of one thing
	association                 // a word and texts in which it is meant
	situation                   // ways to say one thing
	prompt                      // a written prompt and the memory that answers it
	everyday                    // a prompt that no memory answers, and itself
	kinds
)

// kindShare is the probability of drawing each kind. The model is meant for prompts like the written
// ones, but there are few of them; associations are most like them. More situations, 0.12 instead of
// 0.04, gain a point on held-out written prompts, and lose two on commits.
var kindShare = [kinds]float64{
	subject: 0.17, heading: 0.11, neighbour: 0.06, cloze: 0.14, dictionary: 0.07, concept: 0.06, association: 0.22, situation: 0.04, prompt: 0.11, everyday: 0.02,
}

const (
	maxQuery = 96  // tokens of a query
	maxBody  = 200 // tokens of the body
	// wrapShare is the share of subjects, headings and sentences that get additional words which are
	// typical of prompts but not of commits.
	wrapShare = 0.25
	// keepSentence is the probability that the sentence remains in its paragraph, so that equal words
	// still have an effect (Lee et al. 2019).
	keepSentence = 0.1
	// missShare is the share of written prompts that are replaced by one that the memory does not answer.
	missShare = 0.15
	// maxNames is the largest number of other names in a pair of a concept.
	maxNames = 4
	// A word is paired with leastAssociations to mostAssociations texts in which it is meant.
	leastAssociations = 2
	mostAssociations  = 6
	// partShare is the share of subjects and headings that are paired with a part of their body, not its
	// beginning.
	partShare = 0.4
)

// wrappers are phrases with which people introduce a question. The model should learn to ignore them.
var wrappers = []string{
	"how do I", "how do we", "how can I", "how did we", "how does this work:", "why does", "why is it that", "why did we",
	"what is", "what was", "what did we decide about", "what do you know about", "what happened with", "where is", "where do we",
	"where did we put", "when did we", "who", "which", "can you", "could you please", "please", "can we", "I want to", "I need to",
	"I want you to", "I think", "let's", "we should", "we need to", "help me", "help me understand", "do you remember",
	"remember when we", "remind me", "tell me about", "show me", "explain", "look at", "take a look at", "have a look at",
	"is there", "is it possible to", "does", "do we have", "did we ever", "should I", "what's the best way to", "there is a problem with",
	"I get an error:", "it does not work:", "ok, now", "now", "next,", "also", "again", "the user wants", "last time", "yesterday",
	"in this project", "in our code", "the thing with", "something about", "that thing where", "make sure that", "try to",
	"thanks", "hi,", "hey", "you", "your", "my", "our", "me", "we", "us", "I'm", "I've", "it's",
}

// A pair is two texts that belong together.
type pair struct {
	query, body []uint32
	entry       uint32 // pairs of one entry are not each other's negatives
}

// A sampler draws pairs.
type sampler struct {
	lib      *library
	all      [kinds][]uint32
	groups   []group
	weights  []float64 // running sum over groups
	wrappers [][]uint32
	owner    []uint32 // the entry of each paragraph
	rng      *rand.Rand
}

func newSampler(lib *library, held []string, rng *rand.Rand) *sampler {
	s := &sampler{lib: lib, groups: lib.groups(held), rng: rng}
	sum := 0.0
	for _, g := range s.groups {
		s.all[g.kind] = append(s.all[g.kind], g.units...)
	}
	for _, g := range s.groups {
		sum += kindShare[g.kind] * float64(len(g.units)) / float64(len(s.all[g.kind]))
		s.weights = append(s.weights, sum)
	}
	for _, w := range wrappers {
		s.wrappers = append(s.wrappers, lib.tokenise(nil, w))
	}
	s.owner = make([]uint32, len(lib.paras))
	for i, e := range lib.entries {
		for p := e.paras.from; p < e.paras.to; p++ {
			s.owner[p] = uint32(i)
		}
	}
	return s
}

// batch fills pairs. Half of the batches come from one repository and one kind, so that the wrong answers
// are similar to the right ones.
func (s *sampler) batch(pairs []pair) {
	if s.rng.IntN(2) == 0 {
		g := s.group()
		for i := range pairs {
			s.fill(&pairs[i], g.kind, g.units)
		}
		return
	}
	for i := range pairs {
		kind := s.kind()
		s.fill(&pairs[i], kind, s.all[kind])
	}
}

// group draws a group with a probability proportional to its number of pairs.
func (s *sampler) group() group {
	x := s.rng.Float64() * s.weights[len(s.weights)-1]
	for i, w := range s.weights {
		if x < w {
			return s.groups[i]
		}
	}
	return s.groups[len(s.groups)-1]
}

func (s *sampler) kind() pairKind {
	for {
		x := s.rng.Float64()
		for k, share := range kindShare {
			if x -= share; x < 0 && len(s.all[k]) > 0 {
				return pairKind(k)
			}
		}
	}
}

// fill draws a pair of a kind.
func (s *sampler) fill(p *pair, kind pairKind, units []uint32) {
	unit := units[s.rng.IntN(len(units))]
	p.query, p.body, p.entry = p.query[:0], p.body[:0], unit
	switch kind {
	case subject, heading:
		e := s.lib.entries[unit]
		p.query = append(p.query, s.lib.text(e.title)...)
		p.body = s.someBody(p.body, e.paras)
		s.wrap(p)
	case dictionary:
		e := s.lib.entries[unit]
		p.query = append(p.query, s.lib.text(e.title)...)
		p.body = s.someBody(p.body, e.paras)
		if s.rng.IntN(2) == 0 {
			p.query, p.body = p.body, p.query
		}
	case concept:
		s.concept(p, s.lib.entries[unit].paras, maxNames)
	case situation:
		s.concept(p, s.lib.entries[unit].paras, 1+s.rng.IntN(maxNames))
	case association:
		s.association(p, s.lib.entries[unit].paras)
	case prompt:
		s.prompt(p, s.lib.entries[unit].paras)
	case everyday:
		s.unanswered(p, s.lib.whole(s.lib.paras[s.lib.entries[unit].paras.from].tokenRange))
	case neighbour:
		p.entry = s.owner[unit]
		p.query = append(p.query, s.lib.whole(s.lib.paras[unit].tokenRange)...)
		p.body = append(p.body, s.lib.whole(s.lib.paras[unit+1].tokenRange)...)
	case cloze:
		p.entry = s.owner[unit]
		s.cloze(p, s.lib.paras[unit].tokenRange)
		s.wrap(p)
	}
	p.query, p.body = atMost(p.query, maxQuery), atMost(p.body, maxBody)
}

// concept pairs a name of a concept, or a way to say one thing, with at most so many of the others.
func (s *sampler) concept(p *pair, names tokenRange, others int) {
	for i, at := range s.rng.Perm(names.len())[:min(names.len(), 1+others)] {
		name := s.lib.whole(s.lib.paras[int(names.from)+at].tokenRange)
		if i == 0 {
			p.query = append(p.query, name...)
		} else {
			p.body = append(p.body, name...)
		}
	}
}

// association pairs a word with some of the texts in which it is meant.
func (s *sampler) association(p *pair, texts tokenRange) {
	text := func(at int) []uint32 { return s.lib.whole(s.lib.paras[int(texts.from)+at].tokenRange) }
	p.query = append(p.query, text(0)...)
	some := leastAssociations + s.rng.IntN(mostAssociations-leastAssociations+1)
	for i, at := range s.rng.Perm(texts.len() - 1) {
		if i < some {
			p.body = append(p.body, text(1+at)...)
		}
	}
}

// prompt pairs a written memory with one of its prompts, or draws the prompt that it does not answer.
func (s *sampler) prompt(p *pair, texts tokenRange) {
	text := func(at int) []uint32 { return s.lib.whole(s.lib.paras[int(texts.from)+at].tokenRange) }
	if s.rng.Float64() < missShare {
		s.unanswered(p, text(1+len(Grades)))
		return
	}
	p.query, p.body = append(p.query, text(1+s.rng.IntN(len(Grades)))...), append(p.body, text(0)...)
	s.wrap(p)
}

// unanswered pairs a prompt with itself, so that it must differ from every memory in the batch.
func (s *sampler) unanswered(p *pair, prompt []uint32) {
	p.query, p.body, p.entry = append(p.query, prompt...), append(p.body, prompt...), p.entry|missed
}

// missed marks the entry of a prompt that its memory does not answer, so that the loss compares the two.
const missed = 1 << 31

func atMost(tokens []uint32, n int) []uint32 { return tokens[:min(n, len(tokens))] }

// someBody appends the beginning of the paragraphs, or sometimes a single one.
func (s *sampler) someBody(dst []uint32, paras tokenRange) []uint32 {
	if paras.len() > 1 && s.rng.Float64() < partShare {
		paras.from += uint32(s.rng.IntN(paras.len()))
		paras.to = paras.from + 1
	}
	for p := paras.from; p < paras.to && len(dst) < maxBody; p++ {
		dst = append(dst, s.lib.whole(s.lib.paras[p].tokenRange)...)
	}
	return dst
}

// cloze pairs a sentence with the rest of its paragraph.
func (s *sampler) cloze(p *pair, sentences tokenRange) {
	chosen := sentences.from + uint32(s.rng.IntN(sentences.len()))
	keep := s.rng.Float64() < keepSentence
	p.query = append(p.query, s.lib.text(s.lib.spans[chosen])...)
	for i := sentences.from; i < sentences.to; i++ {
		if i != chosen || keep {
			p.body = append(p.body, s.lib.text(s.lib.spans[i])...)
		}
	}
}

// wrap puts a wrapper before a query.
func (s *sampler) wrap(p *pair) {
	if s.rng.Float64() >= wrapShare {
		return
	}
	w := s.wrappers[s.rng.IntN(len(s.wrappers))]
	p.query = append(p.query, w...) // a sum has no order
}
