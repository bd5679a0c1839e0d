package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
)

var app = memory.Project{Name: "app", Path: "/home/dev/app", Remote: "example.org/dev/app"}

func bash(command string, failed bool) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Failed: failed}
}

func edit(file string) claudecode.Action { return claudecode.Action{Tool: "Edit", File: file} }

// episodeOf returns the episode of a turn, if it makes one.
func episodeOf(turn claudecode.Turn, home memory.Project) (memory.Memory, bool) {
	for _, m := range episodes(NewTurn(turn, home, nil)) {
		err := m.Normalize()
		return m.Memory, err == nil
	}
	return memory.Memory{}, false
}

func TestEpisode(t *testing.T) {
	turn := claudecode.Turn{
		Session: "s1", ID: "u1", Cwd: "/home/dev/app",
		Prompt: "the api client gives up on 502, make it retry\n\nthree times at most",
		At:     time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC),
		Actions: []claudecode.Action{
			{Tool: "Read", File: "/home/dev/app/internal/api/client.go"},
			{Tool: "Read", File: "/home/dev/app/go.mod"},
			edit("/home/dev/app/internal/api/client.go"),
			edit("/home/dev/app/scripts/deploy.sh"),
			{Tool: "Edit", File: "/home/dev/app/other.go", Failed: true},
			{Tool: "Bash", Command: "go test ./...", Failed: true, Output: "panic\nclient_test.go:9: errTooMany: E0611"},
			bash("cd /home/dev/app && go test ./...", false),
			bash("ls -la", false),
			bash(`git add -A && git commit -m "api: retry on 502`+"\n\nlong story\"", false),
			bash("git push", false),
		},
		Replies: []string{"I look.", "The client retries now.\n\n```go\nfor range maxRetries {\n```\n\n- `maxRetries` is 3\n- backoff doubles"},
	}
	want := memory.Memory{
		V: 1, Source: memory.Episodes, Origin: memory.OriginAssistant,
		Project: "app", ProjectPath: "/home/dev/app", ProjectRemote: "example.org/dev/app",
		Title: "the api client gives up on 502, make it retry. three times at most",
		Text: "Outcome: The client retries now.\n`maxRetries` is 3; Backoff doubles\n" +
			"Did: edited internal/api/client.go, scripts/deploy.sh; ran `go test ./...` (failed, then passed), `git push`; " +
			"committed \"api: retry on 502\"",
		Evidence: turn.Prompt,
		Keywords: []string{"maxretries", "client_test", "errtoomany", "e0611"},
		Files:    []string{"internal/api/client.go", "scripts/deploy.sh", "go.mod"},
		Session:  "s1", Turn: "u1", OccurredAt: turn.At,
		Statements: []string{"`maxRetries` is 3", "Committed: api: retry on 502"},
	}
	got, ok := episodeOf(turn, app)
	if !ok {
		t.Fatal("Episode: not kept")
	}
	want.ContentHash, want.ID = got.ContentHash, got.ID
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Episode (-want +got):\n%s", diff)
	}
	again, _ := episodeOf(turn, app)
	turn.Replies, turn.Actions = append(turn.Replies, "And the documentation follows now, in a page of its own."), nil
	grown, _ := episodeOf(turn, app)
	if diff := cmp.Diff(got, again); diff != "" || grown.ID != got.ID {
		t.Errorf("id %s of the grown turn, want %s; second time (-want +got):\n%s", grown.ID, got.ID, diff)
	}
}

