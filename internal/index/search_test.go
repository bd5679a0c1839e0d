package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/memory"
)

// reference scores memories by the book: every document, every term.
type reference map[string]memory.Memory

func (r reference) search(q Query, limit int) []Hit {
	words, pairs, average := r.analyse()
	var hits []Hit
	for id, m := range r {
		if len(q.Filter.Projects) > 0 && !of(q.Filter.Projects, m) {
			continue
		}
		_, title := searchable(&m)
		h := Hit{ID: id, Length: len(words[id])}
		for i, t := range q.Terms {
			tf := float64(times(words[id], t.Text))
			if tf == 0 || t.Weight <= 0 {
				continue
			}
			worth := t.Weight * r.idf(words, t.Text)
			h.Score += worth * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(h.Length)/average))
			h.Matched |= 1 << i
			if times(termsOf(Analyze(title)), t.Text) > 0 {
				h.Title += worth
			}
		}
		for _, p := range q.Pairs {
			bare := Pair{p.First, p.Second, 1}
			if p.Weight > 0 && q.has(p.First) && q.has(p.Second) && slices.Contains(pairs[id], bare) {
				h.Pairs += p.Weight * max(r.idf(words, p.First), r.idf(words, p.Second))
			}
		}
		hits = append(hits, h)
	}
	found := choose(slices.Clone(hits), q, limit)
	best := found[:min(limit, len(found))]
	if q.Own.Zero() || len(q.Filter.Projects) > 0 || limit == 0 || len(best) < limit || best[limit-1].Order() == 0 {
		return found
	}
	own := choose(slices.DeleteFunc(hits, func(h Hit) bool { return !of(heldIn(q.Own), r[h.ID]) }), Query{Terms: q.Terms, Pairs: q.Pairs}, limit-limit/2)
	best = slices.Concat(best, without(own, best))
	slices.SortFunc(best, byOrder)
	return append(best, without(found[limit:], best)...)
}

// of reports whether m is of one of the projects, given by name or path.
func of(projects []string, m memory.Memory) bool {
	return slices.ContainsFunc(projectTerms(&m), func(p string) bool { return slices.Contains(projects, p) })
}

func (q *Query) has(term string) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Text == term && t.Weight > 0 })
}

// choose takes from everything what a search returns: of those that are best
// without pairs the best with them, then the others that were asked for.
func choose(all []Hit, q Query, limit int) []Hit {
	depth := limit
	if slices.ContainsFunc(q.Pairs, func(p Pair) bool { return p.Weight > 0 && q.has(p.First) && q.has(p.Second) }) {
		depth = limit * 3 / 2
	}
	slices.SortFunc(all, func(a, b Hit) int { return cmp.Compare(b.base(), a.base()) })
	for depth > 0 && depth < len(all) && all[depth].base() == all[depth-1].base() {
		depth++ // ties
	}
	depth = min(depth, len(all))
	best, rest := slices.Clone(all[:depth]), all[depth:]
	slices.SortFunc(best, byOrder)
	also := append(slices.Clone(rest), best[min(limit, depth):]...)
	best = slices.DeleteFunc(best[:min(limit, depth)], func(h Hit) bool {
		nothing := h.Order() == 0
		if nothing {
			also = append(also, h)
		}
		return nothing
	})
	also = slices.DeleteFunc(also, func(h Hit) bool { return !slices.Contains(q.Also, h.ID) })
	slices.SortFunc(also, byOrder)
	return append(best, also...)
}

func byOrder(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Order(), a.Order()), cmp.Compare(a.ID, b.ID))
}

// base is the order without pairs.
func (h *Hit) base() float64 {
	bare := Hit{Score: h.Score, Title: h.Title}
	return bare.Order()
}

// analyse returns the terms and the pairs of every memory, and the average
// number of terms.
func (r reference) analyse() (words map[string][]string, pairs map[string][]Pair, average float64) {
	words, pairs = map[string][]string{}, map[string][]Pair{}
	for id, m := range r {
		text, _ := searchable(&m)
		tokens := Analyze(text)
		words[id], pairs[id] = termsOf(tokens), Pairs(tokens)
		average += float64(len(tokens)) / float64(len(r))
	}
	return words, pairs, average
}

