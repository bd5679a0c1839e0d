package memory

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestNormalize(t *testing.T) {
	long := strings.Repeat("ü", 10_000) // of two bytes each
	many := make([]string, 100)
	for i := range many {
		many[i] = strings.Repeat("k", i+1)
	}
	tests := []struct {
		name string
		in   Memory
		want Memory
	}{
		{"title from the text", Memory{Text: "\n  Rows must be closed.\nOn every path.\n"},
			Memory{Title: "Rows must be closed.", Text: "Rows must be closed.\nOn every path."}},
		{"title of its own", Memory{Title: " Close \t rows \n really", Text: "On every path."},
			Memory{Title: "Close rows", Text: "On every path."}},
		{"title from the first field", Memory{Source: Patterns, Fields: map[string]string{"solution": "defer", "context": "rows leak"}},
			Memory{Source: Patterns, Title: "Context: rows leak", Fields: map[string]string{"solution": "defer", "context": "rows leak"}}},
		{"long text is cut between runes", Memory{Title: "t", Text: "x" + long},
			Memory{Title: "t", Text: "x" + long[:MaxText-2]}},
		{"space at the cut is trimmed", Memory{Title: "t", Text: strings.Repeat("a", MaxText-2) + " \n b"},
			Memory{Title: "t", Text: strings.Repeat("a", MaxText-2)}},
		{"long evidence and fields", Memory{Title: "t", Evidence: long, Fields: map[string]string{"a": "x" + long}},
			Memory{Title: "t", Evidence: long[:MaxEvidence], Fields: map[string]string{"a": "x" + long[:maxField-2]}}},
		{"invalid bytes", Memory{Title: "a\xffb", Text: "c\xfe\xffd", Keywords: []string{"e\xff"}},
			Memory{Title: "a\uFFFDb", Text: "c\uFFFDd", Keywords: []string{"e\uFFFD"}}},
		{"lists", Memory{Title: "t", Keywords: []string{" CORS", "cors", ""}, Files: []string{"A.go ", "a.go"}, Tags: []string{"  ", "Ops"}},
			Memory{Title: "t", Keywords: []string{"cors"}, Files: []string{"A.go", "a.go"}, Tags: []string{"Ops"}}},
		{"statements", Memory{Title: "t", Statements: []string{" The pool has 25 connections. ", "", "The pool has 25 connections."}},
			Memory{Title: "t", Statements: []string{"The pool has 25 connections."}}},
		{"long list", Memory{Title: "t", Keywords: many}, Memory{Title: "t", Keywords: many[:maxList]}},
		{"id and hash are kept", Memory{ID: "note-mine", ContentHash: "abc", Title: "t"}, Memory{ID: "note-mine", ContentHash: "abc", Title: "t"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.in
			if got.Source == "" {
				got.Source, tt.want.Source = Inbox, Inbox
			}
			if err := got.Normalize(); err != nil {
				t.Fatal(err)
			}
			if got.V != Version {
				t.Errorf("V = %d, want %d", got.V, Version)
			}
			if tt.want.ID == "" {
				tt.want.ContentHash, tt.want.ID = got.hash(), got.Source.Prefix()+got.hash()[:idDigits]
			}
			tt.want.V = Version
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Normalize (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNormalizeRefuses(t *testing.T) {
	tests := []struct {
		name string
		in   Memory
		want string
	}{
		{"no source", Memory{Text: "x"}, `source "": must be one of patterns, `},
		{"unknown source", Memory{Source: "diary", Text: "x"}, `source "diary": must be one of patterns, `},
		{"nothing said", Memory{Source: Inbox, Title: " ", Text: "\n"}, "text: must not be empty"},
		{"empty fields", Memory{Source: Patterns, Fields: map[string]string{"context": ""}}, "text: must not be empty"},
		{"importance", Memory{Source: Inbox, Text: "x", Importance: "urgent"}, `importance "urgent": must be low, normal or high`},
		{"negative confidence", Memory{Source: Inbox, Text: "x", Confidence: -0.1}, "confidence -0.1: must be between 0 and 1"},
		{"more than sure", Memory{Source: Inbox, Text: "x", Confidence: 1.5}, "confidence 1.5: must be between 0 and 1"},
		{"confidence that is no number", Memory{Source: Inbox, Text: "x", Confidence: math.NaN()}, "confidence NaN: must be between 0 and 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.in.Normalize()
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Normalize() = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", " \n\t", ""},
		{"first line with text", "\n\n  one\ntwo", "one"},
		{"white space", "a \t b\u00a0 c\rd", "a b c d"},
		{"as long as may be", strings.Repeat("é", MaxTitle), strings.Repeat("é", MaxTitle)},
		{"one too long", strings.Repeat("é", MaxTitle+1), strings.Repeat("é", MaxTitle-1) + "…"},
		{"cut after a space", strings.Repeat("a", MaxTitle-2) + " bc", strings.Repeat("a", MaxTitle-2) + "…"},
		{"invalid", "a\xff", "a\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := oneLine(tt.in); got != tt.want {
				t.Errorf("oneLine(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestClip(t *testing.T) {
	tests := []struct {
		name string
		in   string
		n    int
		want string
	}{
		{"short", "abc", 3, "abc"},
		{"cut", "abcd", 3, "abc"},
		{"nothing left", "abc", 0, ""},
		{"between runes", "aé", 3, "aé"},
		{"within a rune", "aéb", 2, "a"},
		{"within an emoji", "ab🚀", 5, "ab"},
		{"only a rune too large", "🚀", 3, ""},
		{"invalid", "a\xffb", 10, "a\uFFFDb"},
		{"invalid bytes grow before the cut", "\xff\xff", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clip(tt.in, tt.n); got != tt.want {
				t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
			}
		})
	}
}

// pieces are what random texts are made of: what has been cut, folded or
// replaced wrongly somewhere before.
var pieces = []string{"word", "Größe", "é", "🚀", "👩‍💻", "日本", " ", "\n", "\t", "\r\n", "\u00a0", "\xff", "\xc3", "İ", "K", "\x00", "…"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomList(r *rand.Rand) []string {
	out := make([]string, r.IntN(90))
	for i := range out {
		out[i] = randomText(r, 3)
	}
	return out
}

func randomMemory(r *rand.Rand) Memory {
	m := Memory{
		Source: Sources[r.IntN(len(Sources))], Title: randomText(r, 150), Text: randomText(r, 12_000),
		Keywords: randomList(r), Files: randomList(r), Tags: randomList(r),
		Evidence: randomText(r, 400), Confidence: r.Float64(), Turn: randomText(r, 1),
	}
	for range r.IntN(3) {
		if m.Fields == nil {
			m.Fields = map[string]string{}
		}
		m.Fields[randomText(r, 2)] = randomText(r, 4000)
	}
	return m
}

func clone(m Memory) Memory {
	m.Fields = maps.Clone(m.Fields)
	m.Keywords, m.Files, m.Tags = slices.Clone(m.Keywords), slices.Clone(m.Files), slices.Clone(m.Tags)
	return m
}

// What was stored and read again passes through Normalize again: it must not
// change, nor get another id.
func TestNormalizeProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		in := randomMemory(r)
		once := clone(in)
		if err := once.Normalize(); err != nil {
			if err.Error() != "text: must not be empty" {
				t.Fatal(err)
			}
			continue
		}
		twice := clone(once)
		if err := twice.Normalize(); err != nil {
			t.Fatalf("second Normalize: %v", err)
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Fatalf("Normalize twice is not once (-once +twice):\n%s", diff)
		}
		again := clone(in)
		if err := again.Normalize(); err != nil || again.ID != once.ID {
			t.Fatalf("the same content has the ids %s and %s, error %v", once.ID, again.ID, err)
		}
		checkBounds(t, &once)
	}
}

func checkBounds(t *testing.T, m *Memory) {
	t.Helper()
	texts := slices.Concat([]string{m.Title, m.Text, m.Evidence}, m.Keywords, m.Files, m.Tags, slices.Collect(maps.Values(m.Fields)))
	for _, s := range texts {
		if !utf8.ValidString(s) {
			t.Fatalf("%q is not valid UTF-8", s)
		}
	}
	for _, v := range m.Fields {
		if len(v) > maxField {
			t.Fatalf("a field has %d bytes", len(v))
		}
	}
	if n := utf8.RuneCountInString(m.Title); n == 0 || n > MaxTitle || len(m.Text) > MaxText || len(m.Evidence) > MaxEvidence {
		t.Fatalf("title of %d runes, text of %d bytes, evidence of %d", n, len(m.Text), len(m.Evidence))
	}
	if max(len(m.Keywords), len(m.Files), len(m.Tags)) > maxList {
		t.Fatalf("lists of %d, %d and %d", len(m.Keywords), len(m.Files), len(m.Tags))
	}
}

func TestIDs(t *testing.T) {
	episode := Memory{Source: Episodes, Turn: "u1", Title: "fix the pool", Text: "Asked: fix the pool"}
	note := Memory{Source: Inbox, Title: "fix the pool", Text: "25 connections"}
	tests := []struct {
		name   string
		base   Memory
		change func(*Memory)
		same   bool
	}{
		{"episode grown longer", episode, func(m *Memory) { m.Text += "\nOutcome: done"; m.Files = []string{"a.go"} }, true},
		{"episode of another turn", episode, func(m *Memory) { m.Turn = "u2" }, false},
		{"episode of another prompt", episode, func(m *Memory) { m.Title = "fix the leak" }, false},
		{"episode without a turn, grown", Memory{Source: Episodes, Title: "x", Text: "a"}, func(m *Memory) { m.Text = "b" }, false},
		{"other source", note, func(m *Memory) { m.Source = Journal }, false},
		{"other text", note, func(m *Memory) { m.Text = "30 connections" }, false},
		{"other project", note, func(m *Memory) { m.ProjectPath = "/src/b" }, false},
		{"other field", note, func(m *Memory) { m.Fields = map[string]string{"a": "b"} }, false},
		{"text moved to the title", Memory{Source: Inbox, Title: "ab", Text: "c"}, func(m *Memory) { m.Title, m.Text = "a", "bc" }, false},
		{"seen again in another session", note, func(m *Memory) { m.Session = "s2"; m.OccurredAt = time.Unix(1, 0); m.Confidence = .5 }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := clone(tt.base), clone(tt.base)
			tt.change(&b)
			for _, m := range []*Memory{&a, &b} {
				if err := m.Normalize(); err != nil {
					t.Fatal(err)
				}
				if src, ok := SourceOf(m.ID); !ok || src != m.Source || len(m.ID) != len(m.Source.Prefix())+idDigits {
					t.Errorf("id %s of source %s", m.ID, m.Source)
				}
			}
			if (a.ID == b.ID) != tt.same {
				t.Errorf("ids %s and %s, want the same: %t", a.ID, b.ID, tt.same)
			}
		})
	}
}

func TestBody(t *testing.T) {
	tests := []struct {
		name string
		in   Memory
		want string
	}{
		{"text alone", Memory{Source: Inbox, Text: "a"}, "a"},
		{"fields alone", Memory{Source: Patterns, Fields: map[string]string{"solution": "c", "context": "a", "problem": "b"}},
			"Context: a\nProblem: b\nSolution: c"},
		{"unknown fields last, by name", Memory{Source: Failures, Text: "t", Fields: map[string]string{"zone": "z", "fix": "f", "area": "a"}},
			"t\nFix: f\nArea: a\nZone: z"},
		{"empty fields", Memory{Source: Journal, Text: "t", Fields: map[string]string{"rationale": "", "": "x"}}, "t"},
		{"field of another source", Memory{Source: Inbox, Text: "t", Fields: map[string]string{"solution": "s", "context": "c"}},
			"t\nContext: c\nSolution: s"},
		{"name that is not ASCII", Memory{Source: Inbox, Fields: map[string]string{"übergabe": "x"}}, "Übergabe: x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Body(); got != tt.want {
				t.Errorf("Body() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestContentKey(t *testing.T) {
	a := Memory{ID: "note-1", Source: Inbox, Title: "t", Text: "x"}
	b := a
	b.ID, b.Source, b.Session = "dec-2", Journal, "s"
	if a.ContentKey() != b.ContentKey() {
		t.Error("the same words under two ids have two keys")
	}
	b.Text = "y"
	if a.ContentKey() == b.ContentKey() {
		t.Error("other words have the same key")
	}
}

func TestWhen(t *testing.T) {
	occurred, recorded := time.Unix(100, 0), time.Unix(200, 0)
	m := Memory{OccurredAt: occurred, RecordedAt: recorded}
	if got := m.When(); !got.Equal(occurred) {
		t.Errorf("When() = %v, want %v: when it happened", got, occurred)
	}
	m.OccurredAt = time.Time{}
	if got := m.When(); !got.Equal(recorded) {
		t.Errorf("When() = %v, want %v: when it was recorded", got, recorded)
	}
}

func TestSources(t *testing.T) {
	for _, s := range Sources {
		for _, name := range []string{string(s), s.Label()} {
			if got, err := ParseSource(name); err != nil || got != s {
				t.Errorf("ParseSource(%q) = %q, %v; want %q", name, got, err, s)
			}
		}
		if got, ok := SourceOf(s.Prefix() + "0123456789ab"); !ok || got != s {
			t.Errorf("SourceOf an id of %s = %q, %t", s, got, ok)
		}
	}
	if len(sources) != len(Sources) {
		t.Errorf("%d sources are described, %d are listed", len(sources), len(Sources))
	}
	if got, err := ParseSource("diary"); err == nil {
		t.Errorf("ParseSource(diary) = %q, no error", got)
	}
	if got, ok := SourceOf("diary-1"); ok {
		t.Errorf("SourceOf(diary-1) = %q", got)
	}
}

func TestWithoutTopic(t *testing.T) {
	const text = "the pump runs dry: its valve is “open”: always"
	for _, whole := range []string{text, OnTopic("why is there no water?") + text} {
		if got := WithoutTopic(whole); got != text {
			t.Errorf("WithoutTopic(%q) = %q, want %q", whole, got, text)
		}
	}
}

// What is left out of a long text is in its middle, and whole lines where it has any.
func TestClipMiddle(t *testing.T) {
	lines := "first\n" + strings.Repeat("a line between\n", 100) + "last"
	got := ClipMiddle(lines, 300)
	if len(got) > 300 || !strings.HasPrefix(got, "first\n") || !strings.HasSuffix(got, "\nlast") || strings.Contains(got, "a linea") {
		t.Errorf("ClipMiddle() = %q", got)
	}
	if got := ClipMiddle(strings.Repeat("€", 100), 50); got != strings.Repeat("€", 16) {
		t.Errorf("ClipMiddle() of one line = %q", got)
	}
	if got := ClipMiddle("short", 300); got != "short" {
		t.Errorf("ClipMiddle() of a short text = %q", got)
	}
}
