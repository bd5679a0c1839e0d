package dialogue

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStands(t *testing.T) {
	for _, tt := range []struct {
		block string
		want  bool
	}{
		{"The problem is that `Scan` keeps the row while the pool has only one connection.", true},
		{"The problem is that it keeps the row of `Scan` while the pool has only one connection.", false},
		{"The problem is that this cache of `Scan` is never cleared between two requests of the pool.", false},
		{"The problem is on line 40 of the pool, where the rows of `Scan` are counted without a lock.", false},
		{"The problem is that `Scan` and `Close` are called once for each of the rows in the pool.", false},
		{"The problem is that `Scan` is wrong.", false},
		{"`Scan` keeps its row, so the pool runs dry; `Close` would free it but nobody calls that.", false},
	} {
		thoughts := Thoughts([]string{tt.block}, "")
		if len(thoughts) != 1 || thoughts[0].Stands() != tt.want {
			t.Errorf("Thoughts(%q) = %v, want one that stands: %v", tt.block, thoughts, tt.want)
		}
	}
}

func TestExplanation(t *testing.T) {
	for text, want := range map[string]string{
		"The pool runs dry because rows are never closed":          "The pool runs dry because rows are never closed",
		"However, rows are never closed by the importer":           "Rows are never closed by the importer",
		"The issue is that rows are never closed by the importer":  "Rows are never closed by the importer",
		"the importer leaves rows open when Scan fails":            "the importer leaves rows open when Scan fails",
		"The issue was in the importer's pool.go":                  "",
		"The issue was in pool.go. Rows are never closed there":    "The issue was in pool.go. Rows are never closed there",
		"This meant that rows were never closed":                   "",
		"The importer reads rows and then writes them to the disk": "",
		"": "",
	} {
		if got := Explanation(text); got != want {
			t.Errorf("Explanation(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestRemedies(t *testing.T) {
	for _, tt := range []struct {
		text          string
		whole, remedy bool
	}{
		{"Rows are never closed. The fix is to close them.", true, true},
		{"Rows come from the pool. The fix is to close them.", false, true},
		{"The simplest way is to close the rows.", false, true},
		{"Rows are never closed.", true, false},
	} {
		if whole, remedy := (Thought{Text: tt.text}).Remedies(); whole != tt.whole || remedy != tt.remedy {
			t.Errorf("Remedies(%q) = %v, %v, want %v, %v", tt.text, whole, remedy, tt.whole, tt.remedy)
		}
	}
}

func TestTerms(t *testing.T) {
	got := Thought{Text: "HasRows leaves rows.Close() to the caller (see `if ok`), max_open is 5"}.Terms()
	if diff := cmp.Diff([]string{"hasrows", "rows", "close", "max_open"}, got); diff != "" {
		t.Errorf("Terms (-want +got):\n%s", diff)
	}
}

func TestWithoutLines(t *testing.T) {
	for text, want := range map[string]string{
		"At line 40, the lock is held":                                "The lock is held",
		"Line 40-52: `Scan` holds the lock":                           "`Scan` holds the lock",
		"The lock (line 40) is held at lines 50 and 60 by the reader": "The lock is held by the reader",
		"The lock is held in 3 lines":                                 "The lock is held in 3 lines",
	} {
		if got := (Thought{Text: text}).WithoutLines().Text; got != want {
			t.Errorf("WithoutLines(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWordsWithout(t *testing.T) {
	thought := Thought{Text: "The pool loses rows"}
	reply := WordsOf("The pool loses its rows when a reader fails.")
	if all, added := thought.Shares(reply), thought.Shares(reply.Without(WordsOf("rows of the pool"))); all != 1 || added >= all || added == 0 {
		t.Errorf("shares %v of the reply, %v of what it adds", all, added)
	}
}
