package index

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestPairs(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", ""},
		{"one word", "socket", ""},
		{"each once, in the order of the text", "open socket open socket", "open socket, socket open"},
		{"stop words do not part", "the state of the art", "state art"},
		{"parts of an identifier", "parseHeader", "pars header"},
		{"an identifier among words", "call parseHeader twice", "call pars, pars header, header twice"},
		{"a path", "internal/api/client.go", "intern api, api client, client go"},
		{"unspaced script", "使用索引", "使用 用索, 用索 索引"},
		{"Cyrillic and accents", "новый café индекс", "новый cafe, cafe индекс"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range Pairs(Analyze(tt.text)) {
				if got = append(got, p.First+" "+p.Second); p.Weight != 1 {
					t.Errorf("pair %v has the weight %g, want 1", p, p.Weight)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("Pairs (-want +got):\n%s", diff)
			}
		})
	}
}

// Every pair of a prompt that stands in a memory is found there, whatever the
// script, and no other.
func TestSearchPairs(t *testing.T) {
	x := openTest(t, t.TempDir())
	texts := []string{
		"the connection pool is exhausted", "a pool for each connection",
		"func openSocket(path string)", "open the socket at its path",
		"使用索引查找", "索引使用查找",
		"пул соединений исчерпан", "соединений нет, пул пуст",
		"le café fermé", "fermé, le café",
	}
	put := []memory.Memory{note("note-x", "", "something else entirely")}
	for i, text := range texts {
		put = append(put, note(fmt.Sprint("note-", i), "", text))
	}
	update(t, x, put, nil, nil)
	tests := []struct {
		prompt string
		pair   []string // memories that have the prompt's words as neighbours, best first
		words  []string // memories that have them apart
	}{
		{"connection pool", []string{"note-0"}, []string{"note-1"}},
		{"pool connection", []string{"note-1"}, []string{"note-0"}},
		{"openSocket", []string{"note-2", "note-3"}, nil},
		{"使用索引", []string{"note-4"}, []string{"note-5"}},
		{"пул соединений", []string{"note-6"}, []string{"note-7"}},
		{"CAFE FERME", []string{"note-8"}, []string{"note-9"}},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			tokens := Analyze(tt.prompt)
			hits, err := x.Search(t.Context(), Query{Terms: allTerms(tokens), Pairs: Pairs(tokens)}, 9)
			if err != nil {
				t.Fatal(err)
			}
			var pair, words []string
			for _, h := range hits {
				if h.Pairs > 0 {
					pair = append(pair, h.ID)
				} else {
					words = append(words, h.ID)
				}
			}
			if diff := cmp.Diff([][]string{tt.pair, tt.words}, [][]string{pair, words}); diff != "" {
				t.Errorf("memories with the pair, without (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchPairScores(t *testing.T) {
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{
		note("note-a", "", "apple plum apple plum"), note("note-b", "", "apple cherry"), note("note-c", "", "plum apple"),
	}, nil, nil)
	rarer := math.Log(1 + 101.5/2.5) // 2 of 3 memories have plum, and none of 100 others
	terms := []Term{{"appl", 1}, {"plum", 1}, {"cherri", 0}}
	tests := []struct {
		name  string
		pairs []Pair
		want  float64
	}{
		{"twice in the text, counted once", []Pair{{"appl", "plum", 1}}, rarer},
		{"weight", []Pair{{"appl", "plum", 0.5}}, rarer / 2},
		{"both ways", []Pair{{"appl", "plum", 1}, {"plum", "appl", 1}}, 2 * rarer},
		{"not there", []Pair{{"plum", "plum", 1}}, 0},
		{"no weight", []Pair{{"appl", "plum", 0}, {"appl", "plum", -1}}, 0},
		{"a term that is not looked for", []Pair{{"appl", "cherri", 1}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, err := x.Search(t.Context(), Query{Terms: terms, Pairs: tt.pairs, Also: []string{"note-a"}}, 0)
			if err != nil || len(hits) != 1 {
				t.Fatalf("Search: %d hits, error %v; want 1 hit", len(hits), err)
			}
			if math.Abs(hits[0].Pairs-tt.want) > 1e-12 {
				t.Errorf("Pairs = %g, want %g", hits[0].Pairs, tt.want)
			}
		})
	}
}
