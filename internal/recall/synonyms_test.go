package recall

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/memory"
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
		if got < itself-0.1 {
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
	if brought < 11 || without > 7 {
		t.Errorf("%d of %d prompts brought their memory, %d without the user's file; want 11 and at most 7", brought, len(ownWords), without)
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
	req := ask(t, "how do we start the mothership "+numbered(longPrompt))
	req.Settings, req.All = settings, true
	if got := found(t, recall(t, r, req), ownID(0)).Matched; !slices.Contains(got, "mothership") {
		t.Errorf("matched %v, want mothership among them", got)
	}
}

func TestTranslate(t *testing.T) {
	own := newThesaurus(config.Synonyms{
		"moloch": {{Word: "billing", Own: true}}, "oracle": {{Word: "recommender", Own: true}, {Word: "advisor", Own: true}},
		"deploy": {{Word: "ship"}}, "cat": {{Word: "concatenation", Own: true}},
	})
	tests := []struct{ text, want string }{
		{"why is Moloch down?", "why is billing down?"},
		{"ask the oracles.", "ask the recommender advisor."},
		{"deploy it", "deploy it"},
		{"the known oracle", "the known recommender advisor"},
		{"concatenate, then cat", "concatenate, then concatenation"},
		{"see moloch/main.go", "see billing/main.go"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := own.translate(tt.text, func(string) bool { return false }); got != tt.want {
			t.Errorf("translate(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if got := own.translate(tt.text, func(string) bool { return true }); got != tt.text {
			t.Errorf("translate(%q) = %q where memories have the words", tt.text, got)
		}
	}
}
