package store

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestPlainEntry(t *testing.T) {
	line := strings.TrimSpace(plain(t, memory.Memory{Source: memory.Inbox, ID: "note-1", Text: "l'erreur : say \"deleted\": or \"supersedes\":", Tags: []string{"deleted"}}))
	change := func(old, new string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("%q is not in %q", old, line)
		}
		return strings.Replace(line, old, new, 1)
	}
	tests := []struct {
		name string
		line string
		want string
	}{
		{"as written", line, "note-1"},
		{"other order", change(`"v":1,"id":"note-1"`, `"id":"note-1","v":1`), ""},
		{"other version", change(`"v":1`, `"v":2`), ""},
		{"no id", change(`note-1`, ""), ""},
		{"escape in the id", change(`note-1`, `note\u002d1`), ""},
		{"not ASCII in the id", change(`note-1`, `note–1`), ""},
		{"other source", change(`"inbox"`, `"goals"`), ""},
		{"longer source", change(`"inbox"`, `"inboxes"`), ""},
		{"key behind the hash", change(`"}`, `","x":1}`), ""},
		{"deleted in between", change(`,"text"`, `,"deleted":true,"text"`), ""},
		{"deleted with space", change(`,"text"`, `,"deleted" :true,"text"`), ""},
		{"deleted with a tab and a return", change(`,"text"`, `,"deleted"`+"\t\r :true,\"text\""), ""},
		{"supersedes in between", change(`,"text"`, `,"supersedes":["a"],"text"`), ""},
		{"cut short", line[:len(line)-1], ""},
		{"only its two ends", `{"v":1,"id":"note-1","source":"inbox"`, ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := plainEntry([]byte(tt.line), memory.Inbox, entry{})
			if got.id != tt.want || ok != (tt.want != "") {
				t.Errorf("plainEntry(%s) = %q, %v, want %q", tt.line, got.id, ok, tt.want)
			}
		})
	}
}

// FuzzScan: what the fast scan of a line finds in it, encoding/json finds too,
// unless the line cannot be read. The keys are matched as we write them;
// encoding/json also takes Deleted for deleted, and of two ids the second, so
// lines with such keys are left out.
func FuzzScan(f *testing.F) {
	ms := []memory.Memory{
		note("one"),
		note("a \"deleted\": b \\\" { } [ ] , : <>\u2028\x00"),
		{Source: memory.Inbox, ID: "mine", Text: "x", Supersedes: []string{"note-1"}},
		{Source: memory.Inbox, Text: "x", Fields: map[string]string{"deleted": "true", "supersedes": "x", "id": "y"}},
		{Source: memory.Inbox, Text: "x", Session: "s", Turn: "t", Agent: "Explore", OccurredAt: time.UnixMicro(1 << 50)},
		{Source: memory.Inbox, Text: "x", Project: "app", ProjectPath: "/home/zoë/app", ProjectRemote: "example.com/zoë/app"},
		{Source: memory.Inbox, Text: "x", Project: "app", AppliesTo: memory.Global},
		{Source: memory.Inbox, Text: "x", ProjectPath: `C:\src\app`},
		{Source: memory.Inbox, Text: "x", Session: "café", Fields: map[string]string{"session": "\\", "turn\\": "\"}"}},
	}
	for _, m := range ms {
		line := strings.TrimSpace(plain(f, m))
		f.Add(line)
		f.Add(strings.Replace(line, `,"text"`, `,"deleted":true,"text"`, 1))
		f.Add(line[:len(line)-9])
	}
	f.Add(`{"id":"note-1","deleted":true}`)
	f.Add(`{"text":"by hand"}`)
	f.Fuzz(func(t *testing.T, line string) {
		fast, err := parse([]byte(line), memory.Inbox, false, entry{})
		if err != nil || oddKeys(line) {
			return
		}
		slow, err := parse([]byte(line), memory.Inbox, true, entry{})
		if err != nil {
			return
		}
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(entry{})); diff != "" {
			t.Errorf("encoding/json and the fast scan differ:\n%s", diff)
		}
	})
}

// oddKeys reports whether line has a key twice, or one that encoding/json
// matches though we would not write it so.
func oddKeys(line string) bool {
	dec := json.NewDecoder(strings.NewReader(line))
	seen := map[string]bool{}
	if _, err := dec.Token(); err != nil {
		return true
	}
	for dec.More() {
		key, err := dec.Token()
		name, _ := key.(string)
		odd := seen[name] || !strings.HasSuffix(line[:dec.InputOffset()], `"`+strings.ToLower(name)+`"`)
		var value json.RawMessage
		if odd || err != nil || dec.Decode(&value) != nil {
			return true
		}
		seen[name] = true
	}
	return false
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("l", maxLine+1)
	fits := strings.Repeat("f", maxLine)
	type line struct {
		Text  string
		Long  bool
		Ended bool
	}
	tests := []struct {
		name string
		log  string
		want []line
	}{
		{"empty", "", nil},
		{"one", "a\n", []line{{"a", false, true}}},
		{"without newline", "a\nb", []line{{"a", false, true}, {"b", false, false}}},
		{"blank", "\n\na\n", []line{{"", false, true}, {"", false, true}, {"a", false, true}}},
		{"longest", fits + "\na\n", []line{{fits, false, true}, {"a", false, true}}},
		{"too long", long + "\na\n", []line{{"", true, true}, {"a", false, true}}},
		{"far too long", strings.Repeat(long, 5) + "\na", []line{{"", true, true}, {"a", false, false}}},
		{"too long without newline", "a\n" + strings.Repeat(long, 3), []line{{"a", false, true}, {"", true, false}}},
	}
	for _, tt := range tests {
		for how, r := range map[string]io.Reader{
			"at once": strings.NewReader(tt.log), "in halves": iotest.HalfReader(strings.NewReader(tt.log)),
			"with EOF": iotest.DataErrReader(strings.NewReader(tt.log)),
		} {
			t.Run(tt.name+" "+how, func(t *testing.T) {
				var got []line
				lr := newLineReader(r, Mark{}, int64(len(tt.log)%1000))
				for ln, err := lr.next(); err != io.EOF; ln, err = lr.next() {
					if err != nil {
						t.Fatal(err)
					}
					if ln.long {
						ln.text = nil
					}
					got = append(got, line{string(ln.text), ln.long, ln.ended})
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("lines, -want +got:\n%.300s", diff)
				}
				if want := (Mark{}).add([]byte(tt.log)); lr.at != want {
					t.Errorf("mark at the end = %v, want %v", lr.at, want)
				}
			})
		}
	}
}

func TestEncodeKeepsAngleBrackets(t *testing.T) {
	m := note("if a < b && c > d")
	var b bytes.Buffer
	if err := encode(&b, &m); err != nil || !strings.Contains(b.String(), m.Text) {
		t.Errorf("encode() = %s, %v, want the text as it is", b.String(), err)
	}
}
