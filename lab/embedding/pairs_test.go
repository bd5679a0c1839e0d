package embedding

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// decode is the text of tokens that are all known.
func decode(lib *library, tokens []uint32) string {
	var out []string
	for _, t := range tokens {
		out = append(out, string(lib.vocab.Word(int(t))))
	}
	return strings.Join(out, " ")
}

// stories is a library whose words are all known and all different.
func stories(t *testing.T) *library {
	t.Helper()
	records := []record{
		{Kind: "commit", Repo: "kept/one", Subject: "alpha beta", Body: []string{"gamma delta. Epsilon zeta", "eta theta"}},
		{Kind: "doc", Repo: "kept/two", Headings: []string{"iota", "kappa", "lambda"}, Body: []string{"mu nu"}},
		{Kind: "wd", Subject: "xi", Other: "omicron pi"},
		{Kind: "commit", Repo: "held/out", Subject: "rho sigma", Body: []string{"tau upsilon. Phi chi", "psi omega"}},
		{Kind: writtenConcept, Repo: "written", Body: []string{"aleph", "beth"}},
		{Kind: writtenAssociations, Repo: "written", Body: []string{"lamed mem", "nun", "samekh"}},
		{Kind: writtenSituation, Repo: "written", Body: []string{"ayin pe", "tsadi"}},
		{Kind: writtenMemory, Repo: "written", Body: []string{"gimel", "daleth", "waw", "zayin", "heth"}},
	}
	c := newCounter()
	for i := range records {
		c.record(&records[i])
	}
	words, _ := c.top(100)
	lib := newLibrary(words, 64)
	for i := range records {
		lib.add(&records[i])
	}
	return lib
}

func TestSamplerPairs(t *testing.T) {
	lib := stories(t)
	s := newSampler(lib, []string{"held/out"}, rand.New(rand.NewPCG(1, 1)))
	s.wrappers = [][]uint32{nil}
	seen := map[string]bool{}
	for _, g := range s.groups {
		for range 200 {
			var p pair
			s.fill(&p, g.kind, g.units)
			seen[decode(lib, p.query)+" > "+decode(lib, p.body)] = true
		}
	}
	wanted := []string{
		"alpha beta > gamma delta epsilon zeta eta theta", // a subject, the whole body
		"alpha beta > gamma delta epsilon zeta",           // a part of it
		"alpha beta > eta theta",
		"kappa lambda > mu nu",                    // the last two headings
		"gamma delta epsilon zeta > eta theta",    // neighbours
		"gamma delta > epsilon zeta",              // sentences
		"epsilon zeta > gamma delta",              //
		"gamma delta > gamma delta epsilon zeta",  // which at times stay
		"epsilon zeta > gamma delta epsilon zeta", //
		"xi > omicron pi", "omicron pi > xi",      // a dictionary, both ways
		"aleph > beth", "beth > aleph", // names of one thing
		"lamed mem > nun samekh", "lamed mem > samekh nun", // a word and what is said where it is meant
		"ayin pe > tsadi", "tsadi > ayin pe", // ways to say one thing
		"daleth > gimel", "waw > gimel", "zayin > gimel", // prompts and what answers them
		"heth > heth", // a prompt that nothing answers
	}
	for _, w := range wanted {
		if !seen[w] {
			t.Errorf("pair %q was never drawn", w)
		}
	}
	for got := range seen {
		if !slices.Contains(wanted, got) {
			t.Errorf("pair %q was drawn", got)
		}
	}
}

// Whatever way batches are drawn, a held repository is in none of them.
func TestHeldIsNeverDrawn(t *testing.T) {
	lib := stories(t)
	held := map[string]bool{}
	for _, word := range []string{"rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"} {
		held[word] = true
	}
	drawn := func(repos ...string) (found bool) {
		s := newSampler(lib, repos, rand.New(rand.NewPCG(1, 1)))
		s.wrappers = [][]uint32{nil}
		pairs := make([]pair, 16)
		for range 300 {
			s.batch(pairs)
			for _, p := range pairs {
				for _, token := range append(slices.Clone(p.query), p.body...) {
					found = found || held[string(lib.vocab.Word(int(token)))]
				}
				found = found || lib.entries[p.entry&^missed].repo == "held/out"
			}
		}
		return found
	}
	if drawn("other/one", "held/out") {
		t.Error("a held repository was drawn")
	}
	if !drawn("other/one") {
		t.Error("a repository that is not held was never drawn")
	}
}

