package store

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"recollect/internal/memory"
)

// What is read ahead is what is read line by line, in whatever batches, and up
// to where reading fails.
func TestReadAhead(t *testing.T) {
	odd := []string{
		"no JSON\n", "\n", `{"id":"note-3","deleted":true}` + "\n", strings.Repeat("l", maxLine+1) + "\n",
		`{"text":"by hand","source":"goals"}` + "\n", plain(t, memory.Memory{Source: memory.Inbox, Text: "newer", Supersedes: []string{"note-1", "note-2"}}),
	}
	logOf := func(lines int) string {
		var b strings.Builder
		for i := range lines {
			if i%100 == 99 {
				b.WriteString(odd[i/100%len(odd)])
				continue
			}
			b.WriteString(plain(t, memory.Memory{ID: fmt.Sprintf("note-%d", i%700), Source: memory.Inbox, Text: fmt.Sprint("line ", i)}))
		}
		return b.String()
	}
	tests := []struct {
		name string
		log  string
		err  error
	}{
		{"empty", "", nil},
		{"one line", logOf(1), nil},
		{"a batch", logOf(batchLines), nil},
		{"a batch and a line", logOf(batchLines + 1), nil},
		{"more batches than wait", logOf((batchesAhead+3)*batchLines - 1), nil},
		{"torn", logOf(batchLines) + `{"v":1,`, nil},
		{"no newline at the end", strings.TrimSuffix(logOf(2*batchLines), "\n"), nil},
		{"fails in a batch", logOf(batchLines + 10), errors.New("bad sector")},
		{"fails behind a batch", logOf(batchLines), errors.New("bad sector")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reader := func() *lineReader {
				var r io.Reader = strings.NewReader(tt.log)
				if tt.err != nil {
					r = io.MultiReader(r, iotest.ErrReader(tt.err))
				}
				return newLineReader(r, Mark{}, int64(len(tt.log)))
			}
			want, got := newContents(memory.Inbox, false), newContents(memory.Inbox, false)
			if err := want.read(reader()); !errors.Is(err, tt.err) {
				t.Fatalf("read() = %v, want %v", err, tt.err)
			}
			if err := got.readAhead(reader()); !errors.Is(err, tt.err) {
				t.Errorf("readAhead() = %v, want %v", err, tt.err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("readAhead: %d live, %d flaws, end %v; read: %d live, %d flaws, end %v",
					got.live, len(got.flaws), got.end, want.live, len(want.flaws), want.end)
			}
		})
	}
}
