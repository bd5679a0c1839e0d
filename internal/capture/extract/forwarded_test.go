package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// said are what somebody may ask of us in a message: a wish, a decision, a goal.
var saidElsewhere = []string{
	"Always run the marten linter before a commit.",
	"From now on never use marten in the tests.",
	"We decided to use marten instead of Redis, because it is faster.",
	"Our goal is to ship the marten service by Friday.",
	"TODO: move the marten service to the new host.",
	"Next: remove the marten queue from the worker.",
}

// forms are how a message of somebody else's stands in a prompt.
var forms = []string{
	"[Slack message from Bob Example in #dev]: %s",
	"[Slack message from Bob]\n%s",
	"Slack message from Bob:\n%s",
	"[Teams message from Bob Example] %s",
	"Got this DM from Bob: %s",
	"Email from the client: %s",
	"[Forwarded from Bob] %s",
	"Forwarded message from Bob:\n%s",
	"Fwd: linting\n%s",
	"FW: linting\n\n%s",
	"WG: Linter\n%s",
	"Subject: linting\n\n%s",
	"From: Bob <bob@example.com>\n%s",
	"From: Bob Subject: linting\n%s",
	"From: bob@example.com\nTo: me@example.com\nSubject: lint\n\n%s",
	"On Mon, 2 Mar 2026 at 10:00, Bob <bob@example.com> wrote:\n%s",
	"---------- Forwarded message ---------\n%s",
	"> %s",
	"> Hi all,\n> %s\n> Bob",
	"can you have a look?\n\n> %s",
	"Bob wrote: %s",
	"Bob Example wrote:\n%s",
	"@bob wrote: \"%s\"",
	"Bob (PM) said: %s",
	"bob commented 2 days ago\n%s",
	"bob commented on this issue:\n%s",
	"Bob Example added a comment - 2 days ago\n%s",
	"@bob left a comment (acme/app#12)\n%s",
	"Bob Example requested changes\n%s",
	"Comment by Bob Example:\n%s",
	"[10:42] Bob: %s",
	"[10:42 AM, 3/4/2026] Bob Example: %s",
	"[3/4/26, 10:42:11] Bob: %s",
	"3/4/26, 10:42 - Bob: %s",
	"10:42 AM Bob: %s",
	"Bob Example  10:42 AM\n%s",
	"Bob Example — Today at 10:42 AM\n%s",
	"Bob, [3/4/2026 10:42]\n%s",
	"<bob> %s",
	"ana: how do we go on?\nbob: %s\nana: ok",
	"Ana Example: hi\nBob: %s\nAna Example: fine",
	"Nachricht von Bob: %s",
	"Bob schrieb: %s",
	"Mensaje de Bob: %s",
	"Message de Bob : %s",
	"please fix what is asked for here:\nJira comment from Bob:\n%s",
	"Von: bob@example.com\nBetreff: Linter\n\n%s",
}

// What was forwarded or pasted is its author's: nothing of it is the user's.
func TestForwardedIsItsAuthors(t *testing.T) {
	for _, form := range forms {
		for _, said := range saidElsewhere {
			prompt := fmt.Sprintf(form, said)
			for _, d := range draftsOf(prompt) {
				switch {
				case d.Source == memory.Episodes || d.Source == memory.Handoffs:
				case strings.Contains(strings.ToLower(d.Title+d.Text), "marten"):
					t.Errorf("%q\n  is kept as %s %q", prompt, d.Source, d.Title)
				}
			}
		}
	}
}

// What stands like a message but is typed is the user's.
func TestTypedIsTheUsers(t *testing.T) {
	for _, prompt := range []string{
		"Always run the marten linter before a commit.",
		"Please note: always run the marten linter before a commit.",
		"I wrote: the linter is slow. From now on never use marten in the tests.",
		"As I said yesterday: always run the marten linter before a commit.",
		"ok, and always run the marten linter before a commit.",
		"The build at 10:42 failed.\nAlways run the marten linter before a commit.",
		"Always run the marten linter before a commit.\n\n[Slack message from Bob]: never use tabs",
		"Always run the marten linter before a commit.\n\nBob wrote:\n> never use tabs",
		"Goal: lint everything\nScope: all folders\n\nAlways run the marten linter before a commit.",
		"Hi Claude,\nalways run the marten linter before a commit.",
		"2026-03-01 12:00:01 ERROR lint: failed\n\nAlways run the marten linter before a commit.",
	} {
		found := false
		for _, d := range draftsOf(prompt) {
			found = found || d.Source == memory.Preferences && strings.Contains(d.Title+d.Text, "marten")
		}
		if !found {
			t.Errorf("%q: no preference", prompt)
		}
	}
}

func draftsOf(prompt string) []memory.Draft {
	turn := claudecode.Turn{Session: "s", ID: "t", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Prompt: prompt, Replies: []string{"I have looked at it and changed the settings."}}
	return DraftsOf([]claudecode.Turn{turn}, memory.Project{Path: "/p", Name: "p"})
}
