package config

import (
	"reflect"
	"slices"
	"strings"

	"recollect/internal/config/layout"
)

// A setting is one key of a config.toml and the field of Config that holds it.
type setting struct {
	key   string // dotted, as config.toml spells it
	field []int
	event string // for hooks.<event>.enabled, an older form of an entry in hooks.off; else empty
}

// settings lists every setting in the order of the fields.
func settings() []setting { return settingsOf(reflect.TypeFor[Config](), "", nil) }

func settingsOf(t reflect.Type, table string, at []int) []setting {
	var out []setting
	for i := range t.NumField() {
		f := t.Field(i)
		key, field := f.Tag.Get("toml"), append(slices.Clone(at), i)
		switch {
		case f.Anonymous: // its settings are in the same table
			out = append(out, settingsOf(f.Type, table, field)...)
		case f.Type.Kind() == reflect.Struct:
			out = append(out, settingsOf(f.Type, layout.Join(table, key), field)...)
		default:
			out = append(out, setting{key: layout.Join(table, key), field: field})
		}
	}
	return out
}

// of returns the field of c with the setting.
func (s setting) of(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(s.field) }

// A catalog finds settings by all of their names.
type catalog struct {
	settings []setting
	names    map[string]int  // from keys, past and present, in lower case, to indexes of settings
	tables   map[string]bool // tables of these keys, in lower case
	spelled  []string        // correct spelling of keys and tables, for suggestions
}

// newCatalog lists the settings with their present names, then those with former names.
func newCatalog() catalog {
	c := catalog{settings: settings(), names: map[string]int{}, tables: map[string]bool{}}
	for _, event := range events {
		off := c.settings[slices.IndexFunc(c.settings, func(s setting) bool { return s.key == "hooks.off" })]
		c.settings = append(c.settings, setting{"hooks." + event + ".enabled", off.field, event})
	}
	for i, s := range c.settings {
		c.name(s.key, i)
	}
	c.name("hooks.PreToolUse.allow_memory_tools", c.names["hooks.allow_memory_tools"])
	return c
}

// name adds a key for the setting with a number.
func (c *catalog) name(key string, number int) {
	c.names[strings.ToLower(key)] = number
	c.spelled = append(c.spelled, key)
	for table := layout.Table(key); table != ""; table = layout.Table(table) {
		if lower := strings.ToLower(table); !c.tables[lower] {
			c.tables[lower] = true
			c.spelled = append(c.spelled, table)
		}
	}
}

// inherits maps the number of each setting that inherits its value, as sources.patterns.tokens does from
// sources.tokens, to the number of the other setting. A setting with a default of its own inherits
// nothing.
func (c *catalog) inherits() map[int]int {
	out, shipped := map[int]int{}, Default()
	for i, s := range c.settings {
		parent, ok := c.names[strings.ToLower(above(s.key))]
		if ok && s.event == "" && reflect.DeepEqual(s.of(&shipped).Interface(), c.settings[parent].of(&shipped).Interface()) {
			out[i] = parent
		}
	}
	return out
}

// above returns the key from which a source's key inherits, one table higher: capture.keep.age for
// capture.keep.inbox.age.
func above(key string) string {
	return layout.Join(layout.Table(layout.Table(key)), layout.Name(key))
}
