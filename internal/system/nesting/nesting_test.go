package nesting

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestTooDeep(t *testing.T) {
	limit := Limit{Names: 2, Values: 2}
	deep := strings.Repeat
	tests := []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"flat", "off = true\nignore = [\"*.pem\", 'notes/*.md']\n", 0},
		{"a list over lines", "ignore = [\n  \"a\", # [[[[\n  \"b\",\n]\noff = true", 0},
		{"a table", "[budget]\ntokens = 2300", 0},
		{"a version and a date", "a = 1.5\nb = 1979-05-27T07:32:00.999\nc = [1.5, 2.5, 3.5]", 0},
		{"brackets in quotes", "a = \"[[[[{{{{\"\nb = '[[[[{{{{'\n\"[[[[\" = 1\n'a.b.c.d' = 1", 0},
		{"brackets in long quotes", "a = \"\"\"\n[[[[{{{{\n\\\"\"\"{{{{\"\"\"\nb = '''\n[[[[\n'''\n", 0},
		{"a quote at the end of long quotes", "a = [\"\"\"x\"\"\"\"\", [[[1]]]]", 1},
		{"a backslash in literal quotes", "a = ['\\', [[[1]]]]", 1},
		{"an escaped quote", "a = [\"\\\"\", [[[1]]]]", 1},
		{"brackets in a comment", "# [[[[a.b.c.d]]]] {{{{\nx = 1 # {{{{\n", 0},
		{"an inline table in a list", "a = [{b = 1}, {c = 2}, {d.e = 1.5}]", 0},
		{"inline tables", "\nx = " + deep("{a=", 3) + "1" + deep("}", 3), 2},
		{"inline tables that never end", "x = " + deep("{a=", 16000), 1},
		{"a dotted key", "a = 1\n" + deep("a.", 16000) + "a = 1\n", 2},
		{"a dotted key with blanks", "a . b\t.\tc = 1", 1},
		{"a dotted key in quotes", "\"a\".'b'.\"c\" = 1", 1},
		{"a dotted key in an inline table", "x = { a.b.c = 1 }", 1},
		{"a dotted key after a comma", "x = { a = 1.5, b.c.d = 1 }", 1},
		{"a heading", "a = 1\n\n[" + deep("a.", 16000) + "a]\nb = 1\n", 3},
		{"a heading in quotes", "[\"a\".b.'c']", 1},
		{"an array of tables", "[[a]]\nb = 1", 1},
		{"an array of tables with a blank", "[ [a]]", 1},
		{"arrays", "x=" + deep("[", 32000), 1},
		{"arrays over lines", "x=[\n[\n[\n1]]]", 3},
		{"arrays and inline tables", "x = [{a = [1]}]", 1},
		{"half a text in quotes", "a = \"x\nb = [[[1]]]", 2},
		{"half a literal", "a = 'x\nb.c.d = 1", 2},
		{"line ends of another system", "off = true\r\n[a.b.c]\r\n", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := TooDeep(tt.text, limit); got != tt.want {
				t.Errorf("line %d, want %d", got, tt.want)
			}
		})
	}
}

// What fits is what the decoder has: it never finds deeper values than the limit allows.
func FuzzTooDeep(f *testing.F) {
	for _, text := range []string{"a = [\"\"\"x\"\"\"\"\", [[[1]]]]", "x = {a = [1]}\n[b.c]\nd.e = '[['", "'''\n''''' = [[[", "a=\"\\\\\"\n[[b]]", "a = '''\n'''''\nb = [[[1]]]"} {
		f.Add(text)
	}
	limit := Limit{Names: 2, Values: 2}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 || TooDeep(text, limit) > 0 {
			return
		}
		var tree map[string]any
		if _, err := toml.Decode(text, &tree); err != nil {
			return
		}
		if got := depth(tree); got > 1+2+2+2*2 { // heading, key, values with keys
			t.Errorf("%q has depth %d", text, got)
		}
	})
}

func depth(value any) int {
	most := 0
	switch value := value.(type) {
	case map[string]any:
		for _, v := range value {
			most = max(most, depth(v))
		}
	case []any:
		for _, v := range value {
			most = max(most, depth(v))
		}
	case []map[string]any:
		for _, v := range value {
			most = max(most, depth(v))
		}
	default:
		return 0
	}
	return most + 1
}