func TestEpisodeIsKept(t *testing.T) {
	long := strings.Repeat("The index is rebuilt at start. ", 10)
	acted := []claudecode.Action{edit("/home/dev/app/x.go")}
	tests := []struct {
		name    string
		prompt  string
		actions []claudecode.Action
		reply   string
		want    bool
	}{
		{"question and answer", "why is the build slow?", nil, "The cache is off.", true},
		{"short answer", "is the cache on?", nil, "No, it is off.", true},
		{"no answer yet", "why is the build slow?", nil, "", false},
		{"filler", "yes", nil, "Great!", false},
		{"fillers", "OK, go on please!", nil, "Working on it.", false},
		{"letter", "A", nil, "Noted.", false},
		{"filler with a long answer", "continue", nil, long, true},
		{"filler with a deed", "do it", acted, "", true},
		{"greeting", "hello", nil, "Hello! How can I help?", false},
		{"answer is filler", "fix the build", nil, "OK!", false},
		{"only a look around", "continue", []claudecode.Action{bash("ls; git status", false)}, "Fine.", false},
		{"command", "/compact", acted, long, false},
		{"notification", "<task-notification>x</task-notification>", acted, long, false},
		{"our own prompt", "[RECOLLECT_INTERNAL] extract", acted, long, false},
		{"all of it private", "<private>fix it</private>", acted, long, false},
		{"our own text alone", `<memory-data source="recollect">x</memory-data>`, acted, long, false},
		{"only a commit", "commit that", []claudecode.Action{bash("git add -A && git commit -m 'api: retry on 502'", false)}, "Committed.", false},
		{"work that ended in a commit", "write the parser", []claudecode.Action{bash("git commit -m 'parser: read rows'", false)}, "", true},
		{"a commit that was told how", "commit it with the client and the server apart", []claudecode.Action{bash("git commit -m 'api: retry on 502'", false)}, "Committed the client alone.", true},
		{"an order that was obeyed", "rename hgt to height in the shelf", acted, "Renamed `hgt` to `height`.", false},
		{"an order of which more came out", "rename hgt to height in the shelf", acted, "Renamed; the import of old files breaks.", true},
		{"an order with its reason", "rename hgt to height, because the export reads that name", acted, "Renamed.", true},
		{"an order that says more", "we ship no more parcels to Norway, nobody there ordered since spring. drop the zone", acted, "Dropped.", true},
		{"a comment and a commit", "add a comment on the lock, then commit", append([]claudecode.Action{bash("git commit -m 'shelf: say why it locks'", false)}, acted...), "Commented and committed.", false},
		{"an exercise", "Look at the first rows of x.go using the Read tool", []claudecode.Action{{Tool: "Read", File: "/home/dev/app/x.go"}}, "Read 5 lines: a comment and the imports.", false},
		{"what was read", "Look at the first rows of x.go", []claudecode.Action{{Tool: "Read", File: "/home/dev/app/x.go"}}, "They hold a comment and the imports.", true},
		{"a reply for a program", "sum this up in a sentence", nil, "<summary>The client retries.</summary>", false},
		{"a reply that tells what the user said", "the title overlaps and the buttons are thin", nil, "The user says: the title overlaps.\nI made it shorter.", true},
		{"Japanese", "修正して", nil, "直しました。テストも通ります。", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Prompt: tt.prompt, Actions: tt.actions, Replies: []string{tt.reply}}
			if m, got := episodeOf(turn, app); got != tt.want {
				t.Errorf("Episode = %v, want %v:\n%s", got, tt.want, m.Text)
			}
		})
	}
}