// Both ways to draw, by kind and by group, keep to kindShare.
func TestKindShares(t *testing.T) {
	lib, _ := village(t)
	s := newSampler(lib, nil, rand.New(rand.NewPCG(1, 1)))
	sum := 0.0
	for _, share := range kindShare {
		sum += share
	}
	const draws = 20000
	for way, draw := range map[string]func() pairKind{
		"kind":  s.kind,
		"group": func() pairKind { return s.group().kind },
	} {
		var count [kinds]float64
		for range draws {
			count[draw()]++
		}
		for kind, want := range kindShare {
			if got := count[kind] / draws; math.Abs(got-want/sum) > 0.015 {
				t.Errorf("%s: %.3f of the pairs are of kind %d, want %.3f", way, got, kind, want/sum)
			}
		}
	}
}

// A corpus need not have pairs of every kind.
func TestMissingKinds(t *testing.T) {
	lib := newLibrary(nil, 64)
	lib.add(&record{Kind: "ws", Subject: "fast", Other: "quick"})
	s := newSampler(lib, nil, rand.New(rand.NewPCG(1, 1)))
	pairs := make([]pair, 4)
	for range 50 {
		s.batch(pairs)
		for _, p := range pairs {
			if len(p.query) != 1 || len(p.body) != 1 {
				t.Fatalf("pair %v, want one word on each side", p)
			}
		}
	}
}

func TestPairsAreBounded(t *testing.T) {
	long := strings.Repeat("word ", 2*maxBody)
	lib := newLibrary(nil, 64)
	lib.add(&record{Kind: "commit", Repo: "a/a", Subject: long, Body: []string{long + ". " + strings.ToUpper(long), long}})
	s := newSampler(lib, nil, rand.New(rand.NewPCG(1, 1)))
	pairs := make([]pair, 16)
	for range 50 {
		s.batch(pairs)
		for _, p := range pairs {
			if len(p.query) != maxQuery || len(p.body) != maxBody {
				t.Fatalf("%d and %d tokens, want %d and %d", len(p.query), len(p.body), maxQuery, maxBody)
			}
		}
	}
}

func TestWrapAddsWords(t *testing.T) {
	lib := stories(t)
	s := newSampler(lib, nil, rand.New(rand.NewPCG(1, 1)))
	wrapped := 0
	for range 1000 {
		p := pair{query: []uint32{1}}
		s.wrap(&p)
		if len(p.query) > 1 {
			wrapped++
		}
	}
	if wrapped < 200 || wrapped > 300 {
		t.Errorf("%d of 1000 queries got a wrapper, want about 250", wrapped)
	}
}

func TestBatchesOfOneGroup(t *testing.T) {
	lib, _ := village(t)
	s := newSampler(lib, nil, rand.New(rand.NewPCG(1, 1)))
	pairs := make([]pair, 64)
	single := 0
	for range 200 {
		s.batch(pairs)
		repos := map[string]bool{}
		for _, p := range pairs {
			repos[lib.entries[p.entry&^missed].repo] = true
		}
		if len(repos) == 1 {
			single++
		}
	}
	if single < 70 || single > 130 {
		t.Errorf("%d of 200 batches are of one repository, want about half", single)
	}
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"One thing", "One thing"},
		{"Use v1.2 of it. Then stop! Why? e.g. this", "Use v1.2 of it.| Then stop!| Why? e.g. this"},
		{"a\nb", "a\n|b"},
		{"Ends here. ", "Ends here.| "},
	} {
		if got := strings.Join(sentences(tt.text), "|"); got != tt.want {
			t.Errorf("sentences(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
