package claudecode

import (
	"fmt"
	"strings"
	"testing"
)

// bytesOf returns how many bytes of words a turn holds.
func bytesOf(t Turn) int {
	n := len(t.Prompt)
	for _, s := range append(append([]string{}, t.Replies...), t.Thinking...) {
		n += len(s)
	}
	for _, a := range t.Actions {
		n += len(a.Input) + len(a.Command) + len(a.Output)
	}
	return n
}

// A turn may have more calls and replies than fit into memory.
func TestReadTurnsHoldsNoTurnWithoutEnd(t *testing.T) {
	var file strings.Builder
	file.WriteString(rec("user", "u1", 1, "one"))
	words, output := strings.Repeat("a word ", 64<<10), strings.Repeat("output ", 1<<10)
	for i := range 60 {
		id := fmt.Sprint("t", i)
		file.WriteString(rec("assistant", "a"+id, 2, []any{
			block{"type": "thinking", "thinking": words}, use(id, "Bash", block{"command": "make " + id}), block{"type": "text", "text": words},
		}))
		file.WriteString(rec("user", "r"+id, 3, []any{result(id, output)}))
	}
	file.WriteString(rec("assistant", "a", 4, []any{block{"type": "text", "text": "It is done."}}))
	turns, scan := read(t, file.String(), 0)
	if len(turns) != 1 || scan.Skipped > 0 {
		t.Fatalf("%d turns, %+v, want one and nothing skipped", len(turns), scan)
	}
	got := turns[0]
	if n := bytesOf(got); n > maxTurn || n < maxTurn/2 {
		t.Errorf("the turn holds %d bytes, want at most %d, and what fits", n, maxTurn)
	}
	if last := got.Replies[len(got.Replies)-1]; last != "It is done." {
		t.Errorf("the last reply is %.20q, want what came out", last)
	}
	if got.Stop != int64(file.Len()) {
		t.Errorf("the turn ends at %d, want %d, the end of the file", got.Stop, file.Len())
	}
}

// Nothing ends the turns of sub-agents, whose records stand among the main ones.
func TestReadTurnsHoldsFewOpenTurns(t *testing.T) {
	var file strings.Builder
	words := strings.Repeat("a word ", 100<<10)
	file.WriteString(rec("user", "u1", 1, "one"))
	const agents = 100
	for i := range agents {
		file.WriteString(rec("user", fmt.Sprint("s", i), 2+i, words, "isSidechain", true, "agentId", fmt.Sprint("agent", i)))
	}
	var early int
	scan, err := ReadTurns(strings.NewReader(file.String()+rec("user", "u2", 500, "two")), 0, func(turn Turn) error {
		if turn.Stop < int64(file.Len()) {
			early++
		}
		return nil
	})
	if err != nil || scan.Lines != agents+2 || early < agents/2 {
		t.Errorf("%d turns were taken before the end, %+v, %v", early, scan, err)
	}
}