// What a turn that was stopped, or a sub-agent, is kept for.
func TestEpisodeOfPart(t *testing.T) {
	read, search := claudecode.Action{Tool: "Read", File: "/home/dev/app/x.go"}, claudecode.Action{Tool: "WebSearch", Input: `{"query":"backoff"}`}
	commit := bash("git commit -m 'api: retry on 502'", false)
	tests := []struct {
		name string
		turn claudecode.Turn
		want string // "" for nothing
	}{
		{"stopped while it read", claudecode.Turn{Interrupted: true, Actions: []claudecode.Action{read}}, ""},
		{"stopped after an edit", claudecode.Turn{Interrupted: true, Actions: []claudecode.Action{edit("/home/dev/app/x.go")}}, "Outcome: interrupted by the user.\nDid: edited x.go"},
		{"stopped after a commit", claudecode.Turn{Interrupted: true, Replies: []string{"The client retries on 502 now."}, Actions: []claudecode.Action{commit}},
			"Outcome: The client retries on 502 now.\nInterrupted by the user after the commit.\nDid: committed \"api: retry on 502\""},
		{"a sub-agent on the web", claudecode.Turn{Sidechain: true, Agent: "a1", Replies: []string{"Exponential backoff is the most common."}, Actions: []claudecode.Action{search}}, ""},
		{"a sub-agent in the project", claudecode.Turn{Sidechain: true, Agent: "a1", Replies: []string{"The client gives up in x.go."}, Actions: []claudecode.Action{read, search}},
			"Outcome: The client gives up in x.go.\nDid: read x.go; looked up \"backoff\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.turn.ID, tt.turn.Prompt, tt.turn.Cwd = "u1", "make the api client retry on 502", "/home/dev/app"
			m, _ := episodeOf(tt.turn, app)
			if diff := cmp.Diff(tt.want, m.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEpisodeBounds(t *testing.T) {
	var middle strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&middle, "é%d middle ", i)
	}
	turn := claudecode.Turn{ID: "u1", Prompt: "first " + middle.String() + " last", Cwd: "/home/dev/app"}
	for i := range 50 {
		turn.Actions = append(turn.Actions, edit(fmt.Sprintf("/home/dev/app/file%d.go", i)),
			bash(fmt.Sprintf("make target%d %s", i, strings.Repeat("x", 300)), false),
			bash(fmt.Sprintf("git commit -m 'step %d'", i), false))
	}
	turn.Replies = []string{strings.Repeat("A sentence of some length. ", 900) + "\n\n" + strings.Repeat("- an item\n", 900)}
	m, ok := episodeOf(turn, app)
	if !ok || len(m.Text) > 1_400 {
		t.Errorf("Episode: %v, text of %d bytes", ok, len(m.Text))
	}
	if len(m.Files) != toolcall.MaxFiles || strings.Count(m.Text, "`make") != 2 || strings.Count(m.Text, "step") != 2 {
		t.Errorf("%d files, %d commands, %d commits in\n%s", len(m.Files), strings.Count(m.Text, "`make"), strings.Count(m.Text, "step"), m.Text)
	}
	for _, want := range []string{"Asked: … middle é10", "file3.go, 46 more", `"step 1", 48 more`} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("text does not contain %q:\n%s", want, m.Text)
		}
	}
	if !strings.HasPrefix(m.Evidence, "first é") || !strings.HasSuffix(m.Evidence, " last") || len(m.Evidence) > memory.MaxEvidence {
		t.Errorf("evidence of %d bytes: %s", len(m.Evidence), m.Evidence)
	}
	for line := range strings.Lines(m.Text) {
		if strings.HasPrefix(line, "Outcome") && len(line) > 480 {
			t.Errorf("line of %d bytes: %s", len(line), line)
		}
	}
}

func TestEpisodeCleans(t *testing.T) {
	echo := `<memory-data source="recollect">` + "\n[pattern] ECHO\n</memory-data>"
	turn := claudecode.Turn{
		ID: "u1", Prompt: "deploy with <private>HIDDEN</private>care\x00\n" + echo,
		Actions: []claudecode.Action{bash("deploy <private>HIDDEN</private> \x1b[1mnow", false), edit("/home/dev/app/<private>HIDDEN</private>x.go")},
		Replies: []string{"Deployed as the notes say.\n\n" + echo + "\n\nWith \xffcare <private>HIDDEN and that is all there is to say about it."},
		Agent:   "Explore", Sidechain: true,
	}
	m, ok := episodeOf(turn, app)
	want := "Outcome: Deployed as the notes say.\nWith care\nDid: edited x.go; ran `deploy now`"
	if diff := cmp.Diff(want, m.Text); !ok || diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if m.Agent != "Explore" || m.Title != "deploy with care" {
		t.Errorf("agent %q, title %q", m.Agent, m.Title)
	}
}

