package capture

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// Bounds of what a handoff tells, in bytes where not said otherwise.
const (
	maxHandoffPart = 700 // of a field
	maxOpenItems   = 5   // to-dos, commits
	maxItem        = 200 // of an item, a question, an error
	maxWanted      = 300 // of what a summary says was asked for
	staleTurns     = 3   // a to-do list that was not touched in so many turns says nothing any more
)

// A session is what the main transcript shows of one, gathered turn by turn,
// as far as the next session needs to know it.
type session struct {
	turns   int   // in a human's words
	about   topic // that most was changed for
	now     topic
	last    *scene
	ended   time.Time
	board   board
	listed  int // turn that last touched the board
	worked  bool
	edited  []string // files, those last edited at the end
	unsaved []string // those of them that no commit followed
	commits []string
	ran     *finalRun
	summary map[string]string
	summed  int    // turn in which the conversation was compacted
	outcome string // of the last turn that changed something
}

// A topic is what a prompt asked for, and how much was changed because of it
// and of those after it that only say to go on.
type topic struct {
	title   string
	changes int
}

// A finalRun is the last command that did more than look around.
type finalRun struct {
	line   string
	failed string // what it said when it failed
	turn   int
}

// stopped says that the user pressed Escape. That alone is nothing to hand
// over.
const stopped = "interrupted by the user"

// add makes s known, the turn after those that were added before. Turns of
// sub-agents and what no human asked for are passed over.
func (w *session) add(s *scene) {
	if s.Sidechain || s.Agent != "" || !s.typed() {
		return
	}
	w.turns++
	w.last = s
	w.board.session = s.Session
	if !trivial(s.asked) {
		w.now = topic{title: clip(itemWords(title(s.asked)), maxItem)}
	}
	for _, at := range []time.Time{s.At, s.End} {
		if at.After(w.ended) {
			w.ended = at
		}
	}
	w.act(s)
	if s.Summary != "" {
		w.summary, w.summed = readSummary(Clean(s.Summary)), w.turns
	}
}

// act notes what was done in a turn.
func (w *session) act(s *scene) {
	changes := 0
	for _, a := range s.Actions {
		switch a.Tool {
		case "TodoWrite", "TaskCreate", "TaskUpdate":
			w.listed = w.turns
		}
		if a.Failed || a.Refused {
			w.failed(a)
			continue
		}
		if changesFile(a.Tool) && w.edit(s.project.relative(Clean(a.File)), a.Tool == "Write") ||
			a.Command != "" && w.run(Clean(a.Command)) {
			changes++
		}
	}
	w.board.read(s.Actions)
	if changes > 0 {
		w.worked, w.outcome = true, cameOut(s.reply)
	}
	if w.now.changes += changes; w.about.title == "" || w.now.changes > w.about.changes {
		w.about = w.now
	}
}

// edit notes a changed file, the last one behind the others. A written one
// stands before them, because it may be a mere trial. What lies in a scratch
// folder is nothing to hand over.
func (w *session) edit(file string, written bool) bool {
	if file == "" || inScratch(file) {
		return false
	}
	for _, list := range []*[]string{&w.edited, &w.unsaved} {
		known := slices.Contains(*list, file)
		switch {
		case !written:
			*list = append(slices.DeleteFunc(*list, func(other string) bool { return other == file }), file)
		case !known:
			*list = slices.Insert(*list, 0, file)
		}
	}
	return true
}

func inScratch(file string) bool {
	for _, folder := range []string{"/tmp/", "/var/folders/", "/.claude/", "/Temp/"} {
		if strings.Contains("/"+file, folder) {
			return true
		}
	}
	return false
}

// run notes a command that passed. It reports whether it was a commit.
func (w *session) run(command string) bool {
	if message := commitMessage(command); message != "" || strings.Contains(blankQuoted(command), "git commit") {
		addOnce(&w.commits, clip(message, maxCommand))
		w.unsaved, w.ran = nil, nil
		return true
	}
	if words := strings.Fields(command); slices.Contains(words, "rm") {
		gone := func(file string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return namesFile(word, file) })
		}
		w.edited, w.unsaved = slices.DeleteFunc(w.edited, gone), slices.DeleteFunc(w.unsaved, gone)
	}
	if line := ranLine(command); line != "" {
		w.ran = &finalRun{line: line, turn: w.turns}
	}
	return false
}

// namesFile reports whether a word of a command names the file, in whichever
// folder the command ran.
func namesFile(word, file string) bool {
	word = strings.Trim(word, `"'`)
	return word == file || strings.HasSuffix(file, "/"+word) || strings.HasSuffix(word, "/"+file)
}

func (w *session) failed(a claudecode.Action) {
	if line := ranLine(Clean(a.Command)); a.Failed && line != "" {
		w.ran = &finalRun{line, clip(errorLines([]claudecode.Action{a}), maxItem), w.turns}
	}
}

// ranLine is a command as it is told, "" if it only looks around.
func ranLine(command string) string {
	command, _ = unpiped(stepInto(command))
	if line := shorten(command); !looksAround(line) {
		return line
	}
	return ""
}