func (r reference) idf(terms map[string][]string, term string) float64 {
	df := 0
	for id := range r {
		if times(terms[id], term) > 0 {
			df++
		}
	}
	return math.Log(1 + (float64(len(r)+100-df)+0.5)/(float64(df)+0.5))
}

// times counts a term, of several terms the rarest.
func times(terms []string, term string) int {
	if first, rest, several := strings.Cut(term, " "); several {
		return min(times(terms, first), times(terms, rest))
	}
	n := 0
	for _, t := range terms {
		if t == term {
			n++
		}
	}
	return n
}

func diffHits(want, got any) string {
	return gocmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateEmpty())
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
		for _, limit := range []int{0, 1, 10, 1000} {
			q := c.question(put[c.rand.IntN(len(put))])
			if n := min(len(q.Terms), 1+c.rand.IntN(3)); n > 1 {
				var together []string
				for _, term := range q.Terms[:n] {
					together = append(together, term.Text)
				}
				q.Terms = append(q.Terms, Term{strings.Join(together, " "), 0.5})
			}
			got, err := x.Search(t.Context(), q, limit)
			if err != nil {
				t.Fatal(err)
			}
			want := ref.search(q, limit)
			if diff := diffHits(want, got); diff != "" {
				t.Fatalf("round %d: Search(%v, %d) (-want +got):\n%s", round, q, limit, diff)
			}
		}
	}
}

