// Package handoff writes where the last session of a project stopped, for the
// next one: what was done, what is open, what comes next.
package handoff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/clean"
	"recollect/internal/extract"
	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/toolcall"
)

// Bounds of the parts of a handoff, in bytes where not said otherwise.
const (
	maxHandoffPart = 700 // of a field
	maxOpenItems   = 5   // to-dos, commits
	maxItem        = 200 // of an item, a question, an error
	maxWanted      = 300 // of what a summary says was asked for
	staleTurns     = 3   // a to-do list that was not touched in so many turns says nothing any more
)

// A Session is what the main transcript shows of one, gathered turn by turn,
// as far as the next session needs to know it.
type Session struct {
	turns   int   // in a human's words
	about   topic // that most was changed for
	now     topic
	last    *extract.Scene
	ended   time.Time
	board   extract.Board
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

// A finalRun is the last command that did more than read.
type finalRun struct {
	line   string
	failed string // what it said when it failed
	turn   int
}

// stopped says that the user pressed Escape. That alone is nothing to hand
// over.
const stopped = "interrupted by the user"

// Add makes s known, the turn after those that were added before. Turns of
// sub-agents and what no human asked for are passed over.
func (w *Session) Add(s *extract.Scene) {
	if s.Sidechain || s.Agent != "" || !s.Typed() {
		return
	}
	w.turns++
	w.last = s
	w.board.Session = s.Session
	if !prose.Trivial(s.Asked) {
		w.now = topic{title: prose.Clip(prose.ItemWords(prose.Title(s.Asked)), maxItem)}
	}
	for _, at := range []time.Time{s.At, s.End} {
		if at.After(w.ended) {
			w.ended = at
		}
	}
	w.act(s)
	if s.Summary != "" {
		w.summary, w.summed = readSummary(clean.Text(s.Summary)), w.turns
	}
}

// act records what was done in a turn.
func (w *Session) act(s *extract.Scene) {
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
		if toolcall.ChangesFile(a.Tool) && w.edit(s.Paths.Relative(clean.Text(a.File)), a.Tool == "Write") ||
			a.Command != "" && w.run(clean.Text(a.Command)) {
			changes++
		}
	}
	w.board.Read(s.Actions)
	if changes > 0 {
		w.worked, w.outcome = true, cameOut(s.Reply)
	}
	if w.now.changes += changes; w.about.title == "" || w.now.changes > w.about.changes {
		w.about = w.now
	}
}

