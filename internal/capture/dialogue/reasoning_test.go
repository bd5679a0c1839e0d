package dialogue

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThoughts(t *testing.T) {
	const (
		cause     = "The root cause is that `closeRows` is never called when `Scan` fails."
		rejection = "A global lock won't work because `Flush` is called from the callback, too."
	)
	tests := []struct {
		name   string
		blocks []string
		asked  string
		want   []string // texts
	}{
		{"nothing", nil, "why?", nil},
		{"narration", []string{"Let me look at the file. Now I need to run the tests because the fix is in."}, "", nil},
		{"a cause tells more than a rejection", []string{cause + " Let me see. " + rejection}, "", []string{cause, rejection}},
		{"of two that tell as much the last one first", []string{cause, "The actual problem is that `parse_date` drops the time zone."}, "",
			[]string{"The actual problem is that `parse_date` drops the time zone.", cause}},
		{"taken back later", []string{cause, "But wait, `closeRows` is called even if `Scan` fails.", rejection}, "", []string{rejection}},
		{"another is taken back", []string{cause, "But wait, `Flush` runs even if `Scan` fails."}, "", []string{cause}},
		{"what was asked", []string{cause}, "is the root cause that closeRows is never called when Scan fails?", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, thought := range Thoughts(tt.blocks, tt.asked) {
				got = append(got, thought.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Thoughts (-want +got):\n%s", diff)
			}
		})
	}
}
