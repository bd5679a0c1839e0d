package activity

import (
	"testing"

	"recollect/internal/memory"
)

// pairs are wishes and prompts of made-up projects, written before the rules, and whether
// the prompt asks for what the wish is about.
var pairs = []struct {
	wish, prompt string
	want         bool
}{
	{"sign every commit with my work key", "looks good, check it in", true},
	{"sign every commit with my work key", "what changed in commit 8fa31c2?", false},
	{"never push to the mirror, the bot does that", "great. commit and push", true},
	{"never push to the mirror, the bot does that", "push the sidebar a bit to the left", false},
	{"commit messages in the imperative, no full stop", "save this to git before I break it again", true},
	{"commit messages in the imperative, no full stop", "the message box has no title", false},
	{"run the suite with -x, I only want the first failure", "now run all specs", true},
	{"run the suite with -x, I only want the first failure", "does the spec for carts cover refunds?", false},
	{"tests never talk to the real payment gateway", "write a test for the voucher expiry", true},
	{"tests never talk to the real payment gateway", "is there a test mode in the payment gateway?", false},
	{"always build with -Werror", "recompile everything from scratch", true},
	{"always build with -Werror", "build me a table of contents for the wiki", false},
	{"always build with -Werror", "why was the old build system dropped?", false},
	{"deploys only after 18:00, the shop is open before that", "ok ship it", true},
	{"deploys only after 18:00, the shop is open before that", "roll 2.4 out to the staging cluster", true},
	{"deploys only after 18:00, the shop is open before that", "who deployed on friday?", false},
	{"british spelling in the handbook", "add a section on refunds to the user guide", true},
	{"british spelling in the handbook", "fix the spelling of the colour constant", false},
	{"new packages only after I agreed", "install a library for qr codes", true},
	{"new packages only after I agreed", "move the parser into its own package", false},
	{"before a migration, take a dump of the database", "add a column for the vat id to customers", true},
	{"before a migration, take a dump of the database", "add a column to the printed invoice", false},
	{"format with four spaces, ruff does it", "please run the formatter over src", true},
	{"format with four spaces, ruff does it", "which date format do the exports use?", false},
	{"charts always in greyscale, they are printed", "plot the rainfall per month", true},
	{"charts always in greyscale, they are printed", "chart.js or d3, what is smaller?", false},
	{"branches are named after the ticket", "make a new branch for the login bug", true},
	{"branches are named after the ticket", "this branch of the if is never taken", false},
	{"pull requests go against develop", "open a PR for that", true},
	{"when you review, list the risky parts first", "review my last changes", true},
	{"when you review, list the risky parts first", "show the number of reviews next to the stars", false},
	{"tag releases with a leading v", "cut release 3.1", true},
	{"tag releases with a leading v", "when is the release of go 1.27?", false},
	{"Commit-Nachrichten immer auf Deutsch", "bitte alles einchecken", true},
	{"die Tests immer mit --fail-fast starten", "lass die Tests laufen", true},
	{"die Tests immer mit --fail-fast starten", "Testest du gern Rezepte?", false},
	{"nie freitags deployen", "schick das mal raus", true},
	{"toujours signer les commits", "fais un commit", true},
	{"nunca hagas push a main", "sube los cambios al repositorio", true},
	{"no emojis, ever", "commit that", false},
}

// TestPairs counts the pairs that come out as they should. A wrong yes speaks up unasked,
// which is worse than a wrong no.
func TestPairs(t *testing.T) {
	yes, found, wrong := 0, 0, 0
	for _, p := range pairs {
		m := memory.Memory{Source: memory.Preferences, Title: memory.TitleWants + p.wish}
		got := Shared(Of(&m), Asked(p.prompt)) != ""
		if p.want {
			yes++
		}
		switch {
		case got && p.want:
			found++
		case got:
			wrong++
			t.Logf("%q is brought by %q", p.wish, p.prompt)
		case p.want:
			t.Logf("%q is not brought by %q: about %v, asked %v", p.wish, p.prompt, Of(&m), Asked(p.prompt))
		}
	}
	t.Logf("precision %d of %d, recall %d of %d", found, found+wrong, found, yes)
	if wrong > 0 || found < yes*9/10 {
		t.Errorf("%d of %d pairs found, %d wrong", found, yes, wrong)
	}
}
