package usefulness

import (
	"strings"
	"testing"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

func TestUsed(t *testing.T) {
	pool := memory.Memory{
		ID: "ep-d2d5b7d31837", Source: memory.Episodes, Title: "checkout hangs every day around noon",
		Text: "The connection pool was exhausted because HasOpenOrders returned early without rows.Close() in internal/store/store.go. " +
			"Rows are closed with defer now, and max_open_conns is 25 instead of 10.",
	}
	pnpm := memory.Memory{ID: "pref-1", Source: memory.Preferences, Title: "The user wants: use pnpm instead of yarn"}
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
		{"the tool is in the prompt", pnpm, claudecode.Turn{Prompt: "install lodash with pnpm",
			Actions: []claudecode.Action{{Tool: "Bash", Command: "pnpm add lodash", Input: `{"command":"pnpm add lodash"}`}}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Used(tt.turn, []memory.Memory{tt.memory}, rare); got[0] != tt.want {
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
	if got := Used(turn, told, rare); !got[0] || got[1] {
		t.Errorf("Used() = %v, want only the first", got)
	}
	common := func(word string) bool { return strings.Contains(word, "ship") }
	if got := Used(turn, told, common); got[0] || got[1] {
		t.Errorf("Used() = %v where the words are common, want none", got)
	}
}

func FuzzUsed(f *testing.F) {
	f.Add("use pnpm instead of yarn", "pnpm add x/y.go", `{"command":["pnpm",{"a":"b"}]}`)
	f.Add("/////", "...---", `{`)
	f.Add("a\xffb é日本語.go", "日本語.go/", `"é"`)
	f.Fuzz(func(t *testing.T, title, reply, input string) {
		turn := claudecode.Turn{Replies: []string{reply}, Actions: []claudecode.Action{{Command: reply, Input: input, Output: title}}}
		if got := Used(turn, []memory.Memory{{ID: "note-1", Title: title}, {ID: "note-2", Text: reply}}, rare); len(got) != 2 {
			t.Errorf("%d verdicts, want 2", len(got))
		}
	})
}
