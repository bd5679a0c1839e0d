package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was said is read on from where the last reading stopped, a line only once it is whole.
func TestReadSpoken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	const half = `{"type":"user","message":{"content":"and glaze`
	text := `{"type":"user","message":{"content":"fire the kiln"}}
{"type":"assistant","message":{"content":[{"type":"text","text":"at noon"},{"type":"tool_use","input":{"command":"fire --slow"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"1200 degrees"},{"type":"tool_result","content":[{"type":"text","text":"done"}]}]}}
{"type":"assistant","isSidechain":true,"message":{"content":"of a sub-agent"}}
{"type":"user","isCompactSummary":true,"message":{"content":"so far: fired"}}
"message" that is no JSON
` + half
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	read := func(offset, end, room int64) int64 {
		t.Helper()
		got = nil
		next, err := ReadSpoken(path, offset, end, room, func(by Speaker, text string) { got = append(got, fmt.Sprint(by, " ", text)) })
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	write(text)
	end := read(0, 1<<20, 1<<20)
	if diff := cmp.Diff([]string{"1 fire the kiln", "2 at noon", "4 fire --slow", "4 1200 degrees", "4 done", "8 so far: fired"}, got); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
	if want := int64(len(text) - len(half)); end != want {
		t.Errorf("read up to %d, want %d", end, want)
	}
	write(text + ` it"}}` + "\n")
	if read(end, 1<<20, 1<<20); len(got) != 1 || got[0] != "1 and glaze it" {
		t.Errorf("then %q", got)
	}
	if read(0, 1<<20, int64(len(half)+10)); len(got) != 1 {
		t.Errorf("of the end alone %q", got)
	}
	if next := read(0, 40, 1<<20); len(got) != 0 || next != 0 {
		t.Errorf("of what ends within the first line %q, up to %d", got, next)
	}
	if next := read(0, int64(strings.Index(text, "\n")+1), 1<<20); len(got) != 1 || read(next, 10, 1<<20) != next {
		t.Errorf("before the second line %q", got)
	}
	if _, err := ReadSpoken(path+"x", 0, 0, 1, nil); err == nil {
		t.Error("read a transcript that is not there")
	}
}