// TestSearchLeavesNothingOut compares the best few with the beginning of a
// search for all, which skips nothing.
func TestSearchLeavesNothingOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 4 s")
	}
	x, c := openTest(t, t.TempDir()), newCorpus(8)
	c.words = rand.NewZipf(c.rand, 1.2, 8, 300) // few words, many ties
	for _, n := range []int{9000, 1500, 300, 40} {
		put := c.memories(c.rand.IntN(3000), n)
		for i := range put[:n/2] {
			put[i].Text = c.text(1 + c.rand.IntN(4))
		}
		update(t, x, put, []string{put[0].ID, put[7].ID}, nil)
		for range 40 {
			q, limit := c.question(put[c.rand.IntN(n)]), 1+c.rand.IntN(200)
			q.Own = memory.Project{}
			all, err := x.Search(t.Context(), q, x.Len())
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Search(t.Context(), q, limit)
			if err != nil {
				t.Fatal(err)
			}
			want := choose(all, q, limit)
			if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("Search(%v, %d) (-want +got):\n%s", q, limit, diff)
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
		{"together", []Term{{"socket file", 1}, {"open nowhere", 1}, {"twin depl", 1}}, 9, []string{"note-a", "note-b"}},
		{"the marker is no term", allTerms(Analyze(marker)), 9, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, err := x.Search(t.Context(), Query{Terms: tt.terms}, tt.limit)
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

func TestSearchSources(t *testing.T) {
	x := openTest(t, t.TempDir())
	of := func(id string, src memory.Source, project string) memory.Memory {
		m := note(id, "", "apple")
		m.Source, m.Project = src, project
		return m
	}
	update(t, x, []memory.Memory{
		of("note-1", memory.Inbox, "shop"), of("fail-2", memory.Failures, "shop"), of("pat-3", memory.Patterns, "blog"),
	}, nil, nil)
	update(t, x, []memory.Memory{of("fail-4", memory.Failures, "blog"), of("fail-5", memory.Failures, "shop")}, []string{"fail-5"}, nil)
	tests := []struct {
		name   string
		filter Filter
		want   []string
	}{
		{"all", Filter{}, []string{"fail-2", "fail-4", "note-1", "pat-3"}},
		{"one source", Filter{Sources: []memory.Source{memory.Failures}}, []string{"fail-2", "fail-4"}},
		{"two sources", Filter{Sources: []memory.Source{memory.Failures, memory.Patterns}}, []string{"fail-2", "fail-4", "pat-3"}},
		{"one that none has", Filter{Sources: []memory.Source{memory.Goals}}, nil},
		{"with a project", Filter{Projects: []string{"blog"}, Sources: []memory.Source{memory.Failures, memory.Inbox}}, []string{"fail-4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, err := x.Search(t.Context(), Query{Terms: []Term{{"appl", 1}}, Filter: tt.filter}, 9)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range hits {
				got = append(got, h.ID)
			}
			slices.Sort(got)
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Search (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchFilterAndAlso(t *testing.T) {
	x := openTest(t, t.TempDir())
	in := func(m memory.Memory, name, path string) memory.Memory {
		m.Project, m.ProjectPath = name, path
		return m
	}
	update(t, x, []memory.Memory{
		in(note("note-a", "", "apple apple"), "shop", "/src/shop"),
		in(note("note-b", "", "apple"), "Shop", "/src/Shop"),
		in(note("note-c", "", "plum"), "shop", "/other/shop"),
		note("note-d", "", "apple plum"),
	}, nil, nil)
	update(t, x, nil, []string{"note-d"}, nil)
	update(t, x, []memory.Memory{note("note-e", "", "plum")}, nil, nil)
	tests := []struct {
		name    string
		project string
		also    []string
		limit   int
		want    []string
	}{
		{"everything", "", nil, 9, []string{"note-a", "note-b"}},
		{"name", "shop", nil, 9, []string{"note-a"}},
		{"path", "/src/Shop", nil, 9, []string{"note-b"}},
		{"no such project", "sho", nil, 9, nil},
		{"besides", "", []string{"note-c", "note-e"}, 9, []string{"note-a", "note-b", "note-c", "note-e"}},
		{"besides, among the best already", "", []string{"note-b"}, 9, []string{"note-a", "note-b"}},
		{"besides, not among the best", "", []string{"note-b"}, 1, []string{"note-a", "note-b"}},
		{"only these", "", []string{"note-c", "note-b"}, 0, []string{"note-b", "note-c"}},
		{"besides, held back by the filter", "shop", []string{"note-b", "note-c"}, 9, []string{"note-a", "note-c"}},
		{"besides, deleted or unknown", "", []string{"note-d", "note-z", ""}, 1, []string{"note-a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := Query{Terms: []Term{{"appl", 1}}, Also: tt.also}
			if tt.project != "" {
				q.Filter.Projects = []string{tt.project}
			}
			hits, err := x.Search(t.Context(), q, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range hits {
				got = append(got, h.ID)
			}
			if diff := diffHits(tt.want, got); diff != "" {
				t.Errorf("Search (-want +got):\n%s", diff)
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
	hits, err := x.Search(t.Context(), Query{Terms: terms}, 5)
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
	hits, err := x.Search(t.Context(), Query{Terms: []Term{{"word", 1}}}, 4)
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
	same := make([]memory.Memory, 3*windowSize)
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
			if _, err := x.Search(tt.ctx, Query{Terms: []Term{{"word", 1}}}, 5); !errors.Is(err, context.Canceled) {
				t.Errorf("Search: error %v, want %v", err, context.Canceled)
			}
			select {
			case err := <-x.Broken():
				t.Errorf("Search marked the index broken: %v", err)
			default:
			}
		})
	}
	if hits, err := x.Search(t.Context(), Query{Terms: []Term{{"word", 1}}}, 5); err != nil || len(hits) != 5 {
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

// Of a branch and a commit the names are found, but not the words branch and commit, which would be in each memory of an
// import.
func TestSearchableTags(t *testing.T) {
	m := note("note-a", "A title", "Some text")
	m.Tags = []string{"decision", memory.TagOnBranch + "feat/avatars", memory.TagAtCommit + "12ab34cd56ef"}
	if text, _ := searchable(&m); !strings.HasSuffix(text, "\ndecision\nfeat/avatars\n12ab34cd56ef") {
		t.Errorf("searchable = %q", text)
	}
}

// bleve's norm is a float32; the length must come back exact.
func TestTokensOfNorm(t *testing.T) {
	for n := 1; n < 1<<20; n += 1 + n/1000 {
		norm := float64(float32(1 / math.Sqrt(float64(n))))
		if got := tokensOfNorm(norm); got != n-1 {
			t.Fatalf("tokensOfNorm(norm of %d tokens) = %d, want %d", n, got, n-1)
		}
	}
}
