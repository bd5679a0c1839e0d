package rule

import (
	"strings"
	"testing"
)

// a fruit is a rule with an attribute.
type fruit struct {
	Rule
	Weight int
}

type fruits struct {
	Header
	Fruit []*fruit `toml:"fruit"`
	Each  []*fruit `toml:"each" rule:"each"`
	Sour  Set      `toml:"sour"`
	Stone *Rule    `toml:"stone"`
}

const orchard = `
lowered = true

[around]
fruit = '^{pattern}$'

[words]
colour = ["red", "dark {shade}"]
shade = ["green", "blue"]
skin = 'with {colour} skins?'

[[fruit]]
name = "apple"
language = "en"
pattern = 'an? {colour} apple\d{1,2}'
takes = "A dark blue APPLE12"
refuses = "a blue apple1"
weight = 3

[[fruit]]
name = "pear"
language = "en"
pattern = 'pears {skin}'
takes = "pears with red skin"
refuses = "pears"

[[each]]
name = "any-berry"
language = ""
pattern = 'berry'
takes = "berry"
refuses = "bery"

[[each]]
name = "strawberry"
language = "en"
pattern = 'straw ?berry'
takes = "strawberry"
refuses = "berry"

[[sour]]
name = "lemon"
language = "en"
pattern = 'lemon|lime'
takes = "lime"
refuses = "line"

[[sour]]
name = "zitrone"
language = "de"
pattern = 'zitrone'
takes = "zitrone"
refuses = "zitrus"

[stone]
language = ""
pattern = '{here} (\w+)'
takes = "here stones"
refuses = "there"
`

func TestRead(t *testing.T) {
	read := Read[fruits](orchard)
	tables := read()
	if read() != tables {
		t.Error("the tables are read twice")
	}
	if err := Check(tables); err != nil {
		t.Error(err)
	}
	if got, want := tables.Fruit[0].text, `^an? (?:red|dark (?:green|blue)) apple\d{1,2}$`; got != want {
		t.Errorf("apple is %q, want %q", got, want)
	}
	if got, want := tables.Fruit[1].text, `^pears with (?:red|dark (?:green|blue)) skins?$`; got != want {
		t.Errorf("pear is %q, want %q", got, want)
	}
	if tables.Fruit[0].Weight != 3 {
		t.Errorf("the apple has weight %d", tables.Fruit[0].Weight)
	}
	if got := tables.Sour.FindString("a zitrone"); got != "zitrone" {
		t.Errorf("the set finds %q", got)
	}
	if r := tables.Sour.First("a zitrone"); r == nil || r.Name != "zitrone" {
		t.Errorf("the first of the set is %v", r)
	}
	if r := tables.Sour.First("sugar"); r != nil {
		t.Errorf("the set takes sugar for %s", r.Name)
	}
	if got := tables.Stone.FindStringSubmatch("in this repo stones"); len(got) != 2 || got[1] != "stones" || tables.Stone.Name != "stone" {
		t.Errorf("%s finds %q", tables.Stone.Name, got)
	}
}

func TestReadMistakes(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"unknown words", "{skin}", "{peel}", "no words {peel}"},
		{"unknown attribute", "weight = 3", "wait = 3", "wait is not known"},
		{"unknown key of a set", `name = "lemon"`, `nam = "lemon"`, "nam = lemon"},
		{"number in a set", `takes = "lime"`, `takes = 1`, "takes = 1"},
		{"unknown table", "[stone]", "[ston]", "is not known"},
		{"unknown table around", "fruit = '^", "fruits = '^", "around.fruits"},
		{"no such table", orchard[strings.Index(orchard, "[stone]"):], "", "no table stone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := decode(strings.Replace(orchard, tt.from, tt.to, 1), new(fruits))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestCheckMistakes(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"does not take", `"pears with red skin"`, `"pears with skin"`, `does not take "pears with skin"`},
		{"does not refuse", `refuses = "pears"`, `refuses = "Pears with red skins"`, "does not refuse"},
		{"taken before", "'pears {skin}'\ntakes = \"pears with red skin\"", "'.* {skin}|a red apple1'\ntakes = \"a red apple1\"", "taken by apple before"},
		{"same name", `name = "pear"`, `name = "apple"`, "there are two"},
		{"name in capitals", `name = "pear"`, `name = "Pear"`, "lower case"},
		{"unknown language", `language = "de"`, `language = "dutch"`, `language "dutch"`},
		{"no example", `refuses = "pears"`, `refuses = ""`, "must not be empty"},
		{"long", "straw ?berry", strings.Repeat("straw ?berry|", 12), "at most 120 characters"},
		{"no regular expression", "straw ?berry", "straw (?berry", "error parsing regexp"},
		{"unused words", `shade = `, "shape = ['round']\nshade = ", "words shape"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tables := new(fruits)
			if err := decode(strings.Replace(orchard, tt.from, tt.to, 1), tables); err != nil {
				t.Fatal(err)
			}
			if err := Check(tables); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