// edit records a changed file, the last one behind the others. A written one
// stands before them, because it may be a mere trial. What lies in a scratch
// folder is nothing to hand over.
func (w *Session) edit(file string, written bool) bool {
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

// run records a command that passed. It reports whether it was a commit.
func (w *Session) run(command string) bool {
	if message, ok := toolcall.CommitMessage(command); ok {
		prose.AddOnce(&w.commits, prose.Clip(message, toolcall.MaxCommand))
		w.unsaved, w.ran = nil, nil
		return true
	}
	if words := strings.Fields(command); slices.Contains(words, "rm") {
		gone := func(file string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return namesFile(word, file) })
		}
		w.edited, w.unsaved = slices.DeleteFunc(w.edited, gone), slices.DeleteFunc(w.unsaved, gone)
	}
	if line := toolcall.RanLine(command); line != "" {
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

func (w *Session) failed(a claudecode.Action) {
	if line := toolcall.RanLine(clean.Text(a.Command)); a.Failed && line != "" {
		w.ran = &finalRun{line, prose.Clip(toolcall.ErrorLines([]claudecode.Action{a}), maxItem), w.turns}
	}
}

// Draft returns what the next session of the project should know of this
// one: what was done, what is open, what comes next. There is none when
// nothing was changed, left open or announced.
func (w *Session) Draft() (memory.Draft, bool) {
	if w.about.title == "" {
		return memory.Draft{}, false
	}
	fields := map[string]string{"done": w.done(), "open": w.open(), "next": w.next()}
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	if len(fields) == 0 || !w.worked && w.summary == nil && (w.turns < 2 || fields["next"] == "" && w.open() == stopped) {
		return memory.Draft{}, false
	}
	m := w.last.Draft(memory.Handoffs, memory.OriginAssistant)
	m.OccurredAt, m.Confidence = w.ended, 0.8
	m.Title, m.Text, m.Fields = "Handoff: "+w.about.title, w.text(), fields
	m.Files = w.files()
	m.Keywords = prose.Keywords(w.about.title, fields["done"], fields["open"], fields["next"])
	m.Subject = []string{w.last.Session}
	return m, true
}

// text says what was asked for and where the work stood.
func (w *Session) text() string {
	var lines []string
	say := func(label, words string, most int) {
		if words != "" {
			lines = append(lines, label+": "+prose.Clip(words, most))
		}
	}
	say("Wanted", w.summary["wanted"], maxWanted)
	if w.justSummed() {
		say("At work on", w.summary["work"], maxWanted)
	}
	if latest := prose.Clip(prose.ItemWords(prose.Title(w.last.Asked)), maxItem); latest != w.about.title && !prose.Trivial(latest) {
		say("Last asked", latest, maxItem)
	}
	switch branch := clean.Text(w.last.Branch); branch {
	case "", "main", "master", "HEAD":
	default:
		say("Branch", branch, toolcall.MaxCommand)
	}
	return strings.Join(lines, "\n")
}

func (w *Session) justSummed() bool { return w.summary != nil && w.turns-w.summed <= 1 }

// done says how the work came out, what was committed and what was edited.
func (w *Session) done() string {
	parts := []string{w.outcome}
	if w.outcome == "" && w.justSummed() {
		parts[0] = w.summary[""]
	}
	if n := len(w.commits); n > 0 {
		parts = append(parts, "Committed "+strings.Join(prose.Quoted(w.commits[max(0, n-maxOpenItems):]), ", ")+".")
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

// open says what the next session should not take for finished.
func (w *Session) open() string {
	var parts []string
	if w.last.Interrupted {
		parts = append(parts, stopped)
	}
	if w.ran != nil && w.ran.turn == w.turns && w.ran.failed != "" && (w.last.Interrupted || admits(w.last.Reply)) {
		parts = append(parts, "`"+w.ran.line+"` failed last: "+w.ran.failed)
	}
	if question := w.question(); question != "" {
		parts = append(parts, "asked the user: "+question)
	}
	if w.turns-w.listed < staleTurns && w.listed > 0 {
		parts = append(parts, w.todos()...)
	}
	if w.justSummed() {
		parts = append(parts, w.summary["pending"])
	}
	if len(w.commits) > 0 && len(w.unsaved) > 0 {
		parts = append(parts, "not committed: "+strings.Join(w.lastFiles(w.unsaved), ", "))
	}
	return together(parts, "; ")
}

func (w *Session) todos() []string {
	open := w.board.Open()
	out := open[:min(len(open), maxOpenItems)]
	for i, name := range out {
		out[i] = "to do: " + name
	}
	return out
}

// question is what Claude asked last and the user did not answer.
func (w *Session) question() string {
	if n := len(w.last.Actions); n > 0 {
		if a := w.last.Actions[n-1]; a.Tool == "AskUserQuestion" && (a.Refused || a.Output == "") {
			return prose.Clip(prose.OneLine(clean.Text(extract.FirstQuestion(a.Input))), maxItem)
		}
	}
	return lastQuestion(w.last.Reply)
}

func (w *Session) next() string {
	next := announced(w.last.Reply)
	if next == "" && w.justSummed() {
		next = w.summary["next"]
	}
	return together([]string{next}, "")
}

// files lists what is in flight: edited and not committed, the last first.
func (w *Session) files() []string {
	if len(w.unsaved) > 0 {
		return w.lastFiles(w.unsaved)
	}
	return w.lastFiles(w.edited)
}

func (w *Session) lastFiles(files []string) []string {
	files = slices.Clone(files[max(0, len(files)-toolcall.MaxFiles):])
	slices.Reverse(files)
	return files
}

func together(parts []string, between string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return prose.Clip(strings.Join(parts, between), maxHandoffPart)
}
