package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/memory"
)

// reference scores memories by the book: every document, every term.
type reference map[string]memory.Memory

func (r reference) search(terms []Term, limit int) []Hit {
	texts, titles, tokens := map[string][]Token{}, map[string][]Token{}, 0
	for id, m := range r {
		text, title := searchable(&m)
		texts[id], titles[id] = Analyze(text), Analyze(title)
		tokens += len(texts[id])
	}
	average := float64(tokens) / float64(len(r))
	hits := map[string]Hit{}
	for i, t := range terms {
		df := 0
		for id := range r {
			if count(texts[id], t.Text) > 0 {
				df++
			}
		}
		for id := range r {
			tf := float64(count(texts[id], t.Text))
			if tf == 0 || t.Weight <= 0 {
				continue
			}
			idf := math.Log(1 + (float64(len(r)-df)+0.5)/(float64(df)+0.5))
			score := idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(texts[id]))/average))
			if count(titles[id], t.Text) > 0 {
				score += titleBonus * idf
			}
			hits[id] = Hit{id, hits[id].Score + t.Weight*score, hits[id].Matched | 1<<i}
		}
	}
	all := slices.SortedFunc(maps.Values(hits), func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(limit, len(all))]
}

func count(tokens []Token, term string) int {
	n := 0
	for _, t := range tokens {
		if t.Text == term {
			n++
		}
	}
	return n
}

// TestSearchIsBM25 changes a random corpus batch by batch and compares every
// answer with the reference.
func TestSearchIsBM25(t *testing.T) {
	x, c, ref := openTest(t, t.TempDir()), newCorpus(7), reference{}
	for round := range 12 {
		put := c.memories(c.rand.IntN(200), 40)
		var deleted []string
		for range 10 {
			deleted = append(deleted, fmt.Sprintf("note-%06d", c.rand.IntN(300)))
		}
		update(t, x, put, deleted, nil)
		for _, m := range put {
			ref[m.ID] = m
		}
		for _, id := range deleted {
			delete(ref, id)
		}
		if x.Len() != len(ref) {
			t.Fatalf("round %d: Len() = %d, want %d", round, x.Len(), len(ref))
		}
		for _, limit := range []int{1, 10, 1000} {
			terms := c.query(1 + c.rand.IntN(9))
			got, err := x.Search(t.Context(), terms, limit)
			if err != nil {
				t.Fatal(err)
			}
			want := ref.search(terms, limit)
			if diff := gocmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Fatalf("round %d: Search(%v, %d) (-want +got):\n%s", round, terms, limit, diff)
			}
		}
	}
}

func TestSearch(t *testing.T) {
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{
		note("note-a", "socket", "the daemon opens a file"),
		note("note-b", "daemon", "the socket opens a file"),
		note("note-c", "Parsing", "see parseHTTPHeader in internal/api/client.go"),
		note("note-d", "", "of the"),
		note("note-e", "twin", "twin"),
		note("note-f", "twin", "twin"),
		note("note-h", "depl…", "deploy"),
		note("note-i", "", "depl"),
		{ID: "note-g", Source: memory.Inbox, Title: "Other", Project: "shop", Keywords: []string{"billing"},
			Files: []string{"cmd/main.go"}, Tags: []string{"urgent"}, Fields: map[string]string{"fix": "restart"}},
	}, nil, nil)
	tests := []struct {
		name  string
		terms []Term
		limit int
		want  []string
	}{
		{"none", nil, 9, nil},
		{"unknown", []Term{{"nowhere", 1}}, 9, nil},
		{"title before text", []Term{{"socket", 1}}, 9, []string{"note-a", "note-b"}},
		{"weights", []Term{{"socket", 1}, {"daemon", 2}}, 9, []string{"note-b", "note-a"}},
		{"part of an identifier", []Term{{"http", 1}}, 9, []string{"note-c"}},
		{"whole identifier", []Term{{"parsehttpheader", 1}}, 9, []string{"note-c"}},
		{"base name", []Term{{"client.go", 1}}, 9, []string{"note-c"}},
		{"equal scores by id", []Term{{"twin", 1}}, 9, []string{"note-e", "note-f"}},
		{"equal scores, one place", []Term{{"twin", 1}}, 1, []string{"note-e"}},
		{"no places", []Term{{"twin", 1}}, 0, nil},
		{"no weight", []Term{{"twin", 0}, {"http", -1}}, 9, nil},
		{"a word that the title cuts off", []Term{{"depl", 1}}, 9, []string{"note-i"}},
		{"its whole, in the next search", []Term{{"deploy", 1}}, 9, []string{"note-h"}},
		{"project", []Term{{"shop", 1}}, 9, []string{"note-g"}},
		{"keyword", []Term{{"bill", 1}}, 9, []string{"note-g"}},
		{"file", []Term{{"main.go", 1}}, 9, []string{"note-g"}},
		{"tag", []Term{{"urgent", 1}}, 9, []string{"note-g"}},
		{"named field", []Term{{"restart", 1}}, 9, []string{"note-g"}},
		{"the marker is no term", allTerms(Analyze(marker)), 9, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, err := x.Search(t.Context(), tt.terms, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range hits {
				got = append(got, h.ID)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Search(%v) (-want +got):\n%s", tt.terms, diff)
			}
		})
	}
}