// An episode says first what came out, only once what was asked, and nothing
// that was pasted but the line that names the error.
func TestEpisodeText(t *testing.T) {
	trace := "Traceback (most recent call last):\n  File \"/srv/orders/tax.py\", line 8, in total\n    return rate[country]\nKeyError: 'CH'\n"
	tests := []struct {
		name, prompt, reply string
		title, text         string
	}{
		{"pasted log", "the nightly invoice run dies for swiss customers\n\n" + trace,
			"Perfect! I've successfully fixed the bug. Here's a summary of what was done:\n\n## Root Cause\n`rate` has no entry for CH.\n\n## Fix\nAdded the Swiss rate to `rates.toml`:\n```toml\nCH = 8.1\n```\n",
			"the nightly invoice run dies for swiss customers",
			"Outcome: Added the Swiss rate to `rates.toml`: `CH = 8.1`\nCause: `rate` has no entry for CH.\nAsked: (KeyError: 'CH')"},
		{"only a log", trace, "The table lacks Switzerland, so every Swiss order fails.",
			"KeyError: 'CH'", "Outcome: The table lacks Switzerland, so every Swiss order fails."},
		{"only the log of a build", "#7 21.4 npm error Lock file was never written\n#7 21.4 npm error   <https://example.com/issues>\n", "The volume of the image is read-only, so no lock file can be written.",
			"npm error Lock file was never written", "Outcome: The volume of the image is read-only, so no lock file can be written."},
		{"form", "Resolve the ticket below:\n  id: SHOP-77\n  component: cart\n  title: Coupons are lost when the cart is merged\n  labels: bug\n",
			"`Cart.Merge` copies the coupons now.", "Coupons are lost when the cart is merged", "Outcome: `Cart.Merge` copies the coupons now."},
		{"options are not deeds", "how could we speed up the feed?", "There are three options:\n- cache the page\n- drop the join\n- read from the replica\n\nI recommend the cache.",
			"how could we speed up the feed?", "Outcome: There are three options: Cache the page; Drop the join; Read from the replica\nI recommend the cache."},
		{"greeting", "Hey Ana, thanks! Can you move the feed to the replica?", "Great, done! The feed reads from the replica now.",
			"Can you move the feed to the replica?", "Outcome: The feed reads from the replica now."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := episodeOf(claudecode.Turn{ID: "u1", Prompt: tt.prompt, Replies: []string{tt.reply}}, app)
			if diff := cmp.Diff([]string{tt.title, tt.text}, []string{m.Title, m.Text}); !ok || diff != "" {
				t.Errorf("episode (-want +got):\n%s", diff)
			}
		})
	}
}

// A prompt that says nothing alone is titled by what it answers or goes on
// with.
func TestEpisodeTitle(t *testing.T) {
	committed := []claudecode.Action{bash(`git commit -m "feed: read from the replica"`, false)}
	tests := []struct {
		name, before, reply, prompt string
		actions                     []claudecode.Action
		want                        string
	}{
		{"answer", "design the ring buffer", "It needs handles. A slab, or plain indices?", "slab", nil, "slab (asked: A slab, or plain indices?)"},
		{"yes", "clean up", "Two branches are merged.\n\nShall I delete the branch `old-feed`?", "yes", nil, "yes (asked: Shall I delete the branch `old-feed`?)"},
		{"an order after a question", "clean up", "All clean. Anything else?", "rename the table orders to purchases in every query", nil, "rename the table orders to purchases in every query"},
		{"going on", "move the feed to the replica", "Half is done.", "continue", nil, "move the feed to the replica (continued)"},
		{"what was committed", "move the feed to the replica", "Moved.", "commit that", committed, "commit that (feed: read from the replica)"},
		{"nothing before", "", "", "continue", nil, "The feed reads from the replica now, and the cache is off"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before *Turn
			if tt.before != "" {
				before = NewTurn(claudecode.Turn{ID: "u1", Prompt: tt.before, Replies: []string{tt.reply}}, app, nil)
			}
			turn := claudecode.Turn{ID: "u2", Prompt: tt.prompt, Actions: tt.actions, Replies: []string{"The feed reads from the replica now, and the cache is off." + strings.Repeat(" So it is.", 20)}}
			drafts := episodes(NewTurn(turn, app, before))
			if len(drafts) != 1 || drafts[0].Title != tt.want {
				t.Fatalf("episodes %+v, want the title %q", drafts, tt.want)
			}
		})
	}
}

// What a turn is titled changes nothing of the id that its episode had when the
// first line of the prompt was its title.
func TestEpisodeKeepsItsID(t *testing.T) {
	prompt := "Hey Ana!\nCan you move the feed to the replica, please?"
	was := memory.Memory{Source: memory.Episodes, Turn: "u1", Title: "Hey Ana!", Text: "Asked: " + prompt}
	if err := was.Normalize(); err != nil {
		t.Fatal(err)
	}
	m, ok := episodeOf(claudecode.Turn{ID: "u1", Prompt: prompt, Replies: []string{"The feed reads from the replica now."}}, app)
	if !ok || m.ID != was.ID || m.Title == was.Title {
		t.Errorf("%s %q, want the id %s and a better title", m.ID, m.Title, was.ID)
	}
}
