package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// override lays variables over the shipped settings.
func override(env ...string) (Config, error) {
	list := newCatalog()
	return list.override(nil, variables(env))
}

func TestVariables(t *testing.T) {
	set := func(change func(*Config)) Config {
		c := Default()
		change(&c)
		return c
	}
	tests := []struct {
		name string
		env  []string
		want Config
	}{
		{"none", nil, Default()},
		{"of others", []string{"PATH=/bin", "RECOLLECT_HOME=/h", "RECOLLECT_DISABLE=1", "RECOLLECT_DEBUG=1", "BUDGET_TOKENS=1"}, Default()},
		{"switch", []string{"RECOLLECT_SOURCES_EPISODES_ENABLED=false"}, set(func(c *Config) { c.Sources.Episodes.Enabled = false })},
		{"number", []string{"RECOLLECT_RANK_BOUNDED_WEIGHT=0.25"}, set(func(c *Config) { c.Rank.Bounded.Weight = 0.25 })},
		{"key of two words", []string{"RECOLLECT_RECALL_MIN_WORTH=1"}, set(func(c *Config) { c.Recall.MinWorth = 1 })},
		{"event", []string{"RECOLLECT_HOOKS_SESSIONSTART_ENABLED=0"}, set(func(c *Config) { c.Hooks.Off = []string{"SessionStart"} })},
		{"duration", []string{"RECOLLECT_DAEMON_IDLE_EXIT=2h"}, set(func(c *Config) { c.Daemon.IdleExit = Duration(2 * time.Hour) })},
		{"list", []string{"RECOLLECT_CAPTURE_IGNORE=*.pem,!a.pem"}, set(func(c *Config) { c.Capture.Ignore = []string{"*.pem", "!a.pem"} })},
		{"two that need each other", []string{"RECOLLECT_EMBEDDER_KIND=ollama", "RECOLLECT_EMBEDDER_MODEL=nomic"},
			set(func(c *Config) { c.Embedder.Kind, c.Embedder.Model = "ollama", "nomic" })},
		{"empty says nothing", []string{"RECOLLECT_BUDGET_TOKENS="}, Default()},
		{"short name", []string{"RECOLLECT_CONTEXT_BUDGET=700"}, set(func(c *Config) { c.Budget.Tokens = 700 })},
		{"short name and long", []string{"RECOLLECT_CONTEXT_BUDGET=700", "RECOLLECT_BUDGET_TOKENS=800"}, set(func(c *Config) { c.Budget.Tokens = 800 })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := override(tt.env...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("settings differ:\n%s", diff)
			}
		})
	}
}

func TestVariableMistakes(t *testing.T) {
	tests := []struct {
		name, env, want string
	}{
		{"out of range", "RECOLLECT_BUDGET_TOKENS=9999", `RECOLLECT_BUDGET_TOKENS: budget.tokens = 9999: must be between 0 and 2300`},
		{"not a number", "RECOLLECT_BUDGET_TOKENS=many", `RECOLLECT_BUDGET_TOKENS: budget.tokens = "many": must be a whole number`},
		{"by its short name", "RECOLLECT_CONTEXT_BUDGET=many", `RECOLLECT_CONTEXT_BUDGET: budget.tokens = "many": must be a whole number`},
		{"out of range by its short name", "RECOLLECT_CONTEXT_BUDGET=9999", `RECOLLECT_CONTEXT_BUDGET: budget.tokens = 9999: must be between 0 and 2300`},
		{"not a fraction", "RECOLLECT_RANK_THRESHOLD=low", `RECOLLECT_RANK_THRESHOLD: rank.threshold = "low": must be a number`},
		{"not a switch", "RECOLLECT_SOURCES_INBOX_ENABLED=perhaps", `RECOLLECT_SOURCES_INBOX_ENABLED: sources.inbox.enabled = "perhaps": must be true or false`},
		{"not a duration", "RECOLLECT_DAEMON_IDLE_EXIT=soon", `RECOLLECT_DAEMON_IDLE_EXIT: daemon.idle_exit = "soon": must be a duration such as`},
		{"not a setting", "RECOLLECT_BUDGET_TOKEN=1", `RECOLLECT_BUDGET_TOKEN: is not a setting`},
		{"nearest", "RECOLLECT_BUDGET_TOKEN=1", `RECOLLECT_BUDGET_TOKEN: is not a setting: did you mean RECOLLECT_BUDGET_TOKENS?`},
		{"without its table", "RECOLLECT_EPISODES_ENABLED=false", `RECOLLECT_EPISODES_ENABLED: is not a setting: did you mean RECOLLECT_SOURCES_EPISODES_ENABLED?`},
		{"of no table", "RECOLLECT_VERBOSE=1", `RECOLLECT_VERBOSE: is not a setting`},
		{"switch", "RECOLLECT_DISABLED=1", `RECOLLECT_DISABLED: is not a setting: did you mean RECOLLECT_DISABLE?`},
		{"source", "RECOLLECT_SOURCES_PATTERN_WEIGHT=1", `RECOLLECT_SOURCES_PATTERN_WEIGHT: is not a setting: did you mean RECOLLECT_SOURCES_PATTERNS_WEIGHT?`},
		{"event", "RECOLLECT_HOOKS_OFF=Stop,PreTool", `RECOLLECT_HOOKS_OFF: hooks.off = "PreTool": must be one of SessionStart`},
		{"old switch", "RECOLLECT_HOOKS_STOP_ENABLED=never", `RECOLLECT_HOOKS_STOP_ENABLED: hooks.Stop.enabled = "never": must be true or false`},
		{"one that needs another", "RECOLLECT_EMBEDDER_KIND=ollama", `RECOLLECT_EMBEDDER_MODEL: embedder.model = "": must name a model`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := override(tt.env, "RECOLLECT_BUDGET_ITEMS=1")
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(Default(), got); diff != "" {
				t.Errorf("a mistake is in force, or what stands beside it:\n%s", diff)
			}
		})
	}
}

