package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect"
)

// The shipped file documents the defaults, so it must state all of them and
// nothing else.
func TestShippedFileIsTheDefaults(t *testing.T) {
	var want, got strings.Builder
	if err := Default().Write(&want); err != nil {
		t.Fatal(err)
	}
	c, err := Parse("config.toml", recollect.ConfigTOML)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("config.toml differs from Default():\n%s", diff)
	}
	for _, line := range strings.Split(want.String(), "\n") {
		if key, _, ok := strings.Cut(line, " ="); ok && !strings.Contains(recollect.ConfigTOML, strings.TrimSpace(key)+" =") {
			t.Errorf("config.toml does not mention %q", key)
		}
	}
}

func TestParseOverlay(t *testing.T) {
	c, err := Parse("config.toml", "[sources.failures]\nweight = 2\nhalf_life = \"36h\"\n[rank]\nprior_share = 0.05\n[rank.typed]\nhalf_age = \"12h\"\n")
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Sources.Failures.Weight = 2
	want.Sources.Failures.HalfLife = Duration(36 * time.Hour)
	want.Rank.PriorShare = 0.05
	want.Rank.Typed.HalfAge = Duration(12 * time.Hour)
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("settings differ:\n%s", diff)
	}
}

func TestParseMistakes(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"unknown key", "[rank]\n\nkindd = \"typed\"", `c.toml:3: rank.kindd is not a setting`},
		{"unknown table", "[ranks]\nkind = \"typed\"", `c.toml:1: ranks is not a setting`},
		{"unknown source", "[sources.dreams]\nweight = 1", `c.toml:1: sources.dreams is not a setting`},
		{"out of range", "[sources.failures]\nweight = -1", `c.toml:2: sources.failures.weight = -1: must be between 0 and 10`},
		{"not a number", "[rank]\nthreshold = nan", `c.toml:2: rank.threshold = NaN: must be 0 or more`},
		{"no end", "[rank]\nthreshold = inf", `c.toml:2: rank.threshold = +Inf: must be 0 or more`},
		{"too long", "[daemon]\nidle_exit = \"1e30d\"", `c.toml:2: daemon.idle_exit is wrong here: "1e30d": must be a duration`},
		{"relative root", "[project]\nworkspace_root = \"~/src\"", `c.toml:2: project.workspace_root = "~/src": must be an absolute path`},
		{"inline table", "rank = { kind = \"best\" }", `rank.kind = "best": must be one of balanced, bounded, linear, typed`},
		{"dotted key", "rank.kind = \"best\"", `c.toml:1: rank.kind = "best": must be`},
		{"ranker's own rule", "[rank.typed]\nhalf_age = \"0s\"", `c.toml:2: rank.typed.half_age = 0s: must be positive`},
		{"part of the bounded ranker", "[rank.bounded]\nproject = 1.5", `c.toml:2: rank.bounded.project = 1.5: must be between 0 and 1`},
		{"share of the bounded ranker", "[rank]\nprior_share = -0.1", `c.toml:2: rank.prior_share = -0.1: must be between 0 and 1`},
		{"share of time", "[rank]\nlatest_share = nan", `c.toml:2: rank.latest_share = NaN: must be between 0 and 1`},
		{"negative half-life", "[sources.inbox]\nhalf_life = \"-1d\"", `c.toml:2: sources.inbox.half_life = -24h0m0s: must be 0s or more`},
		{"cosine", "[recall]\ntopic_gate = 85", `c.toml:2: recall.topic_gate = 85: must be between 0 and 1`},
		{"too many slots", "[recall]\nsemantic_slots = 11", `c.toml:2: recall.semantic_slots = 11: must be between 0 and 10`},
		{"wrong type", "[budget]\ntokens = \"many\"", `c.toml:2: budget.tokens has the wrong type: TOML value has type string; destination has type integer`},
		{"not a duration", "[daemon]\nidle_exit = \"soon\"", `c.toml:2: daemon.idle_exit is wrong here: "soon": must be a duration such as`},
		{"not TOML", "[rank", `c.toml:1: `},
		{"twice", "[rank]\nkind = \"typed\"\nkind = \"linear\"", `c.toml:3: rank.kind is wrong here: Key 'rank.kind' has already been defined`},
		{"two mistakes", "[rank]\nkind = \"a\"\n[budget]\nitems = 99", `c.toml:4: budget.items = 99: must be between 0 and 50`},
		{"binary", "\x00\x01\x02", "c.toml:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("c.toml", tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse error = %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		text, want string
	}{
		{"30d", "30d"}, {"1.5d", "36h0m0s"}, {"12h", "12h0m0s"}, {"90m", "1h30m0s"}, {"0s", "0s"},
	}
	for _, tt := range tests {
		var d Duration
		if err := d.UnmarshalText([]byte(tt.text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := d.MarshalText(); string(got) != tt.want {
			t.Errorf("%q reads as %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestSynonyms(t *testing.T) {
	s, err := ParseSynonyms("s.toml", "Deploy = [\"Launch\"]\nk8s = []\n")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		word, other string
		want        bool
	}{
		{"deploy", "launch", true}, // the user's line, in lower case
		{"launch", "deploy", true}, // both directions
		{"deploy", "rollout", false},
		{"k8s", "kubernetes", false}, // taken out
		{"db", "database", true},     // shipped
		{"prod", "live", false},      // not joined with each other
	}
	for _, tt := range tests {
		if got := strings.Contains(" "+strings.Join(s[tt.word], " ")+" ", " "+tt.other+" "); got != tt.want {
			t.Errorf("%s finds %s: %v, want %v (%v)", tt.word, tt.other, got, tt.want, s[tt.word])
		}
	}
}

func TestSynonymMistakes(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"phrase", "a = [\"b\"]\ndb = [\"data base\"]", `s.toml:2: db has "data base": must be one word`},
		{"not a list", "db = \"database\"", `s.toml:1: db has the wrong type`},
		{"empty", "db = [\"\"]", `s.toml:1: db has "": must be one word`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseSynonyms("s.toml", tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseSynonyms error = %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestLive(t *testing.T) {
	home := t.TempDir()
	l, err := NewLive(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(weight float64, mistake bool) {
		t.Helper()
		s := l.Current()
		if got := s.Sources.Failures.Weight; got != weight {
			t.Errorf("sources.failures.weight = %v, want %v", got, weight)
		}
		if (s.Err != nil) != mistake {
			t.Errorf("mistake = %v, want %v", s.Err, mistake)
		}
	}
	expect(0.8, false)
	write("[sources.failures]\nweight = 3.0\n")
	expect(3, false)
	write("[sources.failures]\nweight = 33.0\n") // the last good settings stay
	expect(3, true)
	if l, err = NewLive(home, nil); err != nil { // in the next daemon too
		t.Fatal(err)
	}
	expect(3, true)
	write("[sources.failures]\nweight = 5\n")
	expect(5, false)
	if err := os.Remove(filepath.Join(home, "config.toml")); err != nil {
		t.Fatal(err)
	}
	expect(0.8, false)
}
