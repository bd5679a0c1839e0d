package sessions

import (
	"fmt"
	"testing"

	"recollect/internal/api"
)

func TestFailedToolsNews(t *testing.T) {
	failed := func(path, tool string) api.Observation {
		return api.Observation{TranscriptPath: path, Tool: tool, Error: "Exit code 1"}
	}
	worked := func(path, tool string) api.Observation { return api.Observation{TranscriptPath: path, Tool: tool} }
	steps := []struct {
		name string
		in   api.Observation
		want bool
	}{
		{"all is well", worked("s1", "Bash"), false},
		{"failure", failed("s1", "Bash"), true},
		{"another failure", failed("s1", "Bash"), true},
		{"another tool", worked("s1", "WebFetch"), false},
		{"another session", worked("s2", "Bash"), false},
		{"works again", worked("s1", "Bash"), true},
		{"goes on working", worked("s1", "Bash"), false},
	}
	var f FailedTools
	for _, s := range steps {
		if got := f.Observe(s.in); got != s.want {
			t.Errorf("%s: News() = %t, want %t", s.name, got, s.want)
		}
	}
	for i := range 2 * maxFailedTools {
		f.Observe(failed(fmt.Sprint(i), "Bash"))
	}
	if len(f.tools) > maxFailedTools {
		t.Errorf("%d tools are waited for, want at most %d", len(f.tools), maxFailedTools)
	}
}