// Variables override the file whatever becomes of it.
func TestLiveVariables(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "config.toml")
	if err := os.WriteFile(file, []byte("[budget]\ntokens = 100\nitems = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := NewLive(home, []string{"RECOLLECT_BUDGET_TOKENS=300"})
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Current(); s.Budget.Tokens != 300 || s.Budget.Items != 2 || s.Err != nil {
		t.Errorf("budget = %+v, %v; want 300 tokens, 2 items", s.Budget, s.Err)
	}
	if err := os.WriteFile(file, []byte("[budget]\ntokens = 1000\nitems = 33\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := l.Current(); s.Budget.Tokens != 300 || s.Budget.Items != 33 || s.Err != nil {
		t.Errorf("budget = %+v, %v; want 300 tokens, 33 items", s.Budget, s.Err)
	}
	if l, err = NewLive(home, []string{"RECOLLECT_BUDGET_TOKENS=-1"}); err != nil {
		t.Fatal(err)
	}
	if s := l.Current(); s.Budget.Tokens != 1000 || s.Budget.Items != 33 || s.Err == nil {
		t.Errorf("budget = %+v, %v; want the file's and a mistake", s.Budget, s.Err)
	}
}

// A variable overrides the file in whatever form either speaks of an event.
func TestHooksByVariable(t *testing.T) {
	tests := []struct {
		name, file string
		env        []string
		want       []string
	}{
		{"list over list", "off = [\"Stop\"]", []string{"RECOLLECT_HOOKS_OFF=PreCompact"}, []string{"PreCompact"}},
		{"list over switch", "Stop = { enabled = true }", []string{"RECOLLECT_HOOKS_OFF=Stop"}, []string{"Stop"}},
		{"switch over list", "off = [\"Stop\", \"PreCompact\"]", []string{"RECOLLECT_HOOKS_STOP_ENABLED=true"}, []string{"PreCompact"}},
		{"switch over switch", "Stop = { enabled = false }", []string{"RECOLLECT_HOOKS_STOP_ENABLED=true"}, []string{}},
		{"both", "", []string{"RECOLLECT_HOOKS_OFF=Stop,PreCompact", "RECOLLECT_HOOKS_STOP_ENABLED=true"}, []string{"PreCompact"}},
		{"both in the file", "Stop = { enabled = true }\noff = [\"Stop\"]", nil, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := newCatalog()
			changes, err := list.parse("config.toml", "[hooks]\n"+tt.file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := list.override(changes, variables(tt.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.Hooks.Off); diff != "" {
				t.Errorf("off:\n%s", diff)
			}
		})
	}
}

// Every variable that the sources and scripts name is a setting or known to be
// none, so that none of ours is reported as a mistake.
func TestNamedVariables(t *testing.T) {
	name := regexp.MustCompile(`\bRECOLLECT_[A-Z_]+[A-Z]\b`)
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == ".git" || e.Name() == "testdata" || e.Name() == "bin" || path == "../../internal/config") {
			return filepath.SkipDir
		}
		if !e.Type().IsRegular() || path != "../../README.md" && filepath.Ext(path) != ".go" && filepath.Dir(path) != "../../scripts" {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, v := range name.FindAllString(string(b), -1) {
			if _, err := override(v + "=x"); v != "RECOLLECT_INTERNAL" && err != nil && strings.Contains(err.Error(), "is not a setting") {
				t.Errorf("%s: %v", path, err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Mistakes in the file do not hide those in the names of variables.
func TestLoadMistakes(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("[budget]\ntoken = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load(home, []string{"RECOLLECT_BUDGET_ITEM=1", "RECOLLECT_HOME=" + home})
	for _, want := range []string{"config.toml:2: budget.token is not a setting", "RECOLLECT_BUDGET_ITEM: is not a setting: did you mean RECOLLECT_BUDGET_ITEMS?"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load error = %v, want %q in it", err, want)
		}
	}
}
