package extract

import (
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

func TestWeighSuggestions(t *testing.T) {
	for _, tt := range []struct {
		prompt string
		source memory.Source
		stands bool
	}{
		{"we decided to keep the pool at 25 because postgres allows 100", memory.Journal, true},
		{"Never use npm here, always pnpm.", memory.Preferences, true},
		{"use the same header as on the other pages", memory.Preferences, false},
	} {
		stands := false
		for _, d := range DraftsOf([]claudecode.Turn{{Session: "s", ID: "t", Prompt: tt.prompt, Replies: []string{"Done."}}}, memory.Project{Name: "app"}) {
			stands = stands || d.Source == tt.source && d.Candidate == 0
		}
		if stands != tt.stands {
			t.Errorf("%q stands: %t", tt.prompt, stands)
		}
	}
}

func TestReconsider(t *testing.T) {
	wish := memory.Memory{Source: memory.Preferences, Origin: memory.OriginUser, Turn: "t", Title: "Wants: make the header blue", Evidence: "make the header blue", Confidence: 0.6}
	confirmed, approved, noted, explicit := wish, wish, wish, wish
	confirmed.ConfirmedBy = []string{"u"}
	approved.Stands = "approved on 2026-05-03"
	noted.Turn = ""
	explicit.Confidence = saidSo
	for name, tt := range map[string]struct {
		m    memory.Memory
		want bool
	}{"only a sentence": {wish, true}, "said again": {confirmed, false}, "approved": {approved, false}, "written by the user": {noted, false}, "explicit": {explicit, false}} {
		now, changes := Reconsider(tt.m)
		if changes != tt.want || changes != now.IsCandidate() {
			t.Errorf("%s: %t, candidate %t", name, changes, now.IsCandidate())
		}
	}
}
