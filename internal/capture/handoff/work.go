package handoff

import (
	"fmt"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// A work is what tool calls did to the project.
type work struct {
	changed   bool
	edited    []string // files, those last edited at the end
	unsaved   []string // those of them that no commit followed
	commits   []string
	editIn    int    // turn of the last edit
	committed int    // turn of the last commit
	message   string // of the last commit, "" if the command gave it none
	ran       string // the last command that did more than read
	ranIn     int    // turn of it
	failed    string // what it said when it failed
}

func (k work) clone() work {
	k.edited, k.unsaved, k.commits = slices.Clone(k.edited), slices.Clone(k.unsaved), slices.Clone(k.commits)
	return k
}

// readActions records what was done in a turn, and returns how many files it changed
// and commits it made.
func (w *Session) readActions(s *extract.Turn) int {
	changes := 0
	w.pending = ""
	for _, a := range s.Actions {
		switch a.Tool {
		case "TodoWrite", "TaskCreate", "TaskUpdate":
			w.listed, w.hasNews = w.turns, true
		case "AskUserQuestion":
			w.hasNews = true
		}
		if a.Failed || a.Refused {
			w.work.recordFailure(a, w.turns)
			continue
		}
		isEdit := toolcall.ChangesFile(a.Tool) && w.work.recordEdit(s.Paths.Relative(clean.Text(a.File)), a.Tool == "Write", w.turns)
		if isEdit || a.Command != "" && w.work.recordRun(clean.Text(a.Command), w.turns) {
			changes++
		}
	}
	if n := len(s.Actions); n > 0 {
		if a := s.Actions[n-1]; a.Tool == "AskUserQuestion" && (a.Refused || a.Output == "") {
			w.pending = prose.Clip(prose.OneLine(clean.Text(extract.FirstQuestion(a.Input))), maxItem)
		}
	}
	w.todos.Read(s.Actions)
	for _, name := range w.todos.Open() {
		if w.listed == w.turns && s.ListedElsewhere(name) {
			prose.AddOnce(&w.elsewhere, name)
		}
	}
	w.work.changed = w.work.changed || changes > 0
	return changes
}

// recordEdit records a changed file, the last one behind the others. A written one
// stands before them, because it may be a mere trial. What lies in a scratch
// folder is nothing to hand over.
func (k *work) recordEdit(file string, written bool, turn int) bool {
	if file == "" || inScratch(file) {
		return false
	}
	k.editIn = turn
	for _, list := range []*[]string{&k.edited, &k.unsaved} {
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

// recordRun records a command that passed. It reports whether it was a commit.
func (k *work) recordRun(command string, turn int) bool {
	if message, ok := toolcall.CommitMessage(command); ok {
		k.message = prose.Clip(message, toolcall.MaxCommand)
		prose.AddOnce(&k.commits, k.message)
		k.unsaved, k.ran, k.failed, k.committed = nil, "", "", turn
		return true
	}
	if words := strings.Fields(command); slices.Contains(words, "rm") {
		gone := func(file string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return namesFile(word, file) })
		}
		k.edited, k.unsaved = slices.DeleteFunc(k.edited, gone), slices.DeleteFunc(k.unsaved, gone)
	}
	if line := toolcall.RanLine(command); line != "" {
		k.ran, k.failed, k.ranIn = line, "", turn
	}
	return false
}

// namesFile reports whether a word of a command names the file, in whichever
// folder the command ran.
func namesFile(word, file string) bool {
	word = strings.Trim(word, `"'`)
	return word == file || strings.HasSuffix(file, "/"+word) || strings.HasSuffix(word, "/"+file)
}

func (k *work) recordFailure(a claudecode.Action, turn int) {
	if line := toolcall.RanLine(clean.Text(a.Command)); a.Failed && line != "" {
		k.ran, k.ranIn = line, turn
		k.failed = prose.Clip(toolcall.ErrorLines([]claudecode.Action{a}), maxItem)
	}
}

// lines names what was committed and edited.
func (k *work) lines() []line {
	var out []line
	if n := len(k.commits); n > 0 {
		out = append(out, line{"Committed " + strings.Join(prose.Quoted(k.commits[max(0, n-maxCommits):]), ", "), k.committed})
	}
	if len(k.edited) > 0 {
		out = append(out, line{"Edited " + nameFiles(k.edited), k.editIn})
	}
	return out
}

// linesUncommitted names the files that were edited after the last commit.
func (k *work) linesUncommitted() []line {
	if k.committed == 0 || len(k.unsaved) == 0 {
		return nil
	}
	return []line{{"not committed: " + nameFiles(k.unsaved), k.editIn}}
}

// nameFiles lists the last files, the last first.
func nameFiles(files []string) string {
	out := lastFirst(files, maxFiles)
	if n := len(files) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}

// inFlight lists what was edited and not committed, else what was edited.
func (k *work) inFlight() []string {
	if len(k.unsaved) > 0 {
		return lastFirst(k.unsaved, toolcall.MaxFiles)
	}
	return lastFirst(k.edited, toolcall.MaxFiles)
}

func lastFirst(files []string, most int) []string {
	files = slices.Clone(files[max(0, len(files)-most):])
	slices.Reverse(files)
	return files
}

// passedIn reports whether what ran in a turn did not fail.
func (k *work) passedIn(turn int) bool { return k.ranIn == turn && k.failed == "" }
