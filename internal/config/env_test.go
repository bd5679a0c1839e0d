package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect"
)

// otherThan returns a text that sets a field to another value than it has.
func otherThan(t *testing.T, key string, field reflect.Value) string {
	switch v := field.Interface().(type) {
	case bool:
		return fmt.Sprint(!v)
	case int:
		return fmt.Sprint(v + 1)
	case float64:
		return fmt.Sprint(v + 0.25)
	case string:
		return v + "/x"
	case Duration:
		return (time.Duration(v) + time.Minute).String()
	case []string:
		return "*.one, *.two"
	}
	t.Fatalf("%s has the type %s, which no variable sets", key, field.Type())
	return ""
}

// Every setting of config.toml has a variable, which sets that one and no
// other.
func TestEverySettingHasAVariable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range settings() {
		_, key, _ := strings.Cut("."+s.key, s.key[:strings.LastIndex(s.key, ".")+1])
		if !strings.Contains(recollect.ConfigTOML, "\n"+key+" = ") {
			t.Errorf("config.toml does not have %s", s.key)
		}
		name := variable(s.key)
		if seen[name] {
			t.Errorf("%s is the variable of two settings", name)
		}
		seen[name] = true

		got, want := Default(), Default()
		field := reflect.ValueOf(&want).Elem().FieldByIndex(s.field)
		text := otherThan(t, s.key, field)
		if problems := got.assign(variables([]string{name + "=" + text})); len(problems) > 0 {
			t.Errorf("%s=%s: %v", name, text, problems)
			continue
		}
		if cmp.Equal(want, got) {
			t.Errorf("%s=%s sets nothing", name, text)
		}
		field.Set(reflect.ValueOf(&got).Elem().FieldByIndex(s.field))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s=%s sets more than one setting:\n%s", name, text, diff)
		}
	}
	if len(seen) < 90 {
		t.Errorf("%d settings, there are more in config.toml", len(seen))
	}
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
		{"key of two words", []string{"RECOLLECT_RECALL_TOPIC_GATE=1"}, set(func(c *Config) { c.Recall.TopicGate = 1 })},
		{"event", []string{"RECOLLECT_HOOKS_SESSIONSTART_ENABLED=0"}, set(func(c *Config) { c.Hooks.SessionStart.Enabled = false })},
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
			got, err := Default().override(variables(tt.env))
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
		{"one that needs another", "RECOLLECT_EMBEDDER_KIND=ollama", `RECOLLECT_EMBEDDER_MODEL: embedder.model = "": must name a model`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Default().override(variables([]string{tt.env, "RECOLLECT_BUDGET_ITEMS=1"}))
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