// allTerms gives every token the weight 1.
func allTerms(tokens []Token) []Term {
	var terms []Term
	for _, t := range tokens {
		terms = append(terms, Term{t.Text, 1})
	}
	return terms
}

func TestSearchMatchedBits(t *testing.T) {
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{note("note-a", "", "apple cherry plum")}, nil, nil)
	terms := make([]Term, 70)
	for i := range terms {
		terms[i] = Term{fmt.Sprintf("no%d", i), 1}
	}
	terms[0].Text, terms[63].Text, terms[65].Text = "appl", "cherri", "plum"
	hits, err := x.Search(t.Context(), terms, 5)
	if err != nil || len(hits) != 1 {
		t.Fatalf("Search: %d hits, error %v; want 1 hit", len(hits), err)
	}
	if want := uint64(1<<63 | 1); hits[0].Matched != want {
		t.Errorf("Matched = %b, want %b", hits[0].Matched, want)
	}
}

// Ties at the last place are settled by id, whatever the order in which the
// index holds the documents.
func TestSearchTiesAtTheLimit(t *testing.T) {
	x := openTest(t, t.TempDir())
	for i := range 90 {
		update(t, x, []memory.Memory{note(fmt.Sprintf("note-%02d", i*37%90), "", "same words")}, nil, nil)
		if i%30 == 0 {
			update(t, x, []memory.Memory{note("note-best", "", "words words")}, nil, nil)
		}
	}
	hits, err := x.Search(t.Context(), []Term{{"word", 1}}, 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range hits {
		got = append(got, h.ID)
	}
	if diff := gocmp.Diff([]string{"note-best", "note-00", "note-01", "note-02"}, got); diff != "" {
		t.Errorf("Search (-want +got):\n%s", diff)
	}
}

func TestFrequencies(t *testing.T) {
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{
		note("note-a", "", "apple apple"), note("note-b", "", "apple plum"), note("note-c", "", "plum"),
	}, nil, nil)
	update(t, x, []memory.Memory{note("note-b", "", "apple")}, []string{"note-c"}, nil)
	df, docs, err := x.Frequencies([]string{"appl", "plum", "none"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]int{2, 0, 0}, df); diff != "" || docs != 2 {
		t.Errorf("Frequencies of %d documents, want 2 (-want +got):\n%s", docs, diff)
	}
}

// A search whose time is up says so and leaves the index in good repute.
func TestSearchContext(t *testing.T) {
	x := openTest(t, t.TempDir())
	same := make([]memory.Memory, 3*checkEvery)
	for i := range same {
		same[i] = note(fmt.Sprint("note-", i), "", "word")
	}
	update(t, x, same, nil, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
	}{
		{"before", ended},
		{"during", &endingContext{Context: t.Context(), ended: ended, left: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := x.Search(tt.ctx, []Term{{"word", 1}}, 5); !errors.Is(err, context.Canceled) {
				t.Errorf("Search: error %v, want %v", err, context.Canceled)
			}
			select {
			case err := <-x.Broken():
				t.Errorf("Search marked the index broken: %v", err)
			default:
			}
		})
	}
	if hits, err := x.Search(t.Context(), []Term{{"word", 1}}, 5); err != nil || len(hits) != 5 {
		t.Errorf("Search afterwards: %d hits, error %v; want 5 hits", len(hits), err)
	}
}

// An endingContext is cancelled when it has been asked a number of times.
type endingContext struct {
	context.Context
	ended context.Context
	left  int
}

func (c *endingContext) Err() error {
	if c.left--; c.left >= 0 {
		return nil
	}
	return c.ended.Err()
}

func TestSearchable(t *testing.T) {
	tests := []struct {
		name, title, text, want string
	}{
		{"a title of its own", "A title", "Some text", "Some text\n\nA title"},
		{"the text", "Some text", "Some text", "Some text\n"},
		{"the first line", "Some text", "Some text\nand more", "Some text\nand more\n"},
		{"the beginning of a long line", "Some te…", "Some text and more", "Some text and more\n"},
		{"a part of the first line", "Some te", "Some text", "Some text\n\nSome te"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := note("note-a", tt.title, tt.text)
			text, title := searchable(&m)
			if text != tt.want || title != tt.title {
				t.Errorf("searchable = %q, %q; want %q, %q", text, title, tt.want, tt.title)
			}
		})
	}
}

// bleve's norm is a float32; the length must come back exact.
func TestLength(t *testing.T) {
	for n := 1; n < 1<<20; n += 1 + n/1000 {
		norm := float64(float32(1 / math.Sqrt(float64(n))))
		if got := length(norm); got != n-1 {
			t.Fatalf("length(norm of %d tokens) = %d, want %d", n, got, n-1)
		}
	}
}
