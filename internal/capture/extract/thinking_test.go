package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// thoughtsOf returns what is kept of a turn's reasoning.
func thoughtsOf(prompt string, blocks ...string) []memory.Draft {
	return thinking(NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: prompt, Thinking: blocks}, app, nil))
}

func TestThinking(t *testing.T) {
	tests := []struct {
		name, block string
		want        []string // texts
	}{
		{"cause", "Let me look. The root cause is that `closeRows` is never called when Scan fails.",
			[]string{"The root cause is that `closeRows` is never called when Scan fails."}},
		{"lead-in", "Wait, actually the problem is that parse_date drops the time zone.",
			[]string{"The problem is that parse_date drops the time zone."}},
		{"turns out", "Turns out the driver in pool.go keeps one connection for each prepared statement.",
			[]string{"Turns out the driver in pool.go keeps one connection for each prepared statement."}},
		{"rejection", "A global lock won't work because `Flush` is called from the callback, too.",
			[]string{"A global lock won't work because `Flush` is called from the callback, too."}},
		{"condition", "If `limit` is zero, the loop never ends because nothing else is checked.",
			[]string{"If `limit` is zero, the loop never ends because nothing else is checked."}},
		{"prohibition", "Do not cache the token in `session`, because it is shared by all tenants.",
			[]string{"Do not cache the token in `session`, because it is shared by all tenants."}},
		{"option", "Option B needs a second round trip to `redis`, but option A does not, so option A.",
			[]string{"Option B needs a second round trip to `redis`, but option A does not, so option A."}},
		{"best way, held", "I think the simplest fix is to pass ctx to `store.Append` and give up the timer.",
			[]string{"The simplest fix is to pass ctx to `store.Append` and give up the timer."}},
		{"what is not there", "`HTTP_PROXY` is not currently supported by the vendored client of the CLI.",
			[]string{"`HTTP_PROXY` is not currently supported by the vendored client of the CLI."}},
		{"with what it leans on", "The cache key in keys.go has no tenant. This happens because tenants came later than the cache.",
			[]string{"The cache key in keys.go has no tenant. This happens because tenants came later than the cache."}},
		{"with what follows", "The bug is that `retry` counts from 1. So it gives up one attempt too early.",
			[]string{"The bug is that `retry` counts from 1. So it gives up one attempt too early."}},
		{"with its list", "The issue is that load.go is too strict:\n\n- it wants a port\n- it refuses `~`\n\nLet me change it.",
			[]string{"The issue is that load.go is too strict: it wants a port; it refuses `~`"}},
		{"glued sentences", "The issue is that `limit` is signed.Let me look at the callers.", []string{"The issue is that `limit` is signed."}},
		{"marks", "- **Reason**: the build is slow because `tsc` never reuses its cache.",
			[]string{"Reason: the build is slow because `tsc` never reuses its cache."}},
		{"topic where it names nothing", "The fix is to start the second worker before the first one has drained its queue.",
			[]string{"The fix is to start the second worker before the first one has drained its queue."}},

		{"several things that the sentence before lists",
			"The harbour sends tides in `feet` and in `fathoms`. The problem is that `parse_depth` is too strict for these old units.",
			[]string{"The harbour sends tides in `feet` and in `fathoms`. The problem is that `parse_depth` is too strict for these old units."}},
		{"several things that it lists itself", "The problem is that feet, fathoms and cables are refused by `parse_depth`, because these old units have no factor.",
			[]string{"The problem is that feet, fathoms and cables are refused by `parse_depth`, because these old units have no factor."}},
		{"the number of an option", "The cleanest approach is Option 2 - store the tide table in `harbour.db`, then the ferry can read it.",
			[]string{"The cleanest approach is to store the tide table in `harbour.db`, then the ferry can read it."}},

		{"several things that nothing lists", "Let me look. The problem is that `parse_depth` is too strict for these old units.", nil},
		{"what stands before is not there", "Let me look. For `parse_depth`, this returns a depth in feet, because the factor is missing.", nil},
		{"narration", "Let me look at the file. Now I need to run the tests because the fix is in. I'll use grep instead of find.", nil},
		{"the user", "The user wants me to fix the import because it is slow.", nil},
		{"supposed", "The problem might be that `retry` counts from 1. Maybe the root cause is in parse.go.", nil},
		{"asked", "Is the problem that `retry` counts from 1 because of the loop?", nil},
		{"own doing", "The issue is that I added the helper `openAll` to the wrong file.", nil},
		{"own work", "The problem is that my test in retry_test.go is wrong about the count.", nil},
		{"place alone", "The bug is in the `retry` function in client.go.", nil},
		{"code", "The issue is:\n```go\nbecause := x // won't work because y\n```\nGood.", nil},
		{"announced, nothing follows", "The root cause of it in `retry` is this:", nil},
		{"leans on what was left out", "Let me see the trace. This is because `retry` never gets a context.", nil},
		{"too short", "The fix is to `sort`.", nil},
		{"announcement", "In the `retry` loop, the issue is different.", nil},
		{"vague", "The build failed due to errors.", nil},
		{"process", "The best way is to run `make` and see what it says about that.", nil},
		{"other language", "直しました。テストも通ります。", nil},
		{"private", "<private>The root cause is that `closeRows` is never called.</private>", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range thoughtsOf("speed up the import", tt.block) {
				got = append(got, strings.TrimPrefix(m.Text, onTopic("speed up the import")))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("thinking (-want +got):\n%s", diff)
			}
		})
	}
}

