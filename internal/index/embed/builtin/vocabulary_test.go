package builtin

import (
	"fmt"
	"testing"
)

func TestVocabulary(t *testing.T) {
	var words []string
	for i := range 5000 {
		words = append(words, fmt.Sprintf("word%dя", i))
	}
	v := NewVocabulary(words)
	if v.Len() != len(words) {
		t.Fatalf("Len() = %d, want %d", v.Len(), len(words))
	}
	for i, w := range words {
		if got := v.Find([]byte(w)); got != i {
			t.Fatalf("Find(%q) = %d, want %d", w, got, i)
		}
		if got := string(v.Word(i)); got != w {
			t.Fatalf("Word(%d) = %q, want %q", i, got, w)
		}
	}
	for _, w := range []string{"", "word", "word5000я"} {
		if got := v.Find([]byte(w)); got != -1 {
			t.Errorf("Find(%q) = %d, want -1", w, got)
		}
	}
	var none *Vocabulary
	if got := none.Find([]byte("word")); got != -1 || none.Len() != 0 {
		t.Errorf("nil: Find = %d, Len = %d, want -1, 0", got, none.Len())
	}
}
