package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestSource(t *testing.T) {
	s := open(t, own(t))
	add(t, s, note("one"), memory.Memory{Source: memory.Goals, Text: "goal"}, note("two"))
	tests := []struct {
		src  memory.Source
		want []string
	}{
		{memory.Inbox, []string{"one", "two"}},
		{memory.Goals, []string{"goal"}},
		{memory.Journal, nil},
		{"notes", nil},
	}
	for _, tt := range tests {
		var got []string
		for m, err := range s.Source(tt.src) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, m.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Source(%s), -want +got:\n%s", tt.src, diff)
		}
	}
}
