package database

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"recollect/internal/agents/imports/record"
)

func TestMainStatus(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want int
		says string // on stderr
	}{
		{"a database", []string{"engram", "../testdata/engram.db"}, 0, ""},
		{"another program's", []string{"engram", "../testdata/claude-mem.db"}, 1, ""},
		{"no path", []string{"engram"}, 2, "usage: "},
		{"no such program", []string{"mem0", "../testdata/engram.db"}, 2, "usage: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			input, end := io.Pipe()
			defer end.Close()
			if got := Main(tt.args, input, &out, &errs); got != tt.want || !strings.HasPrefix(errs.String(), tt.says) {
				t.Errorf("status %d, %q; want %d, %q", got, errs.String(), tt.want, tt.says)
			}
			if tt.want == 2 {
				return
			}
			err := record.Read(&out, func(record.Line) error { return nil })
			if (err == nil) != (tt.want == 0) {
				t.Errorf("the lines end with %v", err)
			}
		})
	}
}
