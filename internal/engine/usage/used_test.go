package usage

import (
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

func TestUsed(t *testing.T) {
	pool := memory.Memory{
		ID: "ep-d2d5b7d31837", Source: memory.Episodes, Title: "checkout hangs every day around noon",
		Text: "The connection pool was exhausted because HasOpenOrders returned early without rows.Close() in internal/store/store.go. " +
			"Rows are closed with defer now, and max_open_conns is 25 instead of 10.",
	}
	pnpm := memory.Memory{ID: "pref-1", Source: memory.Preferences, Title: "The user wants: use pnpm instead of yarn"}
	yaml := memory.Memory{ID: "fail-1", Source: memory.Failures, Title: "`python run.py` fails: ModuleNotFoundError: No module named 'yaml' in the report's virtual environment",
		Fields: map[string]string{"tool": "Bash", "error": "ModuleNotFoundError: No module named 'yaml'", "fix": "ran `pip install pyyaml`"}}
	unittest := memory.Memory{ID: "fail-2", Source: memory.Failures, Title: "`pytest -q` fails: No module named pytest in this container, which has the standard library alone",
		Fields: map[string]string{"tool": "Bash", "error": "No module named pytest", "fix": "python3 -m unittest discover works"}}
	seed := memory.Memory{ID: "note-1", Source: memory.Inbox, Title: "After a reset of the database the demo users are gone; `npx prisma db seed` brings all of them back at once, never `npx prisma migrate reset`"}
	bash := func(command, output string) claudecode.Action {
		return claudecode.Action{Tool: "Bash", Command: command, Output: output}
	}
	ask := "why does checkout hang, and how big is the pool?"
	tests := []struct {
		name   string
		memory memory.Memory
		turn   claudecode.Turn
		want   bool
	}{
		{"names and a number in the answer", pool, claudecode.Turn{Prompt: ask,
			Replies: []string{"`HasOpenOrders` leaked rows; since then `max_open_conns` is 25."}}, true},
		{"a file that it went to at once, and a name", pool, claudecode.Turn{Prompt: ask, Actions: []claudecode.Action{
			{Tool: "Read", Input: `{"file_path":"/home/dev/src/app/internal/store/store.go"}`, Output: "package store"},
			{Tool: "Bash", Command: "grep -n max_open_conns config", Input: `{"command":"grep -n max_open_conns config"}`},
		}}, true},
		{"pairs of words in the answer", pool, claudecode.Turn{Prompt: ask,
			Replies: []string{"Every day around noon the connection pool was exhausted; rows are closed with defer since."}}, true},
		{"its id", pool, claudecode.Turn{Prompt: ask, Replies: []string{"See ep-d2d5b7d31837."}}, true},
		{"its id, looked up", pool, claudecode.Turn{Prompt: ask, Actions: []claudecode.Action{
			{Tool: "mcp__memory_expand", Input: `{"id":"ep-d2d5b7d31837"}`}}}, true},

		{"one name may be chance", pool, claudecode.Turn{Prompt: ask, Replies: []string{"Look at HasOpenOrders."}}, false},
		{"what a path has counts once", pool, claudecode.Turn{Prompt: ask, Actions: []claudecode.Action{
			{Tool: "Read", Input: `{"file_path":"/home/dev/src/app/internal/store/store.go"}`},
			{Tool: "Bash", Command: "cat store/store.go", Input: `{"command":"cat store/store.go; head store.go"}`}}}, false},
		{"the prompt said it", pool, claudecode.Turn{Prompt: "HasOpenOrders leaks, so max_open_conns 25 is no help in internal/store/store.go",
			Replies: []string{"`HasOpenOrders` leaks rows; `max_open_conns` is 25; I changed internal/store/store.go."}}, false},
		{"a tool said it", pool, claudecode.Turn{Prompt: ask,
			Actions: []claudecode.Action{{Tool: "Bash", Command: "git log -3", Output: "close rows in HasOpenOrders, max_open_conns 25"}},
			Replies: []string{"`HasOpenOrders` leaked rows; `max_open_conns` is 25."}}, false},
		{"it was there before the edit", pool, claudecode.Turn{Prompt: ask, Actions: []claudecode.Action{
			{Tool: "Edit", Input: `{"file_path":"/x/y.go","old_string":"HasOpenOrders max_open_conns 25","new_string":"nothing"}`}}}, false},
		{"something else", pool, claudecode.Turn{Prompt: "a recipe for bread", Replies: []string{"Mix flour and water, wait for 25 minutes."}}, false},
		{"nothing", pool, claudecode.Turn{}, false},

		{"a tool that was wished for", pnpm, claudecode.Turn{Prompt: "install lodash",
			Actions: []claudecode.Action{{Tool: "Bash", Command: "pnpm add lodash", Input: `{"command":"pnpm add lodash"}`}}}, true},
		{"the one that was not", pnpm, claudecode.Turn{Prompt: "install lodash",
			Actions: []claudecode.Action{{Tool: "Bash", Command: "yarn add lodash", Input: `{"command":"yarn add lodash"}`}}}, false},
		{"the fix, word for word", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{bash("pip install pyyaml", "")}}, true},
		{"the fix among other commands", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{
			bash("cd /srv/app && pip  install pyyaml 2>&1 | tail -3", "")}}, true},
		{"a fix without an outcome of its own", unittest, claudecode.Turn{Prompt: "run the tests", Actions: []claudecode.Action{bash("python3 -m unittest discover", "")}}, true},
		{"a command quoted in a note", seed, claudecode.Turn{Prompt: "the database is empty", Actions: []claudecode.Action{bash("npx prisma db seed", "")}}, true},
		{"a command that a note warns of", seed, claudecode.Turn{Prompt: "the database is empty", Actions: []claudecode.Action{bash("npx prisma migrate reset", "")}}, false},
		{"a longer command", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{bash("pip install pyyaml-include", "")}}, false},
		{"a shorter command", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{bash("pip install", "")}}, false},
		{"the fix was in the prompt", yaml, claudecode.Turn{Prompt: "pip install pyyaml, then start it", Actions: []claudecode.Action{bash("pip install pyyaml", "")}}, false},
		{"a tool recommended the fix", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{
			bash("python run.py", "No module named 'yaml'; try pip install pyyaml"), bash("pip install pyyaml", "")}}, false},
		{"what failed", yaml, claudecode.Turn{Prompt: "start the report", Actions: []claudecode.Action{bash("python run.py", "")}}, false},
		{"what a turn ran", memory.Memory{ID: "ep-1", Source: memory.Episodes, Title: "deploy it to staging, as usual, and look at the logs afterwards",
			Text: "Did: ran `kubectl rollout status`; Outcome: it went well and nobody complained about anything."},
			claudecode.Turn{Prompt: "deploy", Actions: []claudecode.Action{bash("kubectl rollout status", "")}}, false},
		{"everyday commands", memory.Memory{ID: "pat-1", Source: memory.Patterns, Title: "a stale checkout breaks the build in ways that nobody understands at first",
			Fields: map[string]string{"problem": "the build breaks", "solution": "ran `git pull`"}},
			claudecode.Turn{Prompt: "build it", Actions: []claudecode.Action{bash("git pull", "")}}, false},

		{"the tool is in the prompt", pnpm, claudecode.Turn{Prompt: "install lodash with pnpm",
			Actions: []claudecode.Action{{Tool: "Bash", Command: "pnpm add lodash", Input: `{"command":"pnpm add lodash"}`}}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := usedIn(tt.turn, []memory.Memory{tt.memory}, rare); got[0] != tt.want {
				t.Errorf("Used() = %v, want %v", got[0], tt.want)
			}
		})
	}
}

