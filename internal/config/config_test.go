package config

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"recollect"
)

// The shipped file documents the defaults, so it must state all of them and
// nothing else: without its comments it is what is written of them.
func TestShippedFileIsTheDefaults(t *testing.T) {
	var want, got strings.Builder
	if err := Default().Write(&want); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(recollect.ConfigTOML, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if indent := line[:len(line)-len(strings.TrimLeft(line, " "))]; strings.TrimSpace(line) != "" {
			got.WriteString(indent + strings.Join(strings.Fields(line), " ") + "\n")
		}
	}
	if diff := cmp.Diff(strings.ReplaceAll(want.String(), "\n\n", "\n"), got.String()); diff != "" {
		t.Errorf("config.toml differs from Default():\n%s", diff)
	}
	c, err := Parse("config.toml", recollect.ConfigTOML)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), c); diff != "" {
		t.Errorf("config.toml reads as other settings than Default():\n%s", diff)
	}
}

// The shipped file fits on two screens.
func TestShippedFileIsShort(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(recollect.ConfigTOML, "\n"), "\n")
	if len(lines) > 128 {
		t.Errorf("config.toml has %d lines, at most 128", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("config.toml:%d: %d characters, at most 100", i+1, n)
		}
	}
}

// What is written can be used as a user's file, whatever was changed: a line
// of the shipped file, what sources inherit, and back to what they inherit.
func TestWriteRoundTrip(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"defaults", "", "episodes = { weight = 0.6, half_life = \"45d\", tokens = 1000 }\n"},
		{"inherited", "[sources]\nmin_relevance = 0.3", "[sources]\nmin_relevance = 0.3\n"},
		{"own", "[sources.inbox]\nmin_relevance = 0.3", "inbox = { weight = 0.3, min_relevance = 0.3, half_life = \"60d\", tokens = 500 }\n"},
		{"inherited, and the shipped value again", "[sources]\nmin_relevance = 0.3\ninbox.min_relevance = 0.6", "inbox = { weight = 0.3, min_relevance = 0.6,"},
		{"own, as others inherit it", "[sources]\nhandoffs = { tokens = 2000 }", "handoffs = { weight = 0.7, half_life = \"14d\", tokens = 2000 }\n"},
		{"switched off", "[sources]\nthinking = { enabled = false }", "thinking = { weight = 0.4, half_life = \"45d\", tokens = 1000, enabled = false }\n"},
		{"kept", "[capture.keep]\nage = \"365d\"\ninbox = { count = 9 }", "[capture.keep]\nage = \"365d\"\ncount = 0\ninbox = { count = 9 }\nthinking = { age = \"180d\" }\n"},
		{"hooks of old", "[hooks.Stop]\nenabled = false", "[hooks]\noff = [\"Stop\"]\n"},
		{"quotes", "[embedder]\nmodel = 'a\"b\\'", `model = "a\"b\\"` + "\n"},
		{"whole number for a fraction", "[rank]\nthreshold = 1", "threshold = 1.0\n"},
		{"empty list", "[capture]\nignore = []", "ignore = []\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, err := Parse("config.toml", tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := want.Write(&text); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text.String(), tt.want) {
				t.Errorf("want %q in\n%s", tt.want, &text)
			}
			got, err := Parse("config.toml", text.String())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("read again it differs:\n%s", diff)
			}
		})
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
		{"wrong letter", "[sources]\nfailures = { wieght = 2 }", `c.toml:2: sources.failures.wieght is not a setting: did you mean sources.failures.weight?`},
		{"missing letter", "[budget]\ntoken = 2", `c.toml:2: budget.token is not a setting: did you mean budget.tokens?`},
		{"source of another name", "[sources.pattern]\nweight = 2", `c.toml:1: sources.pattern is not a setting: did you mean sources.patterns?`},
		{"table of another name", "[ranks]\nkind = \"typed\"", `c.toml:1: ranks is not a setting: did you mean rank?`},
		{"in another table", "[rank]\nodds_ratio = 3", `c.toml:2: rank.odds_ratio is not a setting: did you mean recall.odds_ratio?`},
		{"in no table", "max_tokens = 3000", `c.toml:1: max_tokens is not a setting: did you mean capture.max_tokens?`},
		{"without its first table", "[keep.thinking]\nage = \"3d\"", `c.toml:1: keep.thinking is not a setting: did you mean capture.keep.thinking?`},
		{"event", "[hooks.PreTool]\nenabled = false", `c.toml:1: hooks.PreTool is not a setting: did you mean hooks.PreToolUse?`},
		{"event that is off", "[hooks]\noff = [\"PreTool\"]", `c.toml:2: hooks.off = "PreTool": must be one of SessionStart,`},
		{"its nearest", "[hooks]\noff = [\"Stopp\"]", `: did you mean Stop?`},
		{"nothing is near", "[dreams]\nvivid = true", "c.toml:1: dreams is not a setting"},
		{"key with a dot in it", "\"budget.tokens\" = 3", "c.toml:1: \"budget.tokens\" is not a setting"},
		{"two names", "[hooks]\nallow_memory_tools = true\n[hooks.PreToolUse]\nallow_memory_tools = false", `c.toml:4: hooks.PreToolUse.allow_memory_tools is set twice: hooks.allow_memory_tools is the same setting`},
		{"no table", "budget = 5", `c.toml:1: budget = 5: must be a table of settings`},
		{"source that is no table", "[sources]\nepisodes = false", `c.toml:2: sources.episodes = false: must be a table of settings`},
		{"list of tables", "[[budget]]\ntokens = 5", `budget = { … }: must be a table of settings`},
		{"table for a number", "[budget.tokens]\nmany = true", `c.toml:1: budget.tokens = { … }: must be a whole number`},
		{"fraction for a whole number", "[budget]\ntokens = 1.5", `c.toml:2: budget.tokens = 1.5: must be a whole number`},
		{"list of numbers", "[capture]\nignore = [1]", `c.toml:2: capture.ignore = [1]: must be a list of texts in quotes`},
		{"mistakes of each kind", "[budget]\ntoken = 2\nitems = 99\nshare = \"half\"", "c.toml:4: budget.share = \"half\": must be a number"},
		{"line within a source", "[sources]\nepisodes = { weight = 0.6 }\nthinking = { weight = 60 }", `c.toml:3: sources.thinking.weight = 60: must be between 0 and 10`},
		{"out of range", "[sources.failures]\nweight = -1", `c.toml:2: sources.failures.weight = -1: must be between 0 and 10`},
		{"not a number", "[rank]\nthreshold = nan", `c.toml:2: rank.threshold = NaN: must be 0 or more`},
		{"no end", "[rank]\nthreshold = inf", `c.toml:2: rank.threshold = +Inf: must be 0 or more`},
		{"too long", "[daemon]\nidle_exit = \"1e30d\"", `c.toml:2: daemon.idle_exit = "1e30d": must be a duration`},
		{"relative root", "[project]\nworkspace_root = \"~/src\"", `c.toml:2: project.workspace_root = "~/src": must be an absolute path`},
		{"inline table", "rank = { kind = \"best\" }", `rank.kind = "best": must be one of balanced, bounded, linear, typed`},
		{"dotted key", "rank.kind = \"best\"", `c.toml:1: rank.kind = "best": must be`},
		{"ranker's own rule", "[rank.typed]\nhalf_age = \"0s\"", `c.toml:2: rank.typed.half_age = 0s: must be positive`},
		{"part of the bounded ranker", "[rank.bounded]\nproject = 1.5", `c.toml:2: rank.bounded.project = 1.5: must be between 0 and 1`},
		{"share of the bounded ranker", "[rank]\nprior_share = -0.1", `c.toml:2: rank.prior_share = -0.1: must be between 0 and 1`},
		{"negative half-life", "[sources.inbox]\nhalf_life = \"-1d\"", `c.toml:2: sources.inbox.half_life = -24h0m0s: must be 0s or more`},
		{"relevance", "[recall]\nmin_worth = 27", `c.toml:2: recall.min_worth = 27: must be between 0 and 1`},
		{"too many memories", "[budget]\nitems = 51", `c.toml:2: budget.items = 51: must be between 0 and 50`},
		{"wrong type", "[budget]\ntokens = \"many\"", `c.toml:2: budget.tokens = "many": must be a whole number`},
		{"not a duration", "[daemon]\nidle_exit = \"soon\"", `c.toml:2: daemon.idle_exit = "soon": must be a duration such as`},
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
		{"30d", "30d"}, {"1.5d", "36h"}, {"12h", "12h"}, {"90m", "1h30m"}, {"10m", "10m"}, {"90s", "1m30s"}, {"0s", "0s"},
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
	s, err := ParseSynonyms("s.toml", `
		Deploy = ["Launch"]
		k8s = []
		"clocks  changed" = []
		npm = { equal = ["node package manager"], related = ["registry"], sibling = ["yarn", "pnpm"] }`)
	if err != nil {
		t.Fatal(err)
	}
	concepts := s.Concepts()
	// closeness returns how close two names are, and whether the user's file says so; 0 if nothing does.
	closeness := func(one, other string) (most float64, own bool) {
		for _, c := range concepts {
			at := func(text string) int { return slices.IndexFunc(c.Names, func(n Name) bool { return n.Text == text }) }
			if i, j := at(one), at(other); i >= 0 && j >= 0 && c.Names[i].Closeness*c.Names[j].Closeness > most {
				most, own = c.Names[i].Closeness*c.Names[j].Closeness, c.Own
			}
		}
		return most, own
	}
	tests := []struct {
		one, other string
		want       float64
		own        bool
	}{
		{"deploy", "launch", 1, true}, // the user's line, in lower case
		{"deploy", "rollout", 0, false},
		{"k8s", "kubernetes", 0, false},       // taken out
		{"kubernetes", "kubectl", 0.8, false}, // the rest of its line is there
		{"db", "database", 1, false},          // shipped
		{"flake", "sporadic", 0, false},       // on the right of a plain list
		{"dst", "summer time", 1, false},
		{"dst", "ran twice at night", 0.8, false},
		{"dst", "clocks changed", 0, false}, // taken out
		{"npm", "node package manager", 1, true},
		{"npm", "registry", 0.8, true},
		{"yarn", "npm", 0.4, true},
		{"yarn", "pnpm", 0.4 * 0.4, true},
	}
	for _, tt := range tests {
		if got, own := closeness(tt.one, tt.other); math.Abs(got-tt.want) > 1e-9 || own != tt.own {
			t.Errorf("%s and %s: closeness %v, the user's own %t; want %v, %t", tt.one, tt.other, got, own, tt.want, tt.own)
		}
	}
}

