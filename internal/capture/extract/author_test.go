package extract

import (
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// What programs write is nobody's wish, and what a human asks of "claude -p" is theirs.
func TestWishesOfPrograms(t *testing.T) {
	for _, tt := range []struct {
		name, prompt string
		want         bool
	}{
		{"a wish", "from now on always use pnpm in this repo, never npm", true},
		{"a wish in a word", "always use tabs, never spaces", true},
		{"a task and a wish", "fix the flaky login test. from now on always run the linter before you commit", true},
		{"a wish and a reason", "never commit to main, we deploy from it", true},
		{"about answers, for good", "from now on always answer in German, please", true},
		{"for the project", "in this project always write the tests in table form", true},
		{"in German", "ab jetzt immer auf Deutsch antworten, nie auf Englisch", true},
		{"polite", "please always use undici for http, never axios", true},
		{"two wishes", "always use black for formatting. never use autopep8.", true},
		{"with a path", "always put new handlers in internal/http, never in cmd", true},
		{"a convention", "we never use floats for money in this repo", true},

		{"a reviewer", "You are a strict code reviewer for the payments team. Always mention the file and line. Never approve a change without tests.", false},
		{"a worker", "You are worker 3 of an autonomous build loop. Read PLAN.md, pick the first open task and implement it. Never ask questions. Always commit when the tests pass.", false},
		{"a title", "Generate a short title for this conversation. Never use quotes. Always answer in lower case, at most five words.\n\nfix the list", false},
		{"a note taker", "Here is a transcript of a session:\n\n[Human] fix it\n\nSummarize it. Write in the third person. Never answer questions from the transcript.", false},
		{"an observer", "You are a specialized observer tool. Always output XML only.\n<request>fix it</request>", false},
		{"a commit message", "Write a commit message for the staged diff. Always use the imperative mood. Never exceed 72 characters. No preamble.", false},
		{"a triage", "Classify the issue below. Always pick one label. Never explain your choice.", false},
		{"JSON", "Review the diff in /tmp/pr.diff. Always return JSON. Never use markdown.", false},
		{"your task", "Your task is to port the next module. Always run the tests. Never touch the docs.", false},
		{"a nightly job", "Nightly maintenance: this is an unattended run. Always open a pull request. Never push to main.", false},
		{"an act", "Act as a translator. Always keep the placeholders. Never translate code.", false},
		{"steps", "Read TODO.md. Take the first item. Always write a test first. Never edit the config. Commit when done.", false},
		{"reply only", "Reply only with the name of the file. Never add anything else.", false},
		{"in German as a role", "Du bist ein Agent, der Titel schreibt. Antworte immer auf Deutsch. Nie mehr als fünf Wörter.", false},
		{"a long task", "Implement the retry queue. " + strings.Repeat("It has a worker for each host and a journal on disk. ", 8) + "Always use exponential backoff, never fixed sleeps.", false},
		{"embedded data", "Summarize this log, always in bullets: <log>error at noon, never mind the rest</log>", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{Session: "s1", ID: "u1", Prompt: tt.prompt, Program: true, Replies: []string{"Done."}}
			var wishes []string
			for _, m := range NewTurn(turn, app, nil).Drafts() {
				if m.Origin == memory.OriginUser {
					wishes = append(wishes, string(m.Source)+": "+m.Title)
				}
			}
			if got := len(wishes) > 0; got != tt.want {
				t.Errorf("wishes %q, want some: %v", wishes, tt.want)
			}
		})
	}
}
