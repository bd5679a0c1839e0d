package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestWrite(t *testing.T) {
	m := memory.Memory{
		V: 1, ID: "pat-0123456789ab", Source: memory.Patterns, Project: "app", ProjectPath: "/home/dev/app",
		Title: "Safe bash arithmetic: use $(( ))", Text: "First line\n---\n\\---\nlast",
		Fields:   map[string]string{"solution": "x=$((x+1))", "context": "set -e scripts"},
		Keywords: []string{"bash", "set -e", "#1"}, AppliesTo: "*.sh", Confidence: 0.9,
		OccurredAt: time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC), ContentHash: strings.Repeat("01", 32),
		LastSeen: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Turn: "t1", ConfirmedBy: []string{"t2", "#3"},
	}
	want := `---
id: pat-0123456789ab
subject: "Safe bash arithmetic: use $(( ))"
source: patterns
keywords: [bash, set -e, "#1"]
applies_to: "*.sh"
occurred_at: 2026-02-10T12:00:00Z
last_seen: 2026-03-01T09:30:00Z
content_hash: ` + strings.Repeat("01", 32) + `
project: app
project_path: "/home/dev/app"
confidence: 0.9
turn: t1
confirmed_by: [t2, "#3"]
fields:
  context: set -e scripts
  solution: "x=$((x+1))"
---
First line
\---
\\---
last

`
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Write (-want +got):\n%s", diff)
	}
	for _, bad := range []memory.Memory{{Source: memory.Inbox, Text: "x"}, {ID: m.ID, Deleted: true}} {
		if Write(&b, bad) == nil {
			t.Errorf("Write(%+v): no error", bad)
		}
	}
	if err := Write(fullDisk{}, m); err == nil || err.Error() != "write markdown: disk full" {
		t.Errorf("Write to a full disk: %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// pieces are what texts are made of that a format is likely to trip over.
var pieces = []string{
	"---", `\---`, `\\--- `, "\n", "\n\n", "\r\n", "\r", " ", "\t", ":", ": ", " #", "#", "- ", "|", ">", "&a", "*a", "!t", "%", "@", "`",
	"'", `"`, `\`, `\n`, "{", "}", "[", "]", ",", "?", "=", "true", "null", "~", "yes", "0x1F", "1e5", "0123", "12:30", "2026-02-10", ".5",
	"<<", "é", "日本語", "😀", "\u2028", "\u0085", "\uFEFF", "\x00", "\x1b", "\x7f", "\u00a0", "id: x", "word", "Word", "title", "\U0010FFFF", "\uFFFD",
}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomTexts(r *rand.Rand) []string {
	var out []string
	for range r.IntN(4) {
		out = append(out, randomText(r, 3))
	}
	return out
}

func randomMemory(r *rand.Rand) memory.Memory {
	zones := []*time.Location{time.UTC, time.FixedZone("", 7200+1800)}
	m := memory.Memory{
		Source: memory.Sources[r.IntN(len(memory.Sources))], Project: randomText(r, 2), ProjectPath: randomText(r, 2),
		ProjectRemote: randomText(r, 2), Title: "t" + randomText(r, 5), Text: randomText(r, 12), AppliesTo: randomText(r, 2),
		Keywords: randomTexts(r), Files: randomTexts(r), Tags: randomTexts(r), Supersedes: randomTexts(r), Pending: r.IntN(4) == 0,
		OccurredAt: time.Unix(r.Int64N(2e9), r.Int64N(1e9)).In(zones[r.IntN(2)]),
		Importance: []string{"", memory.Low, memory.Normal, memory.High}[r.IntN(4)], Confidence: float64(r.IntN(2)) * r.Float64(),
		Session: randomText(r, 2), Turn: randomText(r, 2), Agent: randomText(r, 1), Origin: randomText(r, 1), Evidence: randomText(r, 4),
	}
	if r.IntN(2) == 0 {
		m.RecordedAt = m.OccurredAt.Add(time.Hour)
	}
	if r.IntN(2) == 0 {
		m.LastSeen, m.ConfirmedBy = m.OccurredAt.Add(24*time.Hour), randomTexts(r)
	}
	for range r.IntN(4) {
		if m.Fields == nil {
			m.Fields = map[string]string{}
		}
		m.Fields["f"+randomText(r, 2)] = randomText(r, 4)
	}
	return m
}

// read reads memories as they come to be stored.
func read(r io.Reader, name string) ([]memory.Memory, error) {
	var out []memory.Memory
	err := Read(r, name, func(d memory.Draft, unread error) error {
		if unread != nil {
			return unread
		}
		if err := d.Normalize(); err != nil {
			return err
		}
		out = append(out, d.Memory)
		return nil
	})
	return out, err
}

// Writing and reading again must lose nothing, alone and one after another.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b bytes.Buffer
		var want []memory.Memory
		for range 1 + r.IntN(4) {
			m := randomMemory(r)
			if err := m.Normalize(); err != nil {
				t.Fatal(err)
			}
			if err := Write(&b, m); err != nil {
				t.Fatal(err)
			}
			want = append(want, m)
		}
		file := b.String()
		got, err := read(&b, "all.md")
		if err != nil {
			t.Fatalf("%v in\n%q", err, file)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round trip (-want +got):\n%s\n%q", diff, file)
		}
	}
}

func TestReadForeign(t *testing.T) {
	day := time.Date(2026, 2, 10, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name, in string
		want     memory.Memory
	}{
		{"heading first", "\n# Deploys\n\nRun the script.\n", memory.Memory{Title: "Deploys", Text: "Run the script."}},
		{"heading later", "Intro.\n## Deploys\nRun it.", memory.Memory{Title: "Deploys", Text: "Intro.\n## Deploys\nRun it."}},
		{"no heading", "Run the script.\nThen wait.", memory.Memory{Title: "Run the script.", Text: "Run the script.\nThen wait."}},
		{"hash without space", "#tag is no heading", memory.Memory{Title: "#tag is no heading", Text: "#tag is no heading"}},
		{"line across the page", "# A\none\n\n---\nid: x\n---\n\\---\ntwo", memory.Memory{Title: "A", Text: "one\n\n---\nid: x\n---\n\\---\ntwo"}},
		{"byte order mark and carriage returns", "\uFEFF---\r\nsubject: A\r\n---\r\none\r\ntwo\r\n", memory.Memory{Title: "A", Text: "one\ntwo"}},
		{"some keys", "---\nsubject: A\nauthor: {name: x}\nkeywords: [Go, 12, true]\nsource: failure\noccurred_at: 2026-02-10\nconfidence: 0.5\n---\nB\n---\nC",
			memory.Memory{Title: "A", Text: "B\n---\nC", Source: memory.Failures, Keywords: []string{"go", "12", "true"}, OccurredAt: day, Confidence: 0.5}},
		{"words with commas", "---\ntags: a, b c,\n---\nB", memory.Memory{Title: "B", Text: "B", Tags: []string{"a", "b c"}}},
		{"key of other tools", "---\nname: A\ndescription: x\n---\nB", memory.Memory{Title: "A", Text: "B"}},
		{"subject wins", "---\nsubject: A\ntitle: X\n---\nB", memory.Memory{Title: "A", Text: "B"}},
		{"folded text and empty keys", "---\nsubject: >-\n  one\n  two\nevidence:\ntags: []\n---\nB", memory.Memory{Title: "one two", Text: "B"}},
		{"empty front matter", "---\n---\nB", memory.Memory{Title: "B", Text: "B"}},
		{"brackets in quotes", "---\n\"subject\": 'it''s " + strings.Repeat("[", 50) + "'\ntags: [\"" + strings.Repeat("{\\\"", 30) + "\"]\n---\nB",
			memory.Memory{Title: "it's " + strings.Repeat("[", 50), Text: "B", Tags: []string{strings.Repeat("{\"", 30)}}},
		{"foreign id", "---\nid: 0123\ncontent_hash: abc\ntags: [x]\n---\nB", memory.Memory{Title: "B", Text: "B", Tags: []string{"id:0123", "x"}}},
		{"id of another source", "---\nid: pat-0123456789ab\nsource: inbox\n---\nB",
			memory.Memory{Title: "B", Text: "B", Tags: []string{"id:pat-0123456789ab"}}},
		{"our id", "---\nid: pat-0123456789ab\ncontent_hash: abc\n---\nB",
			memory.Memory{Title: "B", Text: "B", Source: memory.Patterns, ID: "pat-0123456789ab"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(tt.in), "x.md")
			if err != nil || len(got) != 1 {
				t.Fatalf("Read = %+v, %v", got, err)
			}
			if tt.want.Source == "" {
				tt.want.Source = memory.Inbox
			}
			if err := tt.want.Normalize(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got[0]); diff != "" {
				t.Errorf("memory (-want +got):\n%s", diff)
			}
			again, err := read(strings.NewReader(tt.in), "y.md")
			if err != nil || again[0].ID != got[0].ID {
				t.Errorf("second time: %+v, %v; want id %s", again, err, got[0].ID)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"not closed", "\n---\nid: x\n", "x.md:2: front matter: has no closing ---"},
		{"broken YAML", "---\nsubject: A\nkeywords: [a, b\n---\nB", "x.md:3: front matter: "},
		{"tab", "---\nsubject: A\n\tx: y\n---\nB", "x.md:3: front matter: "},
		{"no keys", "---\njust words\n---\nB", "x.md:2: front matter: must be keys with values"},
		{"text is a list", "---\nsource: inbox\nsubject: [a]\n---\nB", "x.md:3: subject: must be text"},
		{"list is a table", "---\nkeywords: {a: b}\n---\nB", "x.md:2: keywords: must be a list of words"},
		{"list in a list", "---\nkeywords: [[a]]\n---\nB", "x.md:2: keywords: must be a list of words"},
		{"table is text", "---\nfields: a\n---\nB", "x.md:2: fields: must be keys with values"},
		{"list in a table", "---\nfields: {a: [b]}\n---\nB", "x.md:2: fields: a: must be text"},
		{"time", "---\noccurred_at: soon\n---\nB", `x.md:2: occurred_at: "soon": must be a time like 2026-02-10T12:00:00Z`},
		{"number", "---\nconfidence: high\n---\nB", `x.md:2: confidence: "high": must be a number`},
		{"range", "---\nconfidence: 7\n---\nB", "x.md:1: confidence 7: must be between 0 and 1"},
		{"level", "---\nimportance: urgent\n---\nB", `x.md:1: importance "urgent": must be low, normal or high`},
		{"source", "---\nsource: diary\n---\nB", `x.md:2: source: source "diary": must be one of ` + memory.SourceNames()},
		{"nothing said", "---\ntags: [a]\n---\n", "x.md:1: text: must not be empty"},
		{"deep list", "---\nsubject: A\nx: " + strings.Repeat("[", 1<<19) + "\n---\nB", "x.md:3: front matter: nested too deeply"},
		{"deep over lines", "---\nx:\n" + strings.Repeat("  [\n", 1<<16) + "---\nB", "x.md:23: front matter: nested too deeply"},
		{"deep block", "---\nx:\n  " + strings.Repeat("- ", 1<<16) + "\n---\nB", "x.md:3: front matter: nested too deeply"},
		{"deep indent", "---\nx:\n" + strings.Repeat(" ", 101) + "y:\n---\nB", "x.md:3: front matter: nested too deeply"},
		{"deep line", "---\nx: " + strings.Repeat("a: ", 1<<16) + "\n---\nB", "x.md:2: front matter: nested too deeply"},
		{"crowded line", "---\nx: [" + strings.Repeat("'' ", 1<<16) + "]\n---\nB", "x.md:2: front matter: nested too deeply"},
		{"long", "---\nx: " + strings.Repeat("x", maxFront) + "\n---\nB", "x.md:2: front matter: more than 1048576 bytes"},
		{"in the second memory", "---\nid: a\n---\nB\n\n---\nid: b\nconfidence: x\n---\nC", `x.md:8: confidence: "x": must be a number`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(tt.in), "x.md")
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Read = %+v, %v; want error %s", got, err, tt.want)
			}
		})
	}
}

// A memory that cannot be read does not keep the next ones back.
func TestReadGoesOn(t *testing.T) {
	in := "---\nid: a\nsubject: one\n---\nA\n\n---\nid: b\nconfidence: x\n---\nB\n\n---\nid: [c\n---\nC\n\n---\nid: d\nsubject: four\n---\nD\n"
	var got []string
	err := Read(strings.NewReader(in), "x.md", func(d memory.Draft, unread error) error {
		if unread != nil {
			d.Title = unread.Error()[:len("x.md:1")]
		}
		got = append(got, d.Title)
		return nil
	})
	want := []string{"one", "x.md:9", "x.md:1", "four"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
}

// Claude Code and people write front matter that is no YAML. Its words are kept.
func TestReadAnyFront(t *testing.T) {
	const end = "---\nNever on a Friday.\n"
	tests := []struct {
		name, in, description, kind, text string
	}{
		{"YAML", "---\ndescription: a rule\nmetadata:\n  type: user\n" + end, "a rule", "user", "Never on a Friday."},
		{"no front matter", "Never on a Friday.\n", "", "", "Never on a Friday."},
		{"a colon in a value", "---\ndescription: Rule: never\nmetadata:\n  type: user\n" + end, "Rule: never", "user", "Never on a Friday."},
		{"a backtick first", "---\ndescription: `deploy` needs a tag\n" + end, "`deploy` needs a tag", "", "Never on a Friday."},
		{"an at sign first", "---\ndescription: @ops deploys\n" + end, "@ops deploys", "", "Never on a Friday."},
		{"a percent sign first", "---\ndescription: %d is a verb\n" + end, "%d is a verb", "", "Never on a Friday."},
		{"an asterisk first", "---\ndescription: *never* on a Friday\n" + end, "*never* on a Friday", "", "Never on a Friday."},
		{"a bracket that stays open", "---\ndescription: [draft rule\n" + end, "[draft rule", "", "Never on a Friday."},
		{"quotes in quotes", "---\ndescription: \"the \"big\" deploy\"\n" + end, "the \"big\" deploy", "", "Never on a Friday."},
		{"a quote that stays open", "---\ndescription: \"the rule\ntype: user\n" + end, "\"the rule", "user", "Never on a Friday."},
		{"a tab", "---\ndescription: a rule\nmetadata:\n\ttype: user\n" + end, "a rule", "user", "Never on a Friday."},
		{"a key twice", "---\ndescription: a rule\ndescription: b\n" + end, "a rule", "", "Never on a Friday."},
		{"not closed", "---\ndescription: a rule\nNever on a Friday.\n", "a rule", "", "Never on a Friday."},
		{"not closed, a blank line", "---\ndescription: a rule\n\nNote: never on a Friday.\n", "a rule", "", "Note: never on a Friday."},
		{"a line of words", "---\ndescription: a rule\nNever on a Friday.\n---\nSays Ann.\n", "a rule", "", "Never on a Friday.\nSays Ann."},
		{"words alone", "---\nNever on a Friday.\n---\nSays Ann.\n", "", "", "Never on a Friday.\nSays Ann."},
		{"an empty line before it", "\n---\ndescription: Rule: never\n" + end, "Rule: never", "", "Never on a Friday."},
		{"line ends of Windows", "---\r\ndescription: Rule: never\r\n---\r\nNever on a Friday.\r\n", "Rule: never", "", "Never on a Friday."},
		{"a byte order mark", "\ufeff---\ndescription: Rule: never\n" + end, "Rule: never", "", "Never on a Friday."},
		{"too deep", "---\ndescription: a rule\nx: " + strings.Repeat("[", 99) + "\n" + end, "a rule", "", "Never on a Friday."},
		{"a fence alone", "---", "", "", ""},
		{"no UTF-8", "---\ndescription: a \xff: rule\n" + end, "a \ufffd: rule", "", "Never on a Friday."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadAnyFront(strings.NewReader(tt.in), "x.md")
			if err != nil {
				t.Fatal(err)
			}
			if d, k := got.Word("description"), got.Word("metadata.type", "type"); d != tt.description || k != tt.kind || got.Text != tt.text {
				t.Errorf("description %q, type %q, text %q; want %q, %q, %q", d, k, got.Text, tt.description, tt.kind, tt.text)
			}
		})
	}
}

func TestReadEmpty(t *testing.T) {
	for _, in := range []string{"", "\n \n"} {
		if got, err := read(strings.NewReader(in), "x.md"); err != nil || len(got) > 0 {
			t.Errorf("Read(%q) = %+v, %v", in, got, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("---\nid: pat-0123456789ab\nkeywords: [a, \"b\"]\nfields:\n  a: |\n    x\n---\ntext\n\\---\n\n---\nid: x\n---\ny\n")
	f.Fuzz(func(t *testing.T, in string) {
		ms, err := read(strings.NewReader(in), "x.md")
		if err != nil {
			return
		}
		for _, m := range ms {
			var b bytes.Buffer
			if err := Write(&b, m); err != nil {
				t.Fatal(err)
			}
			file := b.String()
			again, err := read(&b, "y.md")
			if err != nil || len(again) != 1 || again[0].ID != m.ID || again[0].Text != m.Text {
				t.Errorf("%q\nwritten %q\nread %s, %v", in, file, fmt.Sprint(again), err)
			}
		}
	})
}
