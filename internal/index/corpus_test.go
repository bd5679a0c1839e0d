package index

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// A corpus makes memories that look like a developer's: words of a Zipfian
// vocabulary, identifiers, files. Its skew is that of commit messages without
// their stop words: 8 words of a prompt have 28 postings for 100 memories.
// The same seed makes the same memories.
type corpus struct {
	rand  *rand.Rand
	words *rand.Zipf
}

var projects = []string{"shop", "shop", "ingest", "orders-api"}

func newCorpus(seed uint64) *corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	return &corpus{rand: r, words: rand.NewZipf(r, 1.1, 50, 30_000)}
}

func (c *corpus) memory(id int) memory.Memory {
	m := memory.Memory{
		ID: fmt.Sprintf("note-%06d", id), Source: memory.Inbox,
		Project: projects[id%len(projects)], ProjectPath: "/home/me/" + projects[id%len(projects)],
		Text:     c.text(20 + c.rand.IntN(40)),
		Keywords: []string{c.word(), c.word()},
		Files:    []string{"internal/" + c.word() + "/" + c.word() + ".go"},
	}
	if id%2 == 0 {
		m.Title = c.text(5)
	}
	if err := m.Normalize(); err != nil {
		panic(err)
	}
	return m
}

func (c *corpus) memories(first, n int) []memory.Memory {
	out := make([]memory.Memory, n)
	for i := range out {
		out[i] = c.memory(first + i)
	}
	return out
}

func (c *corpus) text(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = c.word()
	}
	return strings.Join(words, " ")
}

func (c *corpus) word() string {
	w := spell(c.words.Uint64())
	switch c.rand.IntN(20) {
	case 0:
		return w + "_" + spell(c.words.Uint64())
	case 1:
		return w + "Conn" + spell(c.words.Uint64())
	}
	return w
}

// spell gives every number a word of its own: syllables in base 64, and never
// an ending that the stemmer takes off.
func spell(n uint64) string {
	const consonants, vowels = "bdfgklmnprtvzjkw", "aiou"
	w := ""
	for {
		w += string(consonants[n%16]) + string(vowels[n/16%4])
		if n /= 64; n == 0 {
			return w + "k"
		}
	}
}

// query makes n terms to look for, as a prompt has them.
func (c *corpus) query(n int) []Term {
	var terms []Term
	for len(terms) < n {
		for _, t := range Analyze(c.word()) {
			terms = append(terms, Term{t.Text, 0.5 + c.rand.Float64()})
		}
	}
	return terms[:n]
}

// question makes a search that has some words and pairs of a memory, other
// words, any filter, memories to score besides, and a project of its own.
func (c *corpus) question(about memory.Memory) Query {
	q := Query{Terms: c.query(c.rand.IntN(9))}
	tokens := Analyze(c.text(3) + " " + about.Text)
	for range c.rand.IntN(9) {
		q.Terms = append(q.Terms, Term{tokens[c.rand.IntN(len(tokens))].Text, c.rand.Float64() - 0.1})
	}
	for _, p := range Pairs(tokens) {
		p.Weight = c.rand.Float64() - 0.1
		q.Pairs = append(q.Pairs, p)
	}
	for range c.rand.IntN(5) {
		q.Also = append(q.Also, fmt.Sprintf("note-%06d", c.rand.IntN(300)))
	}
	projects := [][]string{nil, nil, {"shop"}, {"/home/me/ingest"}, {"nowhere"}, {"shop", "/home/me/shop"}, {"nowhere", "ingest"}}
	q.Filter.Projects = projects[c.rand.IntN(len(projects))]
	q.Own = []memory.Project{{}, {Name: "shop"}, {Name: "nowhere", Path: "/home/me/ingest"}, {Name: "blog", Path: "/home/me/blog"}}[c.rand.IntN(4)]
	return q
}

func openTest(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(dir, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func update(t testing.TB, x *Index, put []memory.Memory, deleted []string, watermark []byte) {
	t.Helper()
	if err := x.Update(put, deleted, watermark); err != nil {
		t.Fatal(err)
	}
}

func note(id, title, text string) memory.Memory {
	return memory.Memory{ID: id, Source: memory.Inbox, Title: title, Text: text}
}
