package clean

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// filled returns a draft that has a text wherever there may be one.
func filled(text string) memory.Draft {
	return memory.Draft{Memory: memory.Memory{
		ID: text, Supersedes: []string{text}, Source: memory.Failures, Project: text, ProjectPath: text, ProjectRemote: text,
		Title: text, Text: text, Fields: map[string]string{"fix": text, text: "x"}, Keywords: []string{text}, Files: []string{text}, Tags: []string{text},
		AppliesTo: text, Session: text, Turn: text, ConfirmedBy: []string{text}, Agent: text, Origin: text, Evidence: text, ContentHash: text,
	}}
}

// Whatever of a memory can hold words is cleaned, and nothing of what it was
// made from is changed.
func TestDraft(t *testing.T) {
	hush := "DB_PASSWORD=" + "q7Zp2Lk9Xw4R <private>this</private>\u202e\x1b[1m\x00a"
	d := filled(hush)
	m, err := Draft(d)
	if err != nil {
		t.Fatal(err)
	}
	const clean, folded = "DB_PASSWORD=[secret:password] a", "db_password=[secret:password] a"
	want := filled(clean)
	want.V, want.Keywords = memory.Version, []string{folded}
	if diff := cmp.Diff(want.Memory, m.Memory()); diff != "" {
		t.Errorf("Draft (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(filled(hush), d); diff != "" {
		t.Errorf("Draft changed what it was given (-before +after):\n%s", diff)
	}
}

func TestDraftOnOneLine(t *testing.T) {
	m, err := Draft(filled("one\n\ttwo\r\nthree"))
	if err != nil {
		t.Fatal(err)
	}
	got := m.Memory()
	const line = "one  two three"
	for _, name := range []string{got.ID, got.Project, got.ProjectPath, got.Session, got.Turn, got.Agent, got.Files[0], got.Tags[0], got.ConfirmedBy[0]} {
		if name != line {
			t.Errorf("a name is %q, want %q", name, line)
		}
	}
	if got.Text != "one\n\ttwo\nthree" {
		t.Errorf("the text is %q", got.Text)
	}
}

func TestDraftIsBounded(t *testing.T) {
	const path = 4096
	m, err := Draft(filled(strings.Repeat("/a", 1<<14)))
	if err != nil {
		t.Fatal(err)
	}
	d := m.Memory()
	for name, size := range map[string]int{"project": len(d.Project), "session": len(d.Session), "turn": len(d.Turn), "agent": len(d.Agent), "file": len(d.Files[0])} {
		if size != 500 {
			t.Errorf("%s of %d bytes, want 500", name, size)
		}
	}
	if len(d.ProjectPath) != path || len(d.AppliesTo) != path {
		t.Errorf("paths of %d and %d bytes, want %d", len(d.ProjectPath), len(d.AppliesTo), path)
	}
	for field := range d.Fields {
		if len(field) > 500 {
			t.Errorf("name of a field of %d bytes", len(field))
		}
	}
}

func TestDraftRefuses(t *testing.T) {
	for name, m := range map[string]memory.Memory{
		"source":  {Text: "x"},
		"text":    {Source: memory.Inbox, Text: "<private>all of it</private>"},
		"deleted": {Source: memory.Inbox, ID: "note-1", Deleted: true},
	} {
		if _, err := Draft(memory.Draft{Memory: m}); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("Draft() = %v, want an error that names %s", err, name)
		}
	}
}

