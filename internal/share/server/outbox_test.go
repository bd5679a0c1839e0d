package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func texts(entries []Entry) (out string) {
	for _, e := range entries {
		out += e.Text
	}
	return out
}

func TestOutbox(t *testing.T) {
	path := filepath.Join(t.TempDir(), "outbox.jsonl")
	open := func() *outbox {
		t.Helper()
		o, err := openOutbox(path)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	all := func(string) bool { return false }
	o := open()
	if err := o.addEntries([]Entry{{Project: "p", ID: "1", Text: "a"}, {Project: "q", ID: "1", Text: "b"}, {Project: "p", ID: "1", Text: "c"}, {Project: "p", ID: "2", Text: "d"}}); err != nil {
		t.Fatal(err)
	}
	first := o.nextEntries(10, all)
	if got := texts(first); got != "ab" {
		t.Errorf("at first %q is sent, want ab: c must not overtake a", got)
	}
	if got := texts(o.nextEntries(10, func(p string) bool { return p == "p" })); got != "b" {
		t.Errorf("without p %q is sent, want b", got)
	}
	if err := o.dropAcked(map[string]bool{first[0].Key: true}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"v":1,"entry":{"project":"p","te`); err != nil { // the machine stopped here
		t.Fatal(err)
	}
	f.Close()
	o = open()
	if got := texts(o.nextEntries(10, all)); got != "bcd" {
		t.Errorf("after a crash %q is left, want bcd", got)
	}
	if again := o.nextEntries(1, all); again[0].Key != first[1].Key {
		t.Error("an entry has another key after a crash, so that the server cannot tell it is the same")
	}
	if err := o.addEntries([]Entry{{Project: "p", ID: "3", Text: "e"}}); err != nil {
		t.Fatal(err)
	}
	o = open()
	if err := o.dropWhere(func(e Entry) bool { return e.Project == "p" }); err != nil {
		t.Fatal(err)
	}
	if n := o.len(); n != 1 || !o.hasEntry("q", "1") || o.hasEntry("p", "2") {
		t.Errorf("%d wait, want only what is of q", n)
	}
	if err := o.dropWhere(func(Entry) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("an empty outbox leaves its file: %v", err)
	}
	if err := os.WriteFile(path, []byte(`{"v":2}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openOutbox(path); err == nil {
		t.Error("what a newer version wrote is read")
	}
}

func TestSubjects(t *testing.T) {
	for _, project := range []string{"git.example.com/acme/orders-api", "a.b", "a*>b c", "ü/x", "a%2eb"} {
		s := subjectOf(project, "ana", "dec-1")
		got, member, id, ok := parseSubject(s)
		if !ok || got != project || member != "ana" || id != "dec-1" {
			t.Errorf("%s is read as %q %q %q, %v", s, got, member, id, ok)
		}
	}
	if got := Filter("git.example.com/acme/app"); got != "recollect.git%2eexample%2ecom/acme/app.>" {
		t.Errorf("the filter is %s", got)
	}
	for _, s := range []string{"", "recollect", "other.a.b.c", "recollect.a.b", "recollect.a.b.c.d", "recollect.%2.b.c", "recollect.%2E.b.c", "recollect.%61.b.c"} {
		if _, _, _, ok := parseSubject(s); ok {
			t.Errorf("%q is one of ours", s)
		}
	}
}

// What a newer version wrote, or what is damaged, is left as it is, and said.
func TestOpenBroken(t *testing.T) {
	for name, text := range map[string]string{"stream.json": `{"v": 2, "projects": {}}`, "outbox.jsonl": `{"v":2}`} {
		home := t.TempDir()
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := &member{home: home, has: map[string]string{}}
		m.start(t, Server{URL: "nats://127.0.0.1:1"})
		m.end() // it ended by itself, as there is nothing that it could do
		if err := m.Join(project); err == nil {
			t.Errorf("%s: a project is joined", name)
		}
		if err := m.Send(Entry{Project: project, ID: "x", Text: "x"}); err == nil {
			t.Errorf("%s: something is sent", name)
		}
		if got := m.Status().Problem; !strings.Contains(got, "newer") {
			t.Errorf("%s: the problem is %q", name, got)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%s is %q now, %v", name, now, err)
		}
	}
}
