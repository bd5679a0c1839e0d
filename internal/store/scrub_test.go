package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestScrub(t *testing.T) {
	one := plain(t, note("one"))
	tests := []struct {
		name      string
		log, torn string
		want      string // the log after a compaction
		wantTorn  string
	}{
		{"nothing to remove", one + "garbage\n", "half a line\n", one + "garbage\n", "half a line\n"},
		{"an unreadable line", one + "zebra garbage\nother garbage\n", "", one + "other garbage\n", ""},
		{"a torn line", one, "half\nzebra half\nhalf\n", one, "half\nhalf\n"},
		{"all that is torn", one, "zebra\n", one, ""},
		{"torn at this moment", one + `{"v":1,"text":"zebra`, "half\n", one, "half\n"},
		{"a memory is not scrubbed", one + plain(t, note("zebra")), "", one + plain(t, note("zebra")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			edit(t, lock, memory.Inbox, tt.log)
			path := filepath.Join(lock.home, folder, logName(memory.Inbox))
			if tt.torn != "" {
				if err := os.WriteFile(path+tornSuffix, []byte(tt.torn), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := open(t, lock)
			if err := s.Scrub(func(line []byte) bool { return bytes.Contains(line, []byte("zebra")) }); err != nil {
				t.Fatal(err)
			}
			if changes := tt.log != tt.want && tt.torn == ""; changes != (s.Garbage()[memory.Inbox].Forgotten > 0) {
				t.Errorf("garbage %+v", s.Garbage())
			}
			if err := s.Compact(memory.Inbox); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			torn, err := os.ReadFile(path + tornSuffix)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.want, tt.wantTorn}, []string{string(got), string(torn)}); diff != "" {
				t.Errorf("log and torn lines (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(path + tornSuffix); (err == nil) != (tt.wantTorn != "") {
				t.Errorf("file of torn lines: %v", err)
			}
		})
	}
}