// Ids and hashes are what logs of every version have.
func TestDraftIDs(t *testing.T) {
	of := func(m memory.Memory, subject ...string) memory.Draft {
		m.Project, m.ProjectPath, m.ProjectRemote = "app", "/home/dev/app", "example.org/dev/app"
		return memory.Draft{Memory: m, Subject: subject}
	}
	for _, tt := range []struct {
		name string
		d    memory.Draft
		want string
	}{
		{"content", of(memory.Memory{Source: memory.Inbox, Text: "the pool has 40 connections"}), "note-00db5e651dbb"},
		{"turn", of(memory.Memory{Source: memory.Episodes, Turn: "u1", Title: "make it retry", Text: "Asked"}), "ep-72f544d991c2"},
		{"subject", of(memory.Memory{Source: memory.Preferences, Text: "use pnpm"}, "global", "Use PNPM"), "pref-7909eb18b587"},
		{"hash of its own", of(memory.Memory{Source: memory.Inbox, Text: "x", ContentHash: strings.Repeat("ab", 32)}), "note-abababababab"},
		{"exchanged", of(memory.Memory{Source: memory.Inbox, ID: "note-mine", Text: "x"}), "note-mine"},
	} {
		m, err := Draft(tt.d)
		if err != nil || m.Memory().ID != tt.want {
			t.Errorf("%s: id %s, %v, want %s", tt.name, m.Memory().ID, err, tt.want)
		}
	}
}

func TestRecorded(t *testing.T) {
	m, err := Draft(memory.Draft{Memory: memory.Memory{Source: memory.Inbox, Text: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC)
	first := m.Recorded(noon)
	if got := first.Recorded(noon.Add(time.Hour)).Memory().RecordedAt; !got.Equal(noon.Truncate(time.Second)) {
		t.Errorf("recorded at %s, want the first time", got)
	}
}

// fragments are what cleaning removes, and what may come together once some of
// it is gone.
var fragments = []string{
	"password", " = ", ":", "--token ", "q7Zp2Lk9Xw4R", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "[secret:password]", "Authorization: Bearer ",
	"postgres://u:", "@db/x", "\"", "'", "\n", "\r\n", "\t", "\u00a0", " ", "\x1b[1m", "\x00", "\u202e", "\xff", "\u212a", "İ", "…", "word ", "-----BEGIN RSA PRIVATE KEY-----",
	"<private>", "</private>", "<pri", "vate>", "<memory-data", " source=\"x\">", "</memory-data>", "<memory-data\u00a0x>", strings.Repeat("long ", 30), strings.Repeat("é", 300),
}

// The draft of a memory that was made here gives that memory again: a log is
// rewritten byte for byte, however often its memories pass.
func TestDraftAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		return b.String()
	}
	for range 2000 {
		checkAgain(t, text(), text()+text(), text())
	}
}

func FuzzDraft(f *testing.F) {
	f.Add("password =\n\tq7Zp2Lk9Xw4R", "<memory-data\u00a0x>a", "a\x1b[1m<priv\u202eate>b")
	f.Fuzz(checkAgain)
}

func checkAgain(t *testing.T, title, text, name string) {
	d := filled(name)
	d.ID, d.ContentHash, d.Title, d.Text, d.Evidence, d.Subject = "", "", title, text, text, []string{name}
	m, err := Draft(d)
	if err != nil {
		return
	}
	once, again := m.Memory(), memory.Draft{}
	line, err := json.Marshal(once)
	if err == nil {
		err = json.Unmarshal(line, &again)
	}
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Draft(again)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(once, twice.Memory()); diff != "" {
		t.Errorf("of %q, %q and %q, made again (-once +twice):\n%s", title, text, name, diff)
	}
	if !utf8.Valid(line) || strings.ContainsAny(string(line), "\x00\x1b\u202e") {
		t.Errorf("%q", line)
	}
}

// What a memory states is cleaned like the rest of it.
func TestStatementsAreClean(t *testing.T) {
	m, err := Draft(memory.Draft{Memory: memory.Memory{Source: memory.Episodes, Title: "t", Statements: []string{"the root password is kR7-quiet-Lamp", "The relay has 4 lamps."}}})
	if err != nil {
		t.Fatal(err)
	}
	got := m.Memory().Statements
	if len(got) != 2 || strings.Contains(got[0], "quiet") || got[1] != "The relay has 4 lamps." {
		t.Errorf("statements %q", got)
	}
}