// Terse reasoning has no phrase that concludes: its sentences hold together.
func TestTerseThinking(t *testing.T) {
	for _, tt := range []struct{ block, want string }{
		{"The redirect from the bank arrives without the cookie: it has SameSite=Strict. Lax is enough, because the callback is a GET.",
			"The redirect from the bank arrives without the cookie: it has SameSite=Strict. Lax is enough, because the callback is a GET."},
		{"Interesting. The watcher fires before the editor has flushed, so `load` reads half a file. Polling would hide it only until the disk is slow.",
			"The watcher fires before the editor has flushed, so `load` reads half a file. Polling would hide it only until the disk is slow."},
		{"Two writers, one file: the second truncates what the first wrote. A lock file would block everybody after a crash, so rename into place instead.",
			"Two writers, one file: the second truncates what the first wrote. A lock file would block everybody after a crash, so rename into place instead."},
		{"Not the parser. The tokenizer drops the BOM only for UTF-8; exports from Excel are UTF-16, which is why the first column is never found.",
			"The tokenizer drops the BOM only for UTF-8; exports from Excel are UTF-16, which is why the first column is never found."},
		{"Sorting in SQL would need an index on created_at, and that table takes 3,000 writes a second. Sort the page in memory rather: it has 50 rows.",
			"Sorting in SQL would need an index on created_at, and that table takes 3,000 writes a second. Sort the page in memory rather: it has 50 rows."},
		{"useEffect runs after paint, hence the flash. useLayoutEffect would block paint for the slow list, so compute it in the parent.",
			"useEffect runs after paint, hence the flash. useLayoutEffect would block paint for the slow list, so compute it in the parent."},
		{"The budget is per process, not per host: with 8 pods we send 8 times the limit. It must live in Redis.",
			"The budget is per process, not per host: with 8 pods we send 8 times the limit. It must live in Redis."},
		{"We cannot use os.Rename across volumes: in the container /tmp is a tmpfs. Write the temporary file next to the target.",
			"We cannot use os.Rename across volumes: in the container /tmp is a tmpfs."},

		{"Need to see the config first. Then the loader. Then write the test.", ""},
		{"Small change: rename the field, update the two callers, run the tests.", ""},
		{"The user wants a dark mode. There are three components to change: Header, Sidebar and Footer.", ""},
		{"Tests pass now. All good, the fix works: commit it.", ""},
		{"There are five files. main.go has the flags, run.go the loop, store.go the rest.", ""},
		{"Read store.go; then grep for Append; then look at the tests.", ""},
		{"Done: 3 files changed, all green. Summarise for the user, but keep it short.", ""},
		{"Output is long; only the last lines matter. Use tail.", ""},
		{"Either the token expired or the clock is off. Maybe both.", ""},
		{"Simple question, so a short answer: yes, but only since Go 1.21.", ""},
		{"Good. Build is green, but the linter complains: unused import. Remove it.", ""},
		{"Great! The cache of `load` holds: two entries, not one, so only the second run is fast.", ""},
		{"GPT-9 doesn't exist yet (as of my knowledge cutoff in March), so `model` must stay as it is.", ""},
		{"- `a` - only the old one matches; good\n- `b` - both match, so fine\n- `c` - must not match", ""},
		{"x = load(\"a\")\ny = x[1:]\nbut only z", ""},
	} {
		got := ""
		for _, m := range thoughtsOf("speed up the import", tt.block) {
			got += strings.TrimPrefix(m.Text, onTopic("speed up the import"))
		}
		if got != tt.want {
			t.Errorf("thinking(%q)\ngot  %q\nwant %q", tt.block, got, tt.want)
		}
	}
}

func TestThinkingMemory(t *testing.T) {
	turn := claudecode.Turn{
		Session: "s1", ID: "u1", Agent: "Explore", Sidechain: true, Prompt: "why do uploads fail",
		Thinking: []string{"Uploads break. This is because `maxBody` is never raised for multipart/form-data."},
	}
	got := thinking(NewTurn(turn, app, nil))
	want := memory.Drafts(memory.Memory{
		Source: memory.Thinking, Origin: memory.OriginAssistant, Session: "s1", Turn: "u1", Agent: "Explore",
		Project: app.Name, ProjectPath: app.Path, ProjectRemote: app.Remote,
		Title:    "Uploads break. This is because `maxBody` is never raised for multipart/form-data.",
		Text:     "On “why do uploads fail”: Uploads break. This is because `maxBody` is never raised for multipart/form-data.",
		Evidence: "Uploads break. This is because `maxBody` is never raised for multipart/form-data.",
		Keywords: []string{"maxbody"}, Confidence: 0.6,
	})
	want[0].Subject = []string{"u1", want[0].Title, want[0].Title}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("thinking (-want +got):\n%s", diff)
	}
}

