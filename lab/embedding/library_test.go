package embedding

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/index/embed/builtin"
)

// name is the text of any tokens, also of those that are not known.
func name(lib *library, tokens []uint32) string {
	byNumber := map[uint32]string{}
	for word, i := range lib.unknown {
		byNumber[i] = word
	}
	var out []string
	for _, i := range tokens {
		if int(i) < lib.words() {
			out = append(out, string(lib.vocab.Word(int(i))))
		} else {
			out = append(out, "?"+byNumber[i])
		}
	}
	return strings.Join(out, " ")
}

func TestTokenise(t *testing.T) {
	lib := newLibrary([]string{"daemon", "javascript"}, 64)
	first := lib.tokenise(nil, "Daemon's JavaScript new storeHouse new")
	if got, want := name(lib, first), "daemon javascript ?new ?store ?house ?new"; got != want {
		t.Errorf("tokens %q, want %q", got, want)
	}
	again := lib.tokenise(nil, "house daemon other")
	if again[0] != first[4] || again[1] != first[0] {
		t.Errorf("the same words have tokens %d at first and %d later", first, again)
	}
}

// Each word's n-grams are found under its own number, whenever it came.
func TestGramsOfTokens(t *testing.T) {
	lib := newLibrary([]string{"daemon", "a"}, 64)
	words := []string{"daemon", "a", "zebra", "提交", "x"}
	for i, token := range lib.tokenise(nil, strings.Join(words, " ")) {
		if got, want := lib.gramsOf(token), builtin.Grams(nil, []byte(words[i]), 64); !slices.Equal(got, want) {
			t.Errorf("gramsOf(%s) = %d, want %d", words[i], got, want)
		}
	}
}

func TestLibraryAdd(t *testing.T) {
	for _, tt := range []struct {
		name  string
		give  record
		title string
		paras []string // sentences, separated by |
	}{
		{"commit", record{Kind: "commit", Subject: "fix it", Body: []string{"one. Two", "three"}}, "?fix ?it", []string{"?one|?two", "?three"}},
		{"last two headings", record{Kind: "doc", Headings: []string{"a", "b", "c"}, Body: []string{"d"}}, "?b ?c", []string{"?d"}},
		{"one heading", record{Kind: "doc", Headings: []string{"a"}, Body: []string{"d"}}, "?a", []string{"?d"}},
		{"dictionary", record{Kind: "ws", Subject: "fast", Other: "very quick"}, "?fast", []string{"?very ?quick"}},
		{"nothing to read", record{Kind: "commit", Subject: "--", Body: []string{"", "***", "\n\n", "x. !"}}, "", []string{"?x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lib := newLibrary(nil, 64)
			lib.add(&record{Subject: "something before", Body: []string{"of. Another"}})
			lib.add(&tt.give)
			e := lib.entries[1]
			if got := name(lib, lib.text(e.title)); got != tt.title {
				t.Errorf("title %q, want %q", got, tt.title)
			}
			var paras []string
			for _, p := range lib.paras[e.paras.from:e.paras.to] {
				var said []string
				for _, s := range lib.spans[p.from:p.to] {
					said = append(said, name(lib, lib.text(s)))
				}
				paras = append(paras, strings.Join(said, "|"))
				if got, want := name(lib, lib.whole(p.tokenRange)), strings.Join(said, " "); got != want {
					t.Errorf("whole paragraph %q, want %q", got, want)
				}
			}
			if diff := cmp.Diff(tt.paras, paras); diff != "" {
				t.Errorf("paragraphs (-want +got):\n%s", diff)
			}
		})
	}
}

// What has nothing to find, or nothing to find it with, gives no pairs.
func TestNoPairs(t *testing.T) {
	lib := newLibrary(nil, 64)
	for _, r := range []record{
		{Kind: "commit", Repo: "a/a", Subject: "subject alone"},
		{Kind: "commit", Repo: "a/a", Subject: "word", Body: []string{"one sentence"}},
		{Kind: "doc", Repo: "a/a", Body: []string{"no heading"}},
		{Kind: "ws", Subject: "word"},
		{Kind: "ws", Other: "gloss"},
	} {
		lib.add(&r)
	}
	if got := lib.groups(nil); len(got) != 0 {
		t.Errorf("groups %v, want none", got)
	}
}
