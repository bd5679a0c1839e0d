package capture

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// The same long beginning in three sessions is a template, and no wish of the user's.
func TestTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	const long = "Go through the open issues of the tracker one by one, take the oldest that nobody works on, and carry it out as it says there. "
	const wish = "From now on always write a test first, never skip it. "
	for _, tt := range []struct {
		name    string
		prompts []string
		want    bool
	}{
		{"once", []string{long + wish}, true},
		{"twice", []string{long + wish, long + wish}, true},
		{"three times", []string{long + wish, long + wish, long + wish}, false},
		{"four times", []string{long + wish, long + wish, long + wish, long + wish}, false},
		{"with other endings", []string{long + wish + "Issue 1.", long + wish + "Issue 2.", long + wish + "Issue 3."}, false},
		{"with other spaces", []string{long + wish, strings.ReplaceAll(long, " ", "  ") + wish, "\n" + long + "\n" + wish}, false},
		{"with other beginnings", []string{"a " + long + wish, "b " + long + wish, "c " + long + wish}, true},
		{"short", []string{wish, wish, wish}, true},
		{"and said in own words", []string{long + wish, long + wish, long + wish, wish}, true},
		{"said in own words before", []string{wish, long + wish, long + wish, long + wish}, true},
		{"said in own words between", []string{long + wish, wish, long + wish, long + wish}, true},
		{"without a wish", []string{long, long, long, wish}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, again := range []bool{false, true} {
				d := newDesk(t)
				for range map[bool]int{false: 1, true: 2}[again] {
					for i, prompt := range tt.prompts {
						d.path = filepath.Join(filepath.Dir(d.path), fmt.Sprintf("s%d.jsonl", i))
						if _, err := d.capture.offsets.read(d.capture.offsets.file(d.path)); !err {
							for _, line := range []string{asked(i, prompt), replied(i, "The issue is done, with a test for it.")} {
								d.write(strings.ReplaceAll(line, `"s1"`, fmt.Sprintf(`"s%d"`, i)))
							}
						}
						d.take(Input{Whole: again})
					}
				}
				var wishes []string
				for m := range d.store.Everything() {
					if m.Source == memory.Preferences {
						wishes = append(wishes, m.Title)
					}
				}
				if got := len(wishes) > 0; got != tt.want {
					t.Errorf("read twice %v: wishes %q, want some: %v", again, wishes, tt.want)
				}
			}
		})
	}
}
