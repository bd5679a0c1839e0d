package extract

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// What a decision is called and says must be understood by somebody who was not there.
func TestDecisionsForStrangers(t *testing.T) {
	tests := []struct {
		reply, prompt string
		titles        []string // of the user's decisions; a part that each must have
		why, not      string   // of the first
		wishes        int
	}{
		// Announced, with a reason or what was rejected.
		{"", "we decided to keep the pool at 25 because postgres allows 100", []string{"keep the pool at 25"}, "postgres allows 100", "", 0},
		{"", "We agreed to ship the importer as a separate binary, since SQLite doubles the size of the main one.", []string{"ship the importer as a separate binary"}, "SQLite doubles the size", "", 0},
		{"", "decision: invoices are rounded per line, not per total", []string{"invoices are rounded per line"}, "", "per total", 0},
		{"", "we settled on Valkey instead of Redis for the job queue, the licence is the problem", []string{"Valkey instead of Redis"}, "", "Redis", 0},
		{"", "ok so after talking to Maria we're going with magic links rather than passwords. simpler for the clinics", []string{"magic links"}, "", "passwords", 0},
		{"", "We'll drop Internet Explorer support from 3.0 on, nobody pays for it.", []string{"drop Internet Explorer support from 3.0"}, "", "", 0},
		{"", "we chose 15 minutes for the session timeout because the auditors asked for it", []string{"15 minutes for the session timeout"}, "auditors asked", "", 0},
		{"", "we decided that refunds need two approvals", []string{"refunds need two approvals"}, "", "", 0},
		{"", "we decided against GraphQL because two endpoints don't need it", []string{"against GraphQL"}, "two endpoints", "", 0},
		{"", "We've decided not to store the raw audio.", []string{"not to store the raw audio"}, "", "", 0},

		// A letter, a number or a place takes the option's text.
		{"Which store should the queue use?\n\nA) Postgres with SKIP LOCKED\nB) a Redis list\nC) files on disk", "A", []string{"Postgres with SKIP LOCKED"}, "", "Redis list", 0},
		{"There are three ways to paginate:\n\n1. keyset cursors\n2. limit and offset\n3. load everything\n\nWhich one do you want?", "1", []string{"keyset cursors"}, "", "limit and offset", 0},
		{"How should we name the releases?\n1. by date\n2. semantic versions", "2, people pin us", []string{"semantic versions"}, "people pin us", "by date", 0},
		{"Option A: one bucket per tenant. Option B: one bucket with prefixes. Which do you prefer?", "option B because of the quota", []string{"one bucket with prefixes"}, "quota", "one bucket per tenant", 0},
		{"Which format should exports have?\n- CSV\n- Parquet", "the second one", []string{"Parquet"}, "", "CSV", 0},
		{"Which format should exports have?\n- CSV\n- Parquet", "the latter, CSV loses the types", []string{"Parquet"}, "CSV loses the types", "CSV", 0},
		{"Where should the session live?\n\n**a)** in a signed cookie\n**b)** in the database", "b)", []string{"in the database"}, "", "in a signed cookie", 0},
		{"Two ways:\n1. a queue on disk\n2. retries in memory\n\nWhich one?", "go with option 2 because it is simple", []string{"use retries in memory"}, "it is simple", "a queue on disk", 0},
		{"1. Revise the plan?\n2. Start with the parser?\n\nWhich one?", "let's do option 1", []string{"Revise the plan"}, "", "Start with the parser", 0},
		{"It fails for two reasons:\n1. no file\n2. no key\n\n### Option 1: make an empty file\n### Option 2: read the key from the environment (best)\n\nNext steps:\n1. edit the job\n2. push\n\nWhich one?", "let's go with option 2", []string{"read the key from the environment"}, "", "make an empty file", 0},
		{"**Option A:** fix the loader first?\n**Option B:** find out why nothing appears?\n\nI would take option B.", "Option A", []string{"fix the loader first"}, "", "find out why nothing appears", 0},
		{"Which approach do you prefer?\n1. a queue on disk\n2. retries in memory", "no", nil, "", "", 0},
		{"1. Use Terraform\n2. Use Pulumi\n\nWhat do you prefer?", "let's do 2", []string{"Use Pulumi"}, "", "Use Terraform", 0},

		// Yes and no take what was asked.
		{"Should deleted users keep their invoices?", "yes", []string{"deleted users keep their invoices"}, "", "", 0},
		{"Should the API return 404 for resources of other tenants?", "Yes, 403 tells them that it exists", []string{"yes, 403 tells them that it exists (asked: Should the API return 404 for resources of other tenants?)"}, "", "", 0},
		{"Should we keep supporting Python 3.8?", "no, it's end of life", []string{"supporting Python 3.8"}, "end of life", "", 0},
		{"How many retries should the webhook sender make?", "5", []string{"5 (asked: How many retries should the webhook sender make?)"}, "", "", 0},
		{"Should prices be stored in cents or as decimals?", "cents", []string{"cents (asked: Should prices be stored in cents or as decimals?)"}, "", "", 0},

		// A wish and a decision.
		{"", "we decided to use pnpm workspaces, and never commit the lockfile of a package", []string{"use pnpm workspaces"}, "", "", 1},
		{"", "we're going with SQLite for the cache. always close the rows", []string{"SQLite for the cache"}, "", "", 1},
		{"", "From now on use ruff; we moved off flake8 because it is slow", []string{"moved off flake8"}, "slow", "", 1},

		// Nothing that was decided.
		{"", "we have not decided on the port yet", nil, "", "", 0},
		{"", "did we decide to keep the pool at 25?", nil, "", "", 0},
		{"Shall I run the tests?", "yes", nil, "", "", 0},
		{"1. run the tests\n2. commit first\n\nWhat next?", "1", nil, "", "", 0},
	}
	for _, tt := range tests {
		turn := claudecode.Turn{Session: "s1", ID: "u1", Prompt: tt.prompt, Replies: []string{"I have changed it, and all tests pass."}}
		var before *Turn
		if tt.reply != "" {
			before = NewTurn(claudecode.Turn{Session: "s1", ID: "u0", Prompt: "let's look at that part", Replies: []string{tt.reply}}, app, nil)
		}
		var decided []memory.Draft
		wishes := 0
		for _, m := range NewTurn(turn, app, before).Drafts() {
			switch {
			case m.Source == memory.Preferences:
				wishes++
			case m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagDecision):
				decided = append(decided, m)
			}
		}
		if len(decided) != len(tt.titles) {
			t.Errorf("%q decides %s, want %q", tt.prompt, titles(decided), tt.titles)
			continue
		}
		for i, want := range tt.titles {
			if !strings.Contains(strings.ToLower(decided[i].Title), strings.ToLower(want)) {
				t.Errorf("%q is %q, want %q", tt.prompt, decided[i].Title, want)
			}
			if decided[i].Origin != memory.OriginUser {
				t.Errorf("%q is of %s", tt.prompt, decided[i].Origin)
			}
		}
		if len(decided) > 0 {
			if got := decided[0].Fields["rationale"]; !strings.Contains(got, tt.why) {
				t.Errorf("%q: reason %q, want %q", tt.prompt, got, tt.why)
			}
			if got := decided[0].Fields["alternatives"]; !strings.Contains(got, tt.not) {
				t.Errorf("%q: rejected %q, want %q", tt.prompt, got, tt.not)
			}
		}
		if wishes != tt.wishes {
			t.Errorf("%q: %d wishes, want %d", tt.prompt, wishes, tt.wishes)
		}
	}
}
