package recall

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// testedElsewhere names the test of each setting that is not the business of
// a prompt's recall: a file, and the test in it.
var testedElsewhere = map[string]string{
	"orientation.tokens":       "orient_test.go TestOrientBudget",
	"orientation.notice":       "orient_test.go TestOrientNotice",
	"capture.review":           "../capture/review_test.go TestReview",
	"capture.ignore":           "../capture/ignore_test.go TestFileIgnores",
	"hooks.withhold":           "../engine/trial/trial_test.go TestShare",
	"capture.extractor":        "../capture/model/server_test.go TestServers",
	"capture.model":            "../capture/model/server_test.go TestServers",
	"capture.url":              "../capture/model/server_test.go TestServers",
	"capture.token_file":       "../capture/model/server_test.go TestTokenFile",
	"capture.allow_remote":     "../capture/model/server_test.go TestServerIsElsewhere",
	"capture.timeout":          "../capture/model/server_test.go TestSilentServer",
	"capture.max_tokens":       "../capture/model/server_test.go TestOllamaHasRoom",
	"capture.parallel":         "../engine/upkeep/refinement_test.go TestRefinementInParallel",
	"reader.kind":              "../capture/model/numbers_test.go TestChoose",
	"reader.model":             "../capture/model/numbers_test.go TestChoose",
	"reader.url":               "../capture/model/numbers_test.go TestChoose",
	"reader.token_file":        "../capture/model/server_test.go TestTokenFile",
	"reader.allow_remote":      "../capture/model/numbers_test.go TestReaderIsElsewhere",
	"reader.timeout":           "../capture/model/numbers_test.go TestChoose",
	"reader.prompts":           "../engine/confirmation_test.go TestReaderConfirmsCandidates",
	"reader.candidates":        "../engine/confirmation_test.go TestReaderIsNotAskedAbout",
	"sync.target":              "../engine/sync_test.go TestSyncInTheBackground",
	"sync.sources":             "../engine/sync_test.go TestSyncInTheBackground",
	"team.url":                 "../engine/received_test.go TestReceived",
	"team.credentials":         "../share/server/server_test.go TestPermissions",
	"team.ca":                  "../share/server/server_test.go TestEncrypted",
	"import.auto":              "../engine/backlog_test.go TestPastSessionsAsked",
	"sources.min_relevance":    "../config/inherit_test.go TestInherit",
	"sources.half_life":        "../config/inherit_test.go TestInherit",
	"sources.tokens":           "../config/inherit_test.go TestInherit",
	"sources.enabled":          "../config/inherit_test.go TestInherit",
	"capture.keep.age":         "../config/inherit_test.go TestInherit",
	"capture.keep.count":       "../config/inherit_test.go TestInherit",
	limits + "age":             "../engine/upkeep/retention_test.go TestExpired",
	limits + "count":           "../engine/upkeep/retention_test.go TestExpired",
	"project.workspace_root":   "../memory/project_test.go TestFindProject",
	"budget.share":             "../engine/sessions/window_test.go TestAllowance",
	"budget.max":               "../engine/sessions/window_test.go TestAllowance",
	"budget.window":            "../engine/sessions/window_test.go TestNarrow",
	"tools.min_relevance":      "../engine/tool_test.go TestToolSettings",
	"tools.tokens":             "../engine/tool_test.go TestToolSettings",
	"tools.items":              "../engine/tool_test.go TestToolSettings",
	"hooks.off":                "../engine/observe_test.go TestEventsThatAreSwitchedOff",
	"hooks.allow_memory_tools": "../engine/tool_test.go TestAllowMemoryTools",
	"daemon.idle_exit":         "../daemon/daemon_test.go TestIdleExit",
	"daemon.memory_limit":      "../daemon/daemon_test.go TestMemoryLimit",
	"embedder.kind":            "../index/embed/embed_test.go TestOff",
	"embedder.model":           "../index/embed/server_test.go TestBadServers",
	"embedder.url":             "../index/embed/server_test.go TestServers",
	"embedder.token_file":      "../index/embed/server_test.go TestTokenFile",
	"embedder.allow_remote":    "../index/embed/server_test.go TestServerIsElsewhere",
	"embedder.folder":          "../index/embed/bert/bert_test.go TestEmbedder",
	"embedder.timeout":         "../index/embed/server_test.go TestServerIsSilent",
}

