package recall

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/terms"
)

// ownWords are lines of a user's synonyms.toml, each with a memory that has one of the
// words, and a prompt that has the other.
var ownWords = []struct {
	line, title, text, prompt string
}{
	{`mothership = ["billing"]`, "Billing starts before the proxy", "systemd orders billing.service first, because the proxy needs its socket.", "how do we start the mothership"},
	{`plover = ["scheduler"]`, "Scheduler skips jobs during daylight saving", "The scheduler reads local time; cron entries between two and three are lost.", "plover misses jobs in spring"},
	{`ticker = ["heartbeat"]`, "Heartbeat interval is 15 seconds", "The broker drops clients after three missed heartbeats.", "what is the interval of the ticker"},
	{`blaubeere = ["staging"]`, "Staging certificates are renewed by hand", "Run renew.sh on the bastion, the ACME account is blocked there.", "renew the certificates on blaubeere"},
	{`nougat = ["warehouse"]`, "Warehouse loads stop at midnight", "The loader holds a lock that the backup wants as well.", "why does nougat stop at midnight"},
	{`oracle = ["recommender"]`, "Recommender answers from a snapshot", "A fresh model is swapped in every six hours by symlink.", "does the oracle use a fresh model"},
	{`gatehouse = ["authentication"]`, "Authentication tokens live 20 minutes", "Refresh tokens rotate; reuse revokes the family.", "how long do gatehouse tokens live"},
	{`kiosk = ["terminal"]`, "Terminal firmware is flashed over serial", "The bootloader waits two seconds for a break on the line.", "flash the firmware of a kiosk"},
	{`ledger = ["postings"]`, "Postings are never updated", "A correction is a second posting with the opposite sign.", "may I update the ledger"},
	{`falcon = ["importer"]`, "Importer rejects files with a byte order mark", "Strip it before parsing, the vendor exports it since March.", "falcon rejects the vendor's files"},
	{`doorbell = ["webhook"]`, "Webhook retries stop after five attempts", "The delay doubles from ten seconds.", "how often is the doorbell retried"},
	{`harbor = ["cluster"]`, "Cluster upgrades need a drained node", "Use the maintenance label, eviction alone hangs on local volumes.", "upgrade the harbor"},
}

// ownStore returns the memories of ownWords, by the number of their line, and settings
// with those lines.
func ownStore(t *testing.T) (*Recall, config.Settings) {
	t.Helper()
	var ms []memory.Memory
	var file string
	for i, w := range ownWords {
		ms = append(ms, inbox(ownID(i), w.title, w.text))
		file += w.line + "\n"
	}
	own, err := config.ParseSynonyms("synonyms.toml", file)
	if err != nil {
		t.Fatal(err)
	}
	s := ask(t, "").Settings
	s.Synonyms = &own
	return openMeaning(t, ms...), s
}

func ownID(i int) string { return "note-" + string(rune('a'+i)) }

// A word that the user's file joins with another brings what the other brings: nearly as
// relevant as if that had been typed. Without the line most of it is missed.
func TestOwnSynonymsMatter(t *testing.T) {
	r, settings := ownStore(t)
	shipped := ask(t, "").Settings
	var brought, without int
	for i, w := range ownWords {
		relevance := func(prompt string, s config.Settings) float64 {
			req := ask(t, prompt)
			req.Settings, req.All = s, true
			return found(t, recall(t, r, req), ownID(i)).Relevance
		}
		own, other := ownPair(w.line)
		itself := relevance(strings.Replace(w.prompt, own, other, 1), settings)
		got := relevance(w.prompt, settings)
		if got < itself-0.3 {
			t.Errorf("%q: relevance %.2f, with the word itself %.2f", w.prompt, got, itself)
		}
		if got >= settings.Sources.Inbox.MinRelevance {
			brought++
		}
		if relevance(w.prompt, shipped) >= settings.Sources.Inbox.MinRelevance {
			without++
		}
		if plain := relevance(strings.Replace(w.prompt, own, other, 1), shipped); plain-itself > 0.05 {
			t.Errorf("%q: relevance %.2f without the line, %.2f with it", other, plain, itself)
		}
	}
	if brought < 11 || without > 8 {
		t.Errorf("%d of %d prompts brought their memory, %d without the user's file; want 11 and at most 8", brought, len(ownWords), without)
	}
}

// ownPair returns the two words of a line of ownWords.
func ownPair(line string) (own, other string) {
	own, other, _ = strings.Cut(line, " = ")
	return own, strings.Trim(other, `[]"`)
}

// In a long prompt only the user's own synonyms stand for its words.
func TestOwnSynonymsInLongPrompts(t *testing.T) {
	r, settings := ownStore(t)
	req := ask(t, "how do we start the mothership "+numbered(terms.LongPrompt))
	req.Settings, req.All = settings, true
	if got := found(t, recall(t, r, req), ownID(0)).Matched; !slices.Contains(got, "mothership") {
		t.Errorf("matched %v, want mothership among them", got)
	}
}

// A phrase stands for the other names of its concept, in any order of its words, and these for it;
// a memory must have all words of a name, and counts less than one with the words themselves.
func TestPhrases(t *testing.T) {
	r := open(t,
		inbox("note-dst", "DST in the scheduler", "It reads UTC."),
		inbox("note-summer", "Summer hours of the shop", "Closed on Mondays."),
		inbox("note-itself", "Clocks changed and the scheduler", "It reads UTC."),
	)
	tests := []struct {
		prompt string
		want   []string
	}{
		{"the clocks were changed", []string{"note-itself", "note-dst"}},
		{"it changed the clocks", []string{"note-itself", "note-dst"}},
		{"what about daylight saving time", []string{"note-dst", "note-itself"}},
		{"dst", []string{"note-dst", "note-itself"}},
		{"clocks of the team that changed", []string{"note-itself"}},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			var got []string
			for _, c := range recall(t, r, ask(t, tt.prompt)).Explanation.Candidates {
				got = append(got, c.ID)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("candidates %v, want %v", got, tt.want)
			}
		})
	}
}

// Siblings are less close than what is related, and this less than what is equal; none counts as
// much as the word itself, nor do all together.
func TestCloseness(t *testing.T) {
	own, err := config.ParseSynonyms("synonyms.toml", "alpha = []") // shipped ones
	if err != nil {
		t.Fatal(err)
	}
	text := "The pods restart at night."
	r := open(t,
		inbox("note-itself", "Kubernetes", text), inbox("note-equal", "K8s", text), inbox("note-related", "Kubectl", text),
		inbox("note-all", "K8s kubectl k3s", text))
	req := ask(t, "kubernetes")
	req.Settings.Synonyms, req.All = &own, true
	res := recall(t, r, req)
	bm25 := func(id string) float64 { return found(t, res, id).BM25 }
	if got := []float64{bm25("note-itself"), bm25("note-all"), bm25("note-equal"), bm25("note-related"), 0}; !slices.IsSortedFunc(got, func(a, b float64) int { return cmp.Compare(b, a) }) {
		t.Errorf("BM25 of the word itself, all its synonyms, an equal and a related one: %v", got[:4])
	}
}