// What was found wrong in a turn that changed something is told as the cause of
// the change, with the file or the commit, and only if the change is about it.
func TestThinkingCauses(t *testing.T) {
	const cause = "The actual problem is that `closeRows` is never called when Scan fails."
	fixed := []claudecode.Action{edit("/tmp/try.go"), edit("/home/dev/app/db/rows.go")}
	tests := []struct {
		name, block, reply string
		actions            []claudecode.Action
		title, text        string
	}{
		{"fixed in a file", cause, "`closeRows` runs in every case now.", fixed,
			"Cause: `closeRows` is never called when Scan fails.", "On “the pool runs dry”: Cause: `closeRows` is never called when Scan fails.\nFixed in db/rows.go."},
		{"fixed by a commit", cause, "closeRows runs in every case now.", []claudecode.Action{edit("/home/dev/app/rows.go"), bash(`git commit -m "db: close rows"`, false)},
			"Cause: `closeRows` is never called when Scan fails.", "On “the pool runs dry”: Cause: `closeRows` is never called when Scan fails.\nFixed by the commit \"db: close rows\"."},
		{"only found", cause, "`closeRows` is not called.", nil, cause, "On “the pool runs dry”: " + cause},
		{"something on the way", "The problem is that `python` is too old for the linter here.", "closeRows runs in every case now.", fixed, "", ""},
		{"no cause", "A global lock won't work because `Flush` is called from the callback, too.", "It is fixed.", fixed,
			"A global lock won't work because `Flush` is called from the callback, too.", "On “the pool runs dry”: A global lock won't work because `Flush` is called from the callback, too."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Cwd: app.Path, Prompt: "the pool runs dry", Thinking: []string{tt.block}, Actions: tt.actions, Replies: []string{tt.reply}}
			title, text := "", ""
			for _, m := range thinking(NewTurn(turn, app, nil)) {
				title, text = m.Title, m.Text
			}
			if diff := cmp.Diff([]string{tt.title, tt.text}, []string{title, text}); diff != "" {
				t.Errorf("thinking (-want +got):\n%s", diff)
			}
		})
	}
}

// A thought keeps the id that it had in the words in which it was thought.
func TestThinkingKeepsItsID(t *testing.T) {
	const cause = "The root cause is that `closeRows` is never called when Scan fails."
	turn := claudecode.Turn{ID: "u1", Session: "s1", Cwd: app.Path, Prompt: "the pool runs dry", Thinking: []string{cause}}
	ids := map[string]bool{}
	for _, actions := range [][]claudecode.Action{nil, {edit("/home/dev/app/db/rows.go")}} {
		turn.Actions, turn.Replies = actions, []string{"`closeRows` runs in every case now."}
		for _, m := range thinking(NewTurn(turn, app, nil)) {
			if err := m.Normalize(); err != nil {
				t.Fatal(err)
			}
			ids[m.ID] = true
		}
	}
	was := memory.Memory{Source: memory.Thinking, Turn: "u1", Title: cause, Text: cause}
	was.SetHome(app)
	if err := was.Normalize(); err != nil || len(ids) != 1 || !ids[was.ID] {
		t.Errorf("ids %v, want %s alone (%v)", ids, was.ID, err)
	}
}

// Of a turn with much reasoning the best is kept, the later of two that say
// the same, and nothing that only repeats the prompt.
func TestThinkingChooses(t *testing.T) {
	blocks := []string{
		"`openQueue` stays empty because nobody ever calls Start.",
		"Uploads in client.go break because the token has expired before.",
		"A second index won't help because `Sort` reads all rows anyway.",
		"The root cause is that `drain` holds the lock while it waits for the writer.",
		"The root cause is that `drain` holds the lock while it waits for the writer thread.",
		"The problem is that imports of large archives hang at ninety percent.",
	}
	got := thoughtsOf("imports of large archives hang at ninety percent, the problem", blocks...)
	if len(got) != maxThoughts || !strings.HasSuffix(got[0].Title, "writer thread.") || strings.Contains(got[1].Title, "drain") {
		t.Errorf("kept %d: %v", len(got), got)
	}
	for _, m := range got {
		if len(m.Text) > 700 || strings.Contains(m.Evidence, "ninety") {
			t.Errorf("kept %q", m.Text)
		}
	}
}

func TestThinkingWithoutTopic(t *testing.T) {
	if got := thoughtsOf("go on", "The fix is to start the second worker before the first one has drained its queue."); got != nil {
		t.Errorf("kept what names nothing: %v", got)
	}
}