// A line of a user replaces the shipped line of that name, so there must be only one.
func TestShippedSynonyms(t *testing.T) {
	all, err := readSynonyms(recollect.Synonyms)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for _, line := range all {
		name := line.names[0].Text
		if lines[name] || len(line.names) < 2 {
			t.Errorf("%s has another line, or no other name", name)
		}
		lines[name] = true
		seen := map[string]bool{}
		for _, n := range line.names {
			if seen[n.Text] {
				t.Errorf("the line of %s has %q twice", name, n.Text)
			}
			seen[n.Text] = true
		}
	}
	if len(lines) < 5000 {
		t.Errorf("%d concepts, want thousands", len(lines))
	}
}

func TestConceptTable(t *testing.T) {
	concepts := []Concept{
		{Names: []Name{{"daylight saving time", "daylight save time", 1}, {"clocks changed", "chang clock", 0.8}}},
		{Names: []Name{{"of", "", 1}, {"von", "", 0.4}}},
	}
	got, err := parseConcepts(FormatConcepts(concepts))
	if diff := cmp.Diff(concepts, got); err != nil || diff != "" {
		t.Errorf("read again: %v, %s", err, diff)
	}
	for _, bad := range []string{"a\ta\t1\tb\tb\n", "a\ta\tclose\n"} {
		if got, err := parseConcepts(bad); err == nil {
			t.Errorf("%q reads as %v, want an error", bad, got)
		}
	}
}

func TestSynonymMistakes(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"too long", "a = [\"b\"]\ndb = [\"a b c d e f g h i j k\"]", `s.toml:2: db has "a b c d e f g h i j k": must be 1 to 10 words`},
		{"no list", "db = \"database\"", `s.toml:1: db must be a list of names, or {equal = [...], related`},
		{"empty", "db = [\"\"]", `s.toml:1: db has "": must be 1 to 10 words`},
		{"empty on the left", "\" \" = [\"x\"]", `has "": must be 1 to 10 words`},
		{"number", "db = [1]", `s.toml:1: db has 1: must be a name in quotes`},
		{"unknown closeness", "db = {same = [\"database\"]}", `s.toml:1: db has "same": must be equal, related or sibling`},
		{"no list in the table", "db = {equal = \"database\"}", `s.toml:1: db has equal = database: must be a list of names`},
		{"no TOML", "db = [", `s.toml:1: `},
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
