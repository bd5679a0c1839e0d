package extract

import (
	"testing"

	"recollect/internal/agents/claudecode"
)

func TestFinal(t *testing.T) {
	story := "The client retries three times now, and the tests pass again."
	tests := []struct {
		name    string
		replies []string
		want    string
	}{
		{"none", nil, ""},
		{"last", []string{"I look.", story}, story},
		{"last word after the story", []string{story, "Done."}, story},
		{"two last words", []string{story, "Wait.", "Done."}, "Done."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewTurn(claudecode.Turn{Replies: tt.replies}, app, nil).Reply; got != tt.want {
				t.Errorf("final = %q, want %q", got, tt.want)
			}
		})
	}
}
