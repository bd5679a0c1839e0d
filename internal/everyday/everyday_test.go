package everyday

import (
	"strings"
	"testing"
)

func TestProbability(t *testing.T) {
	tests := []struct {
		work, everyday string
	}{
		{"why does our nightly importer choke on umlauts again", "thanks, that worked, see you tomorrow"},
		{"roll the new firmware out to the gateways in hall 3", "what is a good soup for a cold evening"},
		{"wie war das mit den Rückläufern im Lager", "Wie heißt die Hauptstadt von Portugal?"},
		{"the payment webhook is delivered twice since Tuesday", "rename getUsr to getUser in this file"},
	}
	for _, tt := range tests {
		work, other := Probability(tt.work), Probability(tt.everyday)
		if work >= other || work < 0 || other > 1 {
			t.Errorf("%q is an everyday prompt with %.2f, %q with %.2f", tt.work, work, tt.everyday, other)
		}
	}
	for _, none := range []string{"", "???", strings.Repeat("what rhymes with orange? ", 1000)} {
		if p := Probability(none); p != Unknown {
			t.Errorf("%q is an everyday prompt with %.2f, want 0.5: nothing is known of it", none, p)
		}
	}
}
