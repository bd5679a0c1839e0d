package claudecode

import (
	"strings"
	"time"
)

// memoTag encloses a line beginning with "#", by which users of clients of 2025 stored a memory.
const memoTag = "user-memory-input"

// Tags of the parts of a slash command, and the beginning of a prompt that starts the work on an approved
// plan in a new session.
const (
	commandNameTag = "command-name"
	commandArgsTag = "command-args"
	planMark       = "Implement the following plan:"
	planNote       = "\n\nIf you need specific details from before exiting plan mode" // the client adds this below a plan
)

// A request holds the parts of a prompt that a human wrote or approved.
type request struct {
	words   string
	command string
	plan    string
	memo    bool
}

// requestOf reads the request in a prompt. It returns false if the prompt begins no turn.
func requestOf(rec record, words string) (request, bool) {
	switch {
	case rec.side:
	case strings.HasPrefix(words, commandMark):
		name := inTag(words, commandNameTag)
		if name != "" && !strings.HasPrefix(name, "/") {
			name = "/" + name
		}
		r := request{words: inTag(words, commandArgsTag), command: name}
		if r.words == "" {
			r.words = name
		}
		return r, name != ""
	case strings.HasPrefix(words, "<"+memoTag+">"):
		r := request{words: inTag(words, memoTag), memo: true}
		return r, r.words != ""
	case strings.HasPrefix(words, planMark):
		plan := rec.plan
		if plan == "" {
			plan, _, _ = strings.Cut(strings.TrimPrefix(words, planMark), planNote)
		}
		plan = strings.TrimSpace(plan)
		return request{words: planRequest(plan), plan: plan}, plan != ""
	}
	return request{words: words}, Typed(words)
}

// planRequest returns the text that replaces the prompt of a plan: it contains only the plan's heading.
func planRequest(plan string) string {
	heading, _, _ := strings.Cut(plan, "\n")
	return planMark + " " + strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(heading, "# "), "Plan:"))
}

// inTag returns the content of the first <tag>…</tag> in s.
func inTag(s, tag string) string {
	_, rest, _ := strings.Cut(s, "<"+tag+">")
	inner, _, closed := strings.Cut(rest, "</"+tag+">")
	if !closed {
		return ""
	}
	return strings.TrimSpace(inner)
}

// unasked are the origins of turns that no prompt of a human or a program began, as Claude Code names
// them.
var unasked = map[string]bool{
	"scheduled": true, "task_notification": true, "auto_continuation": true, "peer": true, "host_synthetic": true, "system": true,
}

// byHuman reports whether a human may have written a prompt, and no notification, schedule, loop, other
// session or part of the client.
func (rec *record) byHuman() bool {
	if rec.meta || rec.source == "system" || unasked[rec.turn] {
		return false
	}
	return rec.origin == "" || rec.origin == "human"
}

// editors are prefixes of the entry points of programs in which a human types.
var editors = [...]string{"claude-vscode", "claude-desktop"}

// byProgram reports whether a prompt came through the SDK or "claude -p". Editors and the desktop app
// also use the SDK, but for what a human types.
func (rec *record) byProgram() bool {
	if rec.origin == "human" || beginsWithAny(rec.entry, editors[:]) {
		return false
	}
	sdk := rec.turn == "sdk" || rec.source == "sdk"
	return sdk || strings.Contains(rec.entry, "sdk-") || strings.Contains(rec.entry, "github-action")
}

// blockedMark begins the client's notice that a hook blocked a prompt; promptMark precedes the prompt in
// it.
const (
	blockedMark = "UserPromptSubmit operation blocked by hook"
	promptMark  = "Original prompt: "
	blockedNear = 2 * time.Second // largest distance between the notice and the prompt's record, if the client writes that later
)

// takeBlocked removes the turn of a prompt that a hook blocked, unless Claude has begun to answer. It
// also remembers the prompt, because the client may write its record later.
func (a *assembler) takeBlocked(rec record) {
	_, words, said := strings.Cut(rec.notice, promptMark)
	words = strings.TrimSpace(words)
	b := a.threads[""]
	meant := b != nil && (!said || words == b.asked)
	if meant && b.unanswered() {
		a.drop(b)
	}
	a.blocked, a.blockedAt = words, rec.at
}

// isBlocked reports whether rec is a prompt for which a notice said that a hook blocked it.
func (a *assembler) isBlocked(rec record, words string) bool {
	return a.blocked != "" && words == a.blocked && rec.at.Sub(a.blockedAt).Abs() <= blockedNear
}

// unanswered reports whether Claude has neither said nor done anything for the prompt.
func (b *building) unanswered() bool { return len(b.Replies)+len(b.Thinking)+len(b.Actions) == 0 }

// drop removes the turn b without yielding it.
func (a *assembler) drop(b *building) {
	for i, o := range a.open {
		if o == b {
			a.open = append(a.open[:i:i], a.open[i+1:]...)
			a.held -= b.size
			break
		}
	}
	delete(a.threads, b.thread)
}
