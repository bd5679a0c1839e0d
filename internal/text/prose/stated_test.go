package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStated(t *testing.T) {
	tests := []struct {
		name, reply string
		want        []string
	}{
		{"a cause and a fix", "Found it!\n\nThe gate stays open because `closeGate` is called before the train has passed.\n\nMoved the call behind `waitForTrain`. Let me know if it helps.",
			[]string{"The gate stays open because `closeGate` is called before the train has passed.", "Moved the call behind `waitForTrain`."}},
		{"numbers", "The relay listens on port 9104 and keeps 40 messages.", []string{"The relay listens on port 9104 and keeps 40 messages."}},
		{"a decision", "The yard keeps its own clock instead of the one of the server.", []string{"The yard keeps its own clock instead of the one of the server."}},
		{"a list", "Changes:\n- `lamp.go` holds the lamps of all tracks\n- cleaner code\n- Removed the second timer of `gate.go`", []string{"`lamp.go` holds the lamps of all tracks", "Removed the second timer of `gate.go`"}},
		{"what is only told of the talk", "The user wants a darker lamp at track 4. I need to look at `lamp.go` first. You can see it in the yard at 9 o'clock.", nil},
		{"guesses", "The relay might be stuck since `reset` is never called. It is probably the cable of track 4.", nil},
		{"plans and questions", "Let me read `lamp.go`. Shall I move the lamp of track 4 to track 5?", nil},
		{"praise and effects", "Perfect! Everything works now. This ensures that the gate is closed.", nil},
		{"a table", "| `lamp.go` | holds 4 lamps |\n|---|---|\n| `gate.go` | is closed |", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Stated(tt.reply)); diff != "" {
				t.Errorf("stated (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatedByUser(t *testing.T) {
	for sentence, want := range map[string]bool{
		"our staging relay listens on port 9104":                    true,
		"the depot plan is in docs/depot.md, written by Ida":        true,
		"the gate is slow because the lamp of track 4 is lit first": true,
		"please move the relay to port 9104":                        false,
		"is the relay on port 9104?":                                false,
		"add a lamp to track 4":                                     false,
		"it still does not work":                                    false,
	} {
		if got := StatedByUser(sentence); got != want {
			t.Errorf("%q: %v, want %v", sentence, got, want)
		}
	}
}
