package secret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"recollect/lab/classifier"
)

// ordinaryTexts returns those of the written texts that speak of passwords and keys, or look as if
// they had one, in the files of a name.
func ordinaryTexts(t *testing.T, file string) []string {
	t.Helper()
	texts, err := classifier.Read(classifier.Written())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, text := range texts {
		if strings.HasPrefix(text.Kind, "written/"+file+" ") {
			out = append(out, text.Text)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no texts in %s", file)
	}
	return out
}

// No rule takes anything out of them, nor does the classifier in more than one of a hundred.
func TestOrdinary(t *testing.T) {
	inLine, around := []string{"%s", "\t%s", "     7→%s", "- %s", "> %s"}, []string{"%s", "see below:\n%s\n\nand above", "\n%s\n"}
	all, taken := 0, 0
	for file, frames := range map[string][]string{"ordinary-lines.txt": inLine, "ordinary-blocks.txt": around} {
		for _, text := range ordinaryTexts(t, file) {
			for _, frame := range frames {
				s := strings.Replace(frame, "%s", text, 1)
				if found := detector().findByRules(s); len(found) > 0 {
					t.Errorf("by rules, %q becomes %q, want no change", s, putMarkers(s, found))
				}
				all++
				if got := Redact(s); got != s {
					taken++
					t.Logf("Redact(%q) = %q", s, got)
				}
			}
		}
	}
	if taken*100 > all {
		t.Errorf("%d of %d ordinary texts were redacted, want one in a hundred at most", taken, all)
	}
}

// Hashes, ids, images and lock files are no secrets: of what machines write, one
// in a hundred at most is taken for one.
func TestOrdinaryMachines(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	all, taken := 0, 0
	for range 200 {
		for _, s := range classifier.Machines(random) {
			all++
			if got := Redact(s); got != s {
				taken++
				t.Logf("Redact(%.120q) = %.120q", s, got)
			}
		}
	}
	if taken*100 > all {
		t.Errorf("%d of %d ordinary texts were redacted, want one in a hundred at most", taken, all)
	}
}
