package claudecode

import (
	"strings"
	"time"
)

// memoTag encloses what a user had a client of 2025 remember by a line that began with "#".
const memoTag = "user-memory-input"

// What encloses the parts of a slash command, and what a prompt begins with that has an approved
// plan carried out in a new session.
const (
	commandNameTag = "command-name"
	commandArgsTag = "command-args"
	planMark       = "Implement the following plan:"
	planNote       = "\n\nIf you need specific details from before exiting plan mode" // what the client adds below a plan
)

// A request is what a prompt asks for.
type request struct {
	words   string
	command string
	plan    string
	memo    bool
}

// requestOf reads what a human asked for in a prompt, or has had carried out. It reports false for what
// begins no turn.
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

// planRequest returns what stands for the prompt that has a plan carried out: the plan's heading.
func planRequest(plan string) string {
	heading, _, _ := strings.Cut(plan, "\n")
	return planMark + " " + strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(heading, "# "), "Plan:"))
}

// inTag returns what stands in the first <tag>…</tag> of s.
func inTag(s, tag string) string {
	_, rest, _ := strings.Cut(s, "<"+tag+">")
	inner, _, closed := strings.Cut(rest, "</"+tag+">")
	if !closed {
		return ""
	}
	return strings.TrimSpace(inner)
}

// unasked are the turns, by what Claude Code says began them, that no prompt of a human or a program began.
var unasked = map[string]bool{
	"scheduled": true, "task_notification": true, "auto_continuation": true, "peer": true, "host_synthetic": true, "system": true,
}

// byHuman reports whether a prompt may be a human's: no notification, schedule, loop, other session or
// part of the client began it.
func (rec *record) byHuman() bool {
	if rec.meta || rec.source == "system" || unasked[rec.turn] {
		return false
	}
	return rec.origin == "" || rec.origin == "human"
}

// editors are how the entry points of programs begin in which a human types.
var editors = [...]string{"claude-vscode", "claude-desktop"}

// byProgram reports whether a prompt came through the SDK or "claude -p". Editors and the desktop use the
// SDK, too, for what a human types.
func (rec *record) byProgram() bool {
	if rec.origin == "human" || beginsWithAny(rec.entry, editors[:]) {
		return false
	}
	sdk := rec.turn == "sdk" || rec.source == "sdk"
	return sdk || strings.Contains(rec.entry, "sdk-") || strings.Contains(rec.entry, "github-action")
}

// blockedMark is how the client begins to say that a hook blocked a prompt, and promptMark what stands before
// the prompt.
const (
	blockedMark = "UserPromptSubmit operation blocked by hook"
	promptMark  = "Original prompt: "
	blockedNear = 2 * time.Second // between that and the record of the prompt, if the client writes it later
)

// takeBlocked takes back the prompt that a hook blocked: the last one, if Claude has not begun to answer. A prompt that
// is written later is remembered.
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

// isBlocked reports whether rec is a prompt of which the client said before that a hook blocked it.
func (a *assembler) isBlocked(rec record, words string) bool {
	return a.blocked != "" && words == a.blocked && rec.at.Sub(a.blockedAt).Abs() <= blockedNear
}

// unanswered reports whether Claude has said and done nothing for the prompt.
func (b *building) unanswered() bool { return len(b.Replies)+len(b.Thinking)+len(b.Actions) == 0 }

// drop removes a turn that was not one.
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
