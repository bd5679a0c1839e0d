package fit

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"recollect/lab/bench"
)

// The repositories from which development collections are made.
const (
	restic = "restic/restic"
	nats   = "nats-io/nats-server"
	tokio  = "tokio-rs/tokio"
	pip    = "pypa/pip"
)

// seed initialises the random choices; each collection has its own.
const seed = 7

// A recipe says how to make a development collection. Its documents and the queries that they answer come
// from some repositories, and queries without an answer from others.
type recipe struct {
	name      string
	from      []string
	against   string
	docs      int // at most
	queries   int // at most
	negatives int // at most
	make      func(m *maker, c *corpus)
}

// recipes lists the development collections: small and large, with short and long prompts, with single
// memories and sessions.
func recipes() []recipe {
	return []recipe{
		{"subjects150", []string{restic}, pip, 150, 150, 150, subjects},
		{"subjects800", []string{nats}, tokio, 800, 250, 150, subjects},
		{"subjects2500", []string{restic, nats, pip}, tokio, 2500, 300, 150, subjects},
		{"cloze", []string{nats, pip, tokio}, restic, 2000, 250, 150, cloze},
		{"long", []string{nats, tokio, pip}, restic, 2000, 250, 150, long},
		{"sections", []string{pip, tokio}, restic, 1000, 250, 150, sections},
	}
}

// recipeRepos returns all repositories that recipes use.
func recipeRepos() []string { return []string{restic, nats, tokio, pip} }

// collection makes the collection of the recipe with this number. The same corpus gives the same
// collection.
func (r recipe) collection(c *corpus, number int) (*bench.Collection, error) {
	m := &maker{recipe: r, random: rand.New(rand.NewPCG(seed, uint64(number))), out: bench.Collection{Name: r.name}}
	r.make(m, c)
	if len(m.out.Queries) == 0 || len(m.out.Negatives) == 0 {
		return nil, fmt.Errorf("collection %s: the corpus has too little of %v and %s", r.name, r.from, r.against)
	}
	return &m.out, nil
}

// A maker fills a collection.
type maker struct {
	recipe
	random *rand.Rand
	out    bench.Collection
}

// draw shuffles records and returns at most n.
func (m *maker) draw(records []record, n int) []record {
	m.random.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	return records[:min(n, len(records))]
}

func (m *maker) doc(text string) (id string) {
	id = "d" + strconv.Itoa(len(m.out.Docs))
	m.out.Docs = append(m.out.Docs, bench.Doc{ID: id, Text: text})
	return id
}

// turn adds a document that is a turn of a session, numbered from 0. Sessions are a day apart.
func (m *maker) turn(session, place int, text string) (id string) {
	id = m.doc(text)
	d := &m.out.Docs[len(m.out.Docs)-1]
	d.Session, d.Seq = "s"+strconv.Itoa(session), &place
	d.Time.Time = time.Date(2024, 1, 1+session, 10, 0, 0, 0, time.UTC)
	return id
}

// query adds a query, unless there are enough already.
func (m *maker) query(text string, relevant ...string) {
	if len(m.out.Queries) == m.queries {
		return
	}
	q := bench.Query{ID: "q" + strconv.Itoa(len(m.out.Queries)), Text: text, Relevant: map[string]bool{}}
	for _, id := range relevant {
		q.Relevant[id] = true
	}
	m.out.Queries = append(m.out.Queries, q)
}

func (m *maker) negative(text string) {
	m.out.Negatives = append(m.out.Negatives, bench.Query{ID: "n" + strconv.Itoa(len(m.out.Negatives)), Text: text})
}