func rare(string) bool { return false }

// What many memories have says nothing, and each memory is judged by itself.
func TestUsedOfSeveral(t *testing.T) {
	told := []memory.Memory{
		{ID: "note-1", Title: "deploys go through bin/ship with SHIP_TOKEN set, from the release branch, at 14:30 on Tuesdays"},
		{ID: "note-2", Title: "the staging cluster answers on port 8443 behind edge_proxy, with the certificates of the old registry"},
	}
	turn := claudecode.Turn{Prompt: "deploy it", Replies: []string{"I ran bin/ship from the release branch, with SHIP_TOKEN set."}}
	if got := usedIn(turn, told, rare); !got[0] || got[1] {
		t.Errorf("Used() = %v, want only the first", got)
	}
	common := func(word string) bool { return strings.Contains(word, "ship") }
	if got := usedIn(turn, told, common); got[0] || got[1] {
		t.Errorf("Used() = %v where the words are common, want none", got)
	}
}

func FuzzUsed(f *testing.F) {
	f.Add("use pnpm instead of yarn", "pnpm add x/y.go", `{"command":["pnpm",{"a":"b"}]}`)
	f.Add("/////", "...---", `{`)
	f.Add("a\xffb é日本語.go", "日本語.go/", `"é"`)
	f.Fuzz(func(t *testing.T, title, reply, input string) {
		turn := claudecode.Turn{Replies: []string{reply}, Actions: []claudecode.Action{{Command: reply, Input: input, Output: title}}}
		if got := usedIn(turn, []memory.Memory{{ID: "note-1", Title: title}, {ID: "note-2", Text: reply}}, rare); len(got) != 2 {
			t.Errorf("%d verdicts, want 2", len(got))
		}
	})
}
