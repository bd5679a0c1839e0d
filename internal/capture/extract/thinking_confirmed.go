package extract

import (
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// Little reasoning comes to what it says. Much of it tries one explanation
// after the other and refutes most of them, so that what it concludes counts
// only if the turn confirms it: by the reply, which says what Claude believed
// in the end, and by the code that was changed.

const (
	littleReasoning = 1500 // bytes of a turn's reasoning
	leastConfirmed  = 0.55 // share of a thought's words that the reply of a turn with a change has
	leastAnswered   = 0.4  // the same of a turn without one: the reply is the answer, and no report
	leastNew        = 0.1  // share of a thought's words that the reply has and the prompt has not
	leastWorth      = 0.48 // what the best thought has to be worth

	worthOfTerm   = 0.06 // each of its names in the changed code, up to maxTerms
	maxTerms      = 4
	worthOfRemedy = 0.15  // it says what is wrong and what is to be done
	worthOfMere   = -0.15 // a mere reason, or what there is not
	worthOfHalf   = -0.2  // only what is to be done
)

// confirmedThoughts returns the one of the thoughts that the turn confirms best, none
// if it confirms none.
func (s *Turn) confirmedThoughts(thoughts []dialogue.Thought, changed []changedFile) []dialogue.Thought {
	best, most, least := -1, leastWorth, leastConfirmed
	if len(changed) == 0 {
		most, least = 0, leastAnswered
	}
	reply := dialogue.WordsOf(s.Reply)
	added := reply.Without(dialogue.WordsOf(s.Asked))
	for i, t := range thoughts {
		said, news := t.Shares(reply), t.Shares(added)
		if said < least || news < leastNew || !t.Stands() {
			continue
		}
		if w := (said+news)/2 + worthOf(t, changed); w > most {
			best, most = i, w
		}
	}
	if best < 0 {
		return nil
	}
	return thoughts[best : best+1]
}

// worthOf measures how much a thought tells beyond its words: that it names the
// code that was changed, and that it has a cause with its remedy.
func worthOf(t dialogue.Thought, changed []changedFile) float64 {
	names, most := t.Terms(), 0
	for _, c := range changed {
		if !c.isTrial() {
			most = max(most, c.countNames(names))
		}
	}
	worth := worthOfTerm * float64(min(most, maxTerms))
	switch whole, remedy := t.Remedies(); {
	case remedy && whole:
		worth += worthOfRemedy
	case remedy:
		worth += worthOfHalf
	case t.Mere:
		worth += worthOfMere
	}
	return worth
}

// A changedFile is what a turn changed in one of the project's files.
type changedFile struct {
	file    string
	words   map[string]bool // of the code that was replaced and of what replaced it
	written bool            // the whole file was written
}

// changedFiles returns what a turn changed in the project's files.
func (s *Turn) changedFiles() []changedFile {
	var out []changedFile
	for _, a := range s.Actions {
		file := s.Paths.Relative(clean.Text(a.File))
		isDone := !a.Failed && !a.Refused
		if !isDone || !toolcall.ChangesFile(a.Tool) || !filepath.IsLocal(file) {
			continue
		}
		at := slices.IndexFunc(out, func(c changedFile) bool { return c.file == file })
		if at < 0 {
			at = len(out)
			out = append(out, changedFile{file: file, words: map[string]bool{}, written: a.Tool == "Write"})
		}
		code := toolcall.Member(a.Input, "old_string") + "\n" + toolcall.Member(a.Input, "new_string", "content")
		for _, word := range strings.FieldsFunc(strings.ToLower(code), prose.NotInName) {
			out[at].words[word] = true
		}
	}
	return out
}

// isTrial reports whether a change is hardly what fixed anything: a test, or a file
// that was written as a whole.
func (c changedFile) isTrial() bool {
	return c.written || statements.ThinkingRules().TestFile.MatchString(c.file)
}

// countNames counts the names that the changed code has.
func (c changedFile) countNames(names []string) int {
	n := 0
	for _, name := range names {
		if c.words[name] {
			n++
		}
	}
	return n
}
