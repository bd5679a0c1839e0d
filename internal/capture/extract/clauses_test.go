package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// A wish may be one clause of a sentence, or need the one that it follows.
func TestWishOfClause(t *testing.T) {
	for _, tt := range []struct{ name, prompt, want string }{
		{"after a colon", "yes, staging only. in future: --dry-run first, wait for my ok. every time", "The user wants: in future: --dry-run first, wait for my ok"},
		{"always at the end", "yes. british spelling in the handbook, always", "The user wants: british spelling in the handbook, always"},
		{"after a semicolon", "push it; never squash, i squash", "The user wants: never squash, i squash"},
		{"before a semicolon", "Changelog-Einträge immer auf Englisch; der Rest darf deutsch bleiben", "The user wants: Changelog-Einträge immer auf Englisch"},
		{"and from now on", "fix the header and from now on run the linter before you commit", "The user wants: from now on run the linter before you commit"},
		{"comma, from now on", "merge it, from now on squash the commits before a merge", "The user wants: from now on squash the commits before a merge"},
		{"lead-in with a colon", "good. one important thing: please do not install packages without ask me before", "The user wants: do not install packages without ask me before"},
		{"whenever, without a comma", "do that! and whenever you plot something in here please use viridis, my boss is colour-blind", "The user wants: whenever you plot something in here please use viridis, my boss is colour-blind"},
		{"without a verb", "Super. Changelog-Einträge immer auf Englisch, die Kollegen in Lyon lesen mit", "The user wants: Changelog-Einträge immer auf Englisch, die Kollegen in Lyon lesen mit"},
		{"nobody does", "Gemergte Branches löscht man nicht von Hand, immer über das Skript", "The user wants: Gemergte Branches löscht man nicht von Hand, immer über das Skript"},
		{"every one", "Und jeder Deploy läuft erst auf Staging, nie direkt auf Produktion", "The user wants: jeder Deploy läuft erst auf Staging, nie direkt auf Produktion"},
		{"a pronoun keeps its sentence", "one thing about fixtures since we get more of them: never commit one with real names in it", "The user wants: one thing about fixtures since we get more of them: never commit one with real names in it"},
		{"use this always", "the key lies in certs/dev.pem, use this always for the build of the tablet", "The user wants: the key lies in certs/dev.pem, use this always for the build of the tablet"},
		{"French", "ok, déploie, et à partir de maintenant lance les tests avant de pousser", "The user wants: à partir de maintenant lance les tests avant de pousser"},
		{"Spanish", "despliega, y a partir de ahora firma los commits", "The user wants: a partir de ahora firma los commits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([]string{tt.want}, titlesOf(tt.prompt, preferences)); diff != "" {
				t.Errorf("preferences(%q) (-want +got):\n%s", tt.prompt, diff)
			}
		})
	}
}

func TestNoWishOfClause(t *testing.T) {
	for _, prompt := range []string{
		"percent first, always", "rounded to cents, always", "errors go to stderr, always", "the list stays sorted", "tombstones never in the output; the rest may stay",
		"when the cache is empty it never returns an error", "the docs are wrong, always were", "every order gets a number first, never a letter", "jede Bestellung bekommt erst eine Nummer",
		"the old test server is down, never worked anyway", "note: the build is red from now on", "die Tests sind immer rot; schau mal",
	} {
		if got := titlesOf(prompt, preferences); got != nil {
			t.Errorf("preferences(%q) = %q, want none", prompt, got)
		}
	}
}

// A wish that repeats another by a pronoun belongs to it.
func TestWishGoesOn(t *testing.T) {
	prompt := "one thing about fixtures: never commit one with real names in it. the names are confidential. mask them, always."
	want := []string{"The user wants: one thing about fixtures: never commit one with real names in it. mask them, always"}
	if diff := cmp.Diff(want, titlesOf(prompt, preferences)); diff != "" {
		t.Errorf("preferences(%q) (-want +got):\n%s", prompt, diff)
	}
}

// An answer in two words takes what was asked, and a wish about options what was run.
func TestWishTakesItsContext(t *testing.T) {
	asked := NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: "measure the coverage", Replies: []string{"It is 81 %. Should the coverage report go into the repository?"}}, app, nil)
	got := preferences(NewTurn(claudecode.Turn{Session: "s1", ID: "u2", Prompt: "no, too big. stays local"}, app, asked))
	want := "The user wants: stays local (asked: Should the coverage report go into the repository?)"
	if len(got) != 1 || got[0].Title != want {
		t.Errorf("preferences = %v, want %q", got, want)
	}
	run := NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: "new certificate on web1", Actions: []claudecode.Action{{Tool: "Bash", Command: "terraform apply -target web1"}}}, app, nil)
	got = preferences(NewTurn(claudecode.Turn{Session: "s1", ID: "u2", Prompt: "good. in future: -out plan.bin first, wait for my ok"}, app, run))
	if len(got) != 1 || !cmp.Equal(got[0].Tags, []string{"about:deploy"}) {
		t.Errorf("preferences = %+v, want one about deploys", got)
	}
}
