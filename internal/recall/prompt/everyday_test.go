package prompt

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNgrams(t *testing.T) {
	tests := []struct {
		prompt string
		want   []string
	}{
		{"Thanks!", []string{"! <end>", "!", "<start> thanks !", "<start> thanks", "thanks !", "thanks"}},
		{"add 3 lines to src/app.go", []string{
			"<name> <end>", "<name>", "<number> lines", "<number>", "<start> add <number>", "<start> add", "add <number>", "add",
			"lines to", "lines", "to <name>", "to",
		}},
		{"`getUser`?", []string{"<quoted> ?", "<quoted>", "<start> <quoted> ?", "<start> <quoted>", "? <end>", "?"}},
		{"改名", []string{"<start> 改 名", "<start> 改", "名 <end>", "名", "改 名", "改"}},
		{"?!", nil},
		{"", nil},
		{strings.Repeat("word ", mostEverydayWords+1), nil},
	}
	for _, tt := range tests {
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, Ngrams(tt.prompt)); diff != "" {
			t.Errorf("n-grams of %q (-want +got):\n%s", tt.prompt, diff)
		}
	}
}

func BenchmarkProbability(b *testing.B) {
	for b.Loop() {
		EverydayProbability("why does our nightly importer choke on umlauts again, was it the encoding in src/import/read_csv.go?")
	}
}

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
		work, other := EverydayProbability(tt.work), EverydayProbability(tt.everyday)
		if work >= other || work < 0 || other > 1 {
			t.Errorf("%q is an everyday prompt with %.2f, %q with %.2f", tt.work, work, tt.everyday, other)
		}
	}
	for _, none := range []string{"", "???", strings.Repeat("what rhymes with orange? ", 1000)} {
		if p := EverydayProbability(none); p != UnknownEveryday {
			t.Errorf("%q is an everyday prompt with %.2f, want %.2f: nothing is known of it", none, p, UnknownEveryday)
		}
	}
}
