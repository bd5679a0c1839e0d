package config

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"recollect/internal/config/layout"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// others than the shipped values that the rules of these settings allow.
var allowed = map[string]any{
	"embedder.kind":     "off",
	"embedder.url":      "http://127.0.0.1:9/v1",
	"embedder.timeout":  "50ms",
	"rank.kind":         "typed",
	"capture.extractor": "claude",
	"capture.review":    "all",
	"reader.kind":       "claude",
	"reader.url":        "http://127.0.0.1:9/v1",
	"capture.url":       "http://127.0.0.1:9/v1",
	"capture.ignore":    []any{"*.one", "!two.one"},
	"hooks.off":         []any{"Stop", "PreCompact"},
	"sync.sources":      []any{"journal", "goals"},
	"team.url":          "tls://a.example.com,nats://b.example.com:4222",
}

// otherThan returns a value that a setting may have and does not.
func otherThan(t *testing.T, key string, value any) any {
	t.Helper()
	if v, ok := allowed[key]; ok {
		return v
	}
	switch v := value.(type) {
	case bool:
		return !v
	case int64:
		return v + 1
	case float64:
		if v > 0.5 {
			return v - 0.25
		}
		return v + 0.25
	case string:
		var d Duration
		if d.UnmarshalText([]byte(v)) == nil {
			return (time.Duration(d) + time.Minute).String()
		}
		return v + "/x"
	}
	t.Fatalf("%s has the type %T, which no setting has", key, value)
	return nil
}

// text writes a value as a variable has it.
func text(value any) string {
	if list, ok := value.([]any); ok {
		var out []string
		for _, v := range list {
			out = append(out, fmt.Sprint(v))
		}
		return strings.Join(out, ", ")
	}
	return fmt.Sprint(value)
}

// expected are the settings of which one, by its present name, was changed.
func expected(t *testing.T, key string, value any) Config {
	t.Helper()
	c := Default()
	for _, s := range settings() {
		if s.key == key {
			if rule := assign(s.of(&c), value); rule != "" {
				t.Fatalf("%s = %v: %s", key, value, rule)
			}
			return c
		}
	}
	t.Fatalf("%s is not a setting", key)
	return c
}

// try sets one setting in a file, in three spellings of TOML, and by its
// variable, and says where that does not come to want.
func try(t *testing.T, key string, value any, want Config) {
	t.Helper()
	files := []string{
		fmt.Sprintf("[%s]\n%s = %s\n", layout.Table(key), layout.Name(key), literal(value)),
		fmt.Sprintf("%s = %s\n", key, literal(value)),
		fmt.Sprintf("%s = { %s = %s }\n", layout.Table(key), layout.Name(key), literal(value)),
	}
	for _, file := range files {
		got, err := Parse("config.toml", file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: settings differ:\n%s", file, diff)
		}
	}
	env := variable(key) + "=" + text(value)
	got, err := override(env)
	if err != nil {
		t.Errorf("%s: %v", env, err)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: settings differ:\n%s", env, diff)
	}
}

// Each setting can be set in a file and by a variable, and changes no other,
// apart from what inherits it.
func TestEverySettingHasAVariable(t *testing.T) {
	var shipped strings.Builder
	if err := Default().Write(&shipped); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for key, value := range leaves(t, shipped.String()) {
		if seen[variable(key)] {
			t.Errorf("%s is the variable of two settings", variable(key))
		}
		seen[variable(key)] = true
		if layout.Table(key) == "sources" || layout.Table(key) == "capture.keep" {
			continue // see TestInherit
		}
		other := otherThan(t, key, value)
		try(t, key, other, expected(t, key, other))
	}
	if len(seen) < 80 {
		t.Errorf("%d settings, there are more", len(seen))
	}
}

// Each setting that recollect ever had still works, in a file and as a
// variable, or is read without harm. testdata/long.toml is the config.toml that had each in full.
func TestOldSettings(t *testing.T) {
	b, err := os.ReadFile("testdata/long.toml")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Parse("long.toml", string(b)); err != nil || !reflect.DeepEqual(c, Default()) {
		t.Errorf("as a whole it is not the shipped settings: %v\n%s", err, cmp.Diff(Default(), c))
	}
	old := leaves(t, string(b))
	if len(old) != 135 {
		t.Errorf("%d settings, want 135", len(old))
	}
	for key, value := range old {
		other := otherThan(t, key, value)
		if isRetired(key) { // see TestRetired
			continue
		}
		want := Default()
		if event, ok := strings.CutSuffix(key, ".enabled"); ok && strings.HasPrefix(key, "hooks.") {
			want.Hooks.Off = []string{layout.Name(event)}
		} else if key == "hooks.PreToolUse.allow_memory_tools" {
			want.Hooks.AllowMemoryTools = false
		} else {
			want = expected(t, key, other)
		}
		try(t, key, other, want)
		try(t, strings.ToLower(key), other, want)
	}
}

// leaves returns the values of a file by their dotted keys.
func leaves(t *testing.T, text string) map[string]any {
	t.Helper()
	var tree map[string]any
	meta, err := toml.Decode(text, &tree)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, path := range meta.Keys() {
		if meta.Type(path...) != "Hash" {
			out[path.String()] = valueAt(tree, path)
		}
	}
	return out
}