// These stand for the name of each source in a setting's key.
const (
	everySource = "sources.*."
	limits      = "capture.keep.*."
)

// general returns the key with the name of a source left open.
func general(key string) string {
	switch parts := strings.Split(key, "."); {
	case parts[0] == "sources" && len(parts) == 3:
		return everySource + parts[2]
	case len(parts) == 4 && parts[1] == "keep":
		return limits + parts[3]
	}
	return key
}

// Every setting does what its comment says, or another test shows that it
// does.
func TestEverySettingIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, tt := range settingTests {
		tested[tt.key] = true
	}
	for _, tt := range sourceTests {
		tested[everySource+tt.key] = true
	}
	for _, key := range settings(reflect.TypeFor[config.Config](), "") {
		if key := general(key); !tested[key] && testedElsewhere[key] == "" {
			t.Errorf("no test turns %s", key)
		}
	}
	for key, where := range testedElsewhere {
		file, test, _ := strings.Cut(where, " ")
		b, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil || !strings.Contains(string(b), "func "+test+"(") {
			t.Errorf("%s is said to be tested by %s of %s, which is not there: %v", key, test, file, err)
		}
	}
}

// settings lists the dotted keys of a struct of settings.
func settings(s reflect.Type, prefix string) []string {
	var keys []string
	for i := range s.NumField() {
		f := s.Field(i)
		key := prefix + f.Tag.Get("toml")
		switch {
		case f.Anonymous:
			keys = append(keys, settings(f.Type, prefix)...)
		case f.Type.Kind() == reflect.Struct:
			keys = append(keys, settings(f.Type, key+".")...)
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// turn sets one setting and reads the result as the daemon reads a user's
// file, so that a value that is not allowed is an error here too.
func turn(t testing.TB, base func(*config.Config), key string, value any) config.Settings {
	t.Helper()
	c := config.Default()
	if base != nil {
		base(&c)
	}
	at := reflect.ValueOf(&c).Elem()
	for _, name := range strings.Split(key, ".") {
		fields := reflect.VisibleFields(at.Type())
		i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return f.Tag.Get("toml") == name })
		if i < 0 {
			t.Fatalf("%s is not a setting", key)
		}
		at = at.FieldByIndex(fields[i].Index)
	}
	at.Set(reflect.ValueOf(value).Convert(at.Type()))
	var text strings.Builder
	if err := c.Write(&text); err != nil {
		t.Fatal(err)
	}
	s := shipped(t)
	var err error
	if s.Config, err = config.Parse("config.toml", text.String()); err != nil {
		t.Fatal(err)
	}
	return s
}

// injected returns the ids of what is injected with a prompt, in order.
func (r *Recall) injected(t *testing.T, req request.Request) []string {
	t.Helper()
	var ids []string
	for _, b := range recall(t, r, req).Injected {
		ids = append(ids, b.ID)
	}
	return ids
}

// injectAll lets everything be injected that retrieval finds, so that a row shows
// what its setting does and not where the shipped thresholds lie.
func injectAll(c *config.Config) {
	c.Project.OtherMargin, c.Recall.OddsRatio, c.Recall.MinWorth = 0, 0, 0
	requireOfAll(c, 0.01)
}

// relevantOnly lets what is relevant be injected, whatever a prompt is worth.
func relevantOnly(c *config.Config) {
	c.Recall.OddsRatio, c.Recall.MinWorth = 8, 0
	requireOfAll(c, 0.6)
}

func requireOfAll(c *config.Config, relevance float64) {
	c.Sources.MinRelevance = relevance
	for _, s := range []*config.Source{
		&c.Sources.Patterns, &c.Sources.Journal, &c.Sources.Failures, &c.Sources.Handoffs, &c.Sources.Registry,
		&c.Sources.Inbox, &c.Sources.Goals, &c.Sources.Preferences, &c.Sources.Episodes, &c.Sources.Thinking, &c.Sources.Team,
	} {
		s.MinRelevance = relevance
	}
}

// ranker hears all and ranks with one kind of ranker. Of the bounded one all
// priors are left out but those that change puts in.
func ranker(kind string, change func(*config.Rank)) func(*config.Config) {
	return func(c *config.Config) {
		injectAll(c)
		c.Rank.Kind = kind
		c.Rank.PriorShare = 0.5
		c.Rank.Bounded = config.Bounded{}
		if change != nil {
			change(&c.Rank)
		}
	}
}

// sameOdds makes memories of other projects as likely to matter as own ones.
func sameOdds(base func(*config.Config)) func(*config.Config) {
	return func(c *config.Config) {
		base(c)
		c.Project.OtherOdds = 1
	}
}

// The memories of the rows: note-1 and note-2 answer prompted equally well, so
// that without a difference note-1 comes first.
func old(m memory.Memory) memory.Memory {
	m.OccurredAt = now.Add(-60 * day)
	return m
}

func ancient(m memory.Memory) memory.Memory {
	m.OccurredAt = now.Add(-3000 * day)
	return m
}

func vague(id string) memory.Memory {
	return with(pool(id), func(m *memory.Memory) {
		m.Title, m.Text, m.Session = "Connections", "How they are counted ("+id+").", ""
	})
}

func long(m memory.Memory) memory.Memory {
	m.Text += strings.Repeat(" Rows are closed on every path, said the review.", 20)
	return m
}

// used makes a memory one that twenty sessions were injected.
func used(id string) func(*request.Request) {
	return func(r *request.Request) {
		r.Uses = func(which string) int {
			if which == id {
				return 20
			}
			return 0
		}
	}
}

// learned makes the statements of sources more or less likely to be injected.
func learned(adds map[memory.Source]float64) func(*request.Request) {
	return func(r *request.Request) { r.Habits = &api.Habits{Sources: adds} }
}

func pattern(m memory.Memory) memory.Memory {
	m.Source = memory.Patterns
	return m
}

func important(m memory.Memory) memory.Memory {
	m.Importance = memory.High
	return m
}

func asking(prompt string) func(*request.Request) {
	return func(r *request.Request) { r.Prompt = prompt }
}

// Each row turns one setting and says what is injected with a prompt then.
var settingTests = []struct {
	key       string
	base      func(*config.Config)
	memories  []memory.Memory
	change    func(*request.Request)
	low, high any
	wantLow   []string
	wantHigh  []string
}{
	{"recall.synonym_weight", injectAll, []memory.Memory{inbox("note-1", "Rollout at noon", "")}, asking("deploy"),
		0, 1, nil, []string{"note-1"}},

	{"rank.kind", injectAll, []memory.Memory{ancient(pool("note-1")), vague("note-2")}, nil,
		"bounded", "typed", []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.kind", injectAll, []memory.Memory{pool("note-1"), old(pattern(pool("note-2")))}, nil,
		"linear", "typed", []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.kind", injectAll, []memory.Memory{pool("note-1"), old(pattern(pool("note-2")))}, nil,
		"balanced", "typed", []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.threshold", injectAll, []memory.Memory{pool("note-1"), vague("note-2")}, nil,
		0, 2, []string{"note-1", "note-2"}, nil},
	{"rank.prior_share", sameOdds(ranker("bounded", func(r *config.Rank) { r.Bounded.Project = 1 })), []memory.Memory{abroad("note-1"), pool("note-2")}, nil,
		0, 0.1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.prior_share", ranker("bounded", func(r *config.Rank) { r.Bounded.Project = 1 }), []memory.Memory{abroad("note-1"), vague("note-2")}, nil,
		0.1, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},

	{"rank.bounded.weight", ranker("bounded", nil), []memory.Memory{pool("note-1"), pattern(pool("note-2"))}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.bounded.recency", ranker("bounded", nil), []memory.Memory{old(pool("note-1")), pool("note-2")}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.bounded.frequency", ranker("bounded", nil), []memory.Memory{pool("note-1"), pool("note-2")}, used("note-2"),
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.bounded.importance", ranker("bounded", nil), []memory.Memory{pool("note-1"), important(pool("note-2"))}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.bounded.project", sameOdds(ranker("bounded", nil)), []memory.Memory{abroad("note-1"), pool("note-2")}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},

	{"rank.typed.half_age", ranker("typed", nil), []memory.Memory{old(pattern(pool("note-1"))), pool("note-2")}, nil,
		day, 1000 * day, []string{"note-2", "note-1"}, []string{"note-1", "note-2"}},

	{"rank.linear.relevance", ranker("linear", nil), []memory.Memory{vague("note-1"), old(pool("note-2"))}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.linear.recency", ranker("linear", nil), []memory.Memory{old(pool("note-1")), pool("note-2")}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.linear.frequency", ranker("linear", nil), []memory.Memory{pool("note-1"), pool("note-2")}, used("note-2"),
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.linear.half_age", ranker("linear", func(r *config.Rank) { r.Linear.Recency = 1 }), []memory.Memory{old(pool("note-1")), pool("note-2")}, used("note-1"),
		day, 1000 * day, []string{"note-2", "note-1"}, []string{"note-1", "note-2"}},

	{"rank.balanced.recency", ranker("balanced", nil), []memory.Memory{old(pool("note-1")), pool("note-2")}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.balanced.relevance", ranker("balanced", func(r *config.Rank) { r.Balanced.Recency = 0.1 }), []memory.Memory{vague("note-1"), old(pool("note-2"))}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.balanced.frequency", ranker("balanced", nil), []memory.Memory{pool("note-1"), pool("note-2")}, used("note-2"),
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.balanced.cost", ranker("balanced", func(r *config.Rank) { r.Balanced.Relevance = 0 }), []memory.Memory{long(pool("note-1")), pool("note-2")}, used("note-1"),
		0, 1, []string{"note-1", "note-2"}, []string{"note-2", "note-1"}},
	{"rank.balanced.max_age", ranker("balanced", func(r *config.Rank) { r.Balanced.Recency = 1 }), []memory.Memory{old(pool("note-1")), pool("note-2")}, used("note-1"),
		day, 1000 * day, []string{"note-2", "note-1"}, []string{"note-1", "note-2"}},

	{"recall.min_worth", injectAll, []memory.Memory{pool("note-1")}, nil,
		0, 1, []string{"note-1"}, nil},
	{"recall.learn", func(c *config.Config) { injectAll(c); c.Budget.Items = 1 }, []memory.Memory{pool("note-1"), pattern(pool("note-2"))},
		learned(map[memory.Source]float64{memory.Inbox: 0.25, memory.Patterns: -0.25}), false, true, []string{"note-2"}, []string{"note-1"}},
	{"recall.odds_ratio", injectAll, []memory.Memory{pool("note-1"), vague("note-2")}, nil,
		0, 8, []string{"note-1", "note-2"}, []string{"note-1"}},
	{"budget.tokens", injectAll, []memory.Memory{pool("note-1")}, nil,
		0, 500, nil, []string{"note-1"}},
	{"budget.items", injectAll, []memory.Memory{sessionless("note-1"), sessionless("note-2"), sessionless("note-3")}, nil,
		2, 3, []string{"note-1", "note-2"}, []string{"note-1", "note-2", "note-3"}},
	{"project.other_odds", ranker("bounded", func(r *config.Rank) { r.PriorShare = 0 }), []memory.Memory{abroad("note-1"), pool("note-2")}, nil,
		0.01, 1, []string{"note-2", "note-1"}, []string{"note-1", "note-2"}},
	{"project.other_margin", relevantOnly, []memory.Memory{pool("note-1"), abroad("note-2")}, nil,
		0, 1, []string{"note-1", "note-2"}, []string{"note-1"}},
}

func TestSettings(t *testing.T) {
	for _, tt := range settingTests {
		t.Run(tt.key, func(t *testing.T) {
			r := open(t, tt.memories...)
			for _, side := range []struct {
				value any
				want  []string
			}{{tt.low, tt.wantLow}, {tt.high, tt.wantHigh}} {
				req := ask(t, prompted)
				req.Settings = turn(t, tt.base, tt.key, side.value)
				if tt.change != nil {
					tt.change(&req)
				}
				if diff := cmp.Diff(side.want, r.injected(t, req)); diff != "" {
					t.Errorf("%s = %v, injected (-want +got):\n%s", tt.key, side.value, diff)
				}
			}
		})
	}
}

// Each row turns a setting of one source of eleven, whose memories are equally
// good, and says at which position from 0 its memory is injected then: with low at
// lowAt (-1 for silence), with high at highAt or before.
var sourceTests = []struct {
	key           string
	priors        config.Bounded
	low, high     any
	lowAt, highAt int
}{
	{"enabled", config.Bounded{}, false, true, -1, 10},
	{"weight", config.Bounded{Weight: 1}, 0, 10, 10, 0},
	{"half_life", config.Bounded{Recency: 1}, time.Minute, 36500 * day, 10, 3}, // three sources never age
	{"min_relevance", config.Bounded{}, 1, 0, -1, 10},
	{"tokens", config.Bounded{}, 0, 500, -1, 10},
}

// A setting of a source moves, or silences, the memories of that source and
// of no other.
func TestSourceSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	checkout, file := shared(t)
	var ms []memory.Memory
	for _, src := range memory.Sources {
		ms = append(ms, with(old(pool(src.Prefix()+"1")), func(m *memory.Memory) {
			m.Source, m.Evidence, m.Title = src, file, m.Title+" "+string(src) // or all say the same
			m.SetHome(checkout)
		}))
	}
	r := open(t, ms...)
	for _, src := range memory.Sources {
		id := src.Prefix() + "1"
		for _, tt := range sourceTests {
			base := ranker("bounded", func(r *config.Rank) { r.Bounded = tt.priors })
			t.Run(string(src)+"."+tt.key, func(t *testing.T) {
				injectOnly := func(value any) (at int, others []string) {
					req := ask(t, "plan: "+prompted) // goals want to be spoken of
					req.Project = checkout
					req.Settings = turn(t, base, "sources."+string(src)+"."+tt.key, value)
					req.Settings.Budget.Items = len(ms)
					injected := r.injected(t, req)
					return slices.Index(injected, id), slices.DeleteFunc(slices.Clone(injected), func(s string) bool { return s == id })
				}
				low, others := injectOnly(tt.low)
				high, stillOthers := injectOnly(tt.high)
				if low != tt.lowAt {
					t.Errorf("%v: injected at %d, want %d", tt.low, low, tt.lowAt)
				}
				if high < 0 || high > tt.highAt {
					t.Errorf("%v: injected at %d, want %d at most", tt.high, high, tt.highAt)
				}
				if diff := cmp.Diff(others, stillOthers); diff != "" || len(others) != len(ms)-1 {
					t.Errorf("other sources' memories are injected otherwise: %d %v\n%s", len(others), others, diff)
				}
			})
		}
	}
}
