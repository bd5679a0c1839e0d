package daemon

import (
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/usefulness"
)

// A hook is asked a little before its prompt is written down.
const beforePrompt = 2 * time.Second

// weigh notes what of that which a session was told was of use in a turn. A
// sub-agent works beside that turn, in a context of its own.
func (d *Daemon) weigh(t claudecode.Turn) {
	var told []memory.Memory
	var lines []telling
	for _, line := range d.usage.open(t.Session, t.Sidechain) {
		if !toldIn(line, t) {
			continue
		}
		m, err := d.store.Get(line.ID)
		if err != nil {
			continue // forgotten since
		}
		told, lines = append(told, m), append(lines, line)
	}
	if len(told) == 0 {
		return
	}
	var verdicts []telling
	for i, used := range usefulness.Used(t, told, d.commonWords()) {
		if used || lines[i].Used == nil {
			verdicts = append(verdicts, lines[i].verdict(used, time.Now().UTC()))
		}
	}
	d.usage.append(verdicts)
}

// toldIn reports whether a turn may have made use of a telling. What was told
// as the session began stays for all of it, anything else is for one turn.
func toldIn(line telling, t claudecode.Turn) bool {
	if t.At.IsZero() || line.last.After(t.End) {
		return false
	}
	return line.Event == startEvent || !line.last.Before(t.At.Add(-beforePrompt))
}

// A word is common that more than one memory of a hundred has.
const (
	commonShare = 100
	commonLeast = 3 // memories that may have a word in any case
)

// commonWords returns a function that tells whether a word is common among
// all memories. A word that cannot be looked up is common: it proves nothing.
func (d *Daemon) commonWords() func(string) bool {
	known := map[string]bool{}
	return func(word string) bool {
		common, ok := known[word]
		if !ok {
			common = d.commonWord(word)
			known[word] = common
		}
		return common
	}
}

// commonWord looks a word up as a whole: it is as common as the rarest of its
// terms.
func (d *Daemon) commonWord(word string) bool {
	var terms []string
	for _, token := range index.Analyze(word) {
		terms = append(terms, token.Text)
	}
	df, docs, err := d.index.Frequencies(terms)
	if err != nil || len(df) == 0 {
		return true
	}
	for _, n := range df {
		if n <= max(commonLeast, docs/commonShare) {
			return false
		}
	}
	return true
}
