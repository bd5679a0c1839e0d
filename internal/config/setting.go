package config

import (
	"reflect"
	"slices"
	"strings"
)

// A setting is one key of config.toml and the field of Config that holds it.
type setting struct {
	key   string // dotted, as config.toml spells it
	field []int
	event string // of hooks.<event>.enabled, which is an entry of hooks.off today
}

// settings lists every setting in the order of the fields.
func settings() []setting { return settingsOf(reflect.TypeFor[Config](), "", nil) }

func settingsOf(t reflect.Type, table string, at []int) []setting {
	var out []setting
	for i := range t.NumField() {
		f := t.Field(i)
		key, field := f.Tag.Get("toml"), append(slices.Clone(at), i)
		switch {
		case f.Anonymous: // its settings stand in the same table
			out = append(out, settingsOf(f.Type, table, field)...)
		case f.Type.Kind() == reflect.Struct:
			out = append(out, settingsOf(f.Type, join(table, key), field)...)
		default:
			out = append(out, setting{key: join(table, key), field: field})
		}
	}
	return out
}

// of returns the field of c that holds the setting.
func (s setting) of(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(s.field) }

// A catalog knows every setting by each of its names.
type catalog struct {
	settings []setting
	names    map[string]int      // from dotted keys in lower case to settings
	tables   map[string]struct{} // likewise
	spelled  []string            // all keys and tables, to suggest one of them
}

func newCatalog() catalog {
	c := catalog{settings: settings(), names: map[string]int{}, tables: map[string]struct{}{}}
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

// name gives the setting with a number a name.
func (c *catalog) name(key string, number int) {
	c.names[strings.ToLower(key)] = number
	c.spelled = append(c.spelled, key)
	for table := dir(key); table != ""; table = dir(table) {
		if _, again := c.tables[strings.ToLower(table)]; !again {
			c.tables[strings.ToLower(table)] = struct{}{}
			c.spelled = append(c.spelled, table)
		}
	}
}

// inherits tells, by its number, of which setting each other one takes the
// value while nothing else is said of it: sources.tokens for
// sources.patterns.tokens. One that ships with a value of its own inherits
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