// handoff returns what the next session of the project should know of this
// one: what was done, what is open, what comes next. There is none when
// nothing was changed, left open or announced.
func (w *session) handoff() (memory.Memory, bool) {
	if w.about.title == "" {
		return memory.Memory{}, false
	}
	fields := map[string]string{"done": w.done(), "open": w.open(), "next": w.next()}
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	if len(fields) == 0 || !w.worked && w.summary == nil && (w.turns < 2 || fields["next"] == "" && w.open() == stopped) {
		return memory.Memory{}, false
	}
	m := w.last.memory(memory.Handoffs, memory.OriginAssistant)
	m.OccurredAt, m.Confidence = w.ended, 0.8
	m.Title, m.Text, m.Fields = "Handoff: "+w.about.title, w.text(), fields
	m.Files = w.files()
	m.Keywords = keywords(w.about.title, fields["done"], fields["open"], fields["next"])
	m.SetSubject(w.last.Session)
	return m, true
}

// text says what was asked for and where the work stood.
func (w *session) text() string {
	var lines []string
	say := func(label, words string, most int) {
		if words != "" {
			lines = append(lines, label+": "+clip(words, most))
		}
	}
	say("Wanted", w.summary["wanted"], maxWanted)
	if w.justSummed() {
		say("At work on", w.summary["work"], maxWanted)
	}
	if latest := clip(itemWords(title(w.last.asked)), maxItem); latest != w.about.title && !trivial(latest) {
		say("Last asked", latest, maxItem)
	}
	switch branch := Clean(w.last.Branch); branch {
	case "", "main", "master", "HEAD":
	default:
		say("Branch", branch, maxCommand)
	}
	return strings.Join(lines, "\n")
}

func (w *session) justSummed() bool { return w.summary != nil && w.turns-w.summed <= 1 }

// done tells how the work came out, what was committed and what was edited.
func (w *session) done() string {
	parts := []string{w.outcome}
	if w.outcome == "" && w.justSummed() {
		parts[0] = w.summary[""]
	}
	if n := len(w.commits); n > 0 {
		parts = append(parts, "Committed "+strings.Join(quoted(w.commits[max(0, n-maxOpenItems):]), ", ")+".")
	}
	if n := len(w.edited); n > 0 {
		files := w.lastFiles(w.edited)
		if n > len(files) {
			files = append(files, fmt.Sprintf("%d more", n-len(files)))
		}
		parts = append(parts, "Edited "+strings.Join(files, ", ")+".")
	}
	return together(parts, " ")
}

// open tells what the next session should not take for finished.
func (w *session) open() string {
	var parts []string
	if w.last.Interrupted {
		parts = append(parts, stopped)
	}
	if w.ran != nil && w.ran.turn == w.turns && w.ran.failed != "" && (w.last.Interrupted || admits(w.last.reply)) {
		parts = append(parts, "`"+w.ran.line+"` failed last: "+w.ran.failed)
	}
	if question := w.question(); question != "" {
		parts = append(parts, "asked the user: "+question)
	}
	if w.turns-w.listed < staleTurns && w.listed > 0 {
		parts = append(parts, w.chores()...)
	}
	if w.justSummed() {
		parts = append(parts, w.summary["pending"])
	}
	if len(w.commits) > 0 && len(w.unsaved) > 0 {
		parts = append(parts, "not committed: "+strings.Join(w.lastFiles(w.unsaved), ", "))
	}
	return together(parts, "; ")
}

func (w *session) chores() []string {
	var out []string
	for _, t := range w.board.items {
		if t.open && len(out) < maxOpenItems {
			out = append(out, "to do: "+t.name)
		}
	}
	return out
}

// question is what Claude asked last and the user did not answer.
func (w *session) question() string {
	if n := len(w.last.Actions); n > 0 {
		if a := w.last.Actions[n-1]; a.Tool == "AskUserQuestion" && (a.Refused || a.Output == "") {
			return clip(oneLine(Clean(firstQuestion(a.Input))), maxItem)
		}
	}
	return lastQuestion(w.last.reply)
}

func (w *session) next() string {
	next := announced(w.last.reply)
	if next == "" && w.justSummed() {
		next = w.summary["next"]
	}
	return together([]string{next}, "")
}

// files lists what is in flight: edited and not committed, the last first.
func (w *session) files() []string {
	if len(w.unsaved) > 0 {
		return w.lastFiles(w.unsaved)
	}
	return w.lastFiles(w.edited)
}

func (w *session) lastFiles(files []string) []string {
	files = slices.Clone(files[max(0, len(files)-maxFiles):])
	slices.Reverse(files)
	return files
}

func together(parts []string, between string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return clip(strings.Join(parts, between), maxHandoffPart)
}

// newer returns the one of two records of a session's handoff that was made
// of more of it. Of the same part, old stays, because it may have been edited.
func newer(old, fresh memory.Memory, grown bool) memory.Memory {
	switch {
	case fresh.OccurredAt.Before(old.OccurredAt),
		fresh.OccurredAt.Equal(old.OccurredAt) && fresh.Turn == old.Turn && !grown:
		return old
	}
	fresh.Supersedes = old.Supersedes
	return fresh
}
