package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// take reads lines.
func take(text string) (lines []Line, err error) {
	err = Read(strings.NewReader(text), func(line Line) error {
		lines = append(lines, line)
		return nil
	})
	return lines, err
}

// What is written is read.
func TestLines(t *testing.T) {
	rec := Record{
		Kind: "observations", ID: []string{"2026", "7"}, Folder: "/x", Source: memory.Journal, Title: "a <b> & \u2028\x00",
		Fields: map[string]string{"done": "c"}, Tags: []string{"d"}, OccurredAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
	}
	late := rec
	late.OccurredAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	const message = `{"info":{"text":"\u003cb\u003e"}}`
	var out bytes.Buffer
	w := NewWriter(&out)
	err := errors.Join(w.Begin(), w.Record(rec), w.Record(late), w.Unread(errors.New("a\nb")), w.Message("ses_1", []byte(message)), w.End(nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := take(out.String())
	if err != nil || len(got) != 4 {
		t.Fatalf("%d lines, %v:\n%s", len(got), err, out.String())
	}
	if d := cmp.Diff(&rec, got[0].Record); d != "" {
		t.Errorf("record (-want +got):\n%s", d)
	}
	if !strings.HasPrefix(got[1].Unread, "observations/7: ") || got[2].Unread != "a\nb" || string(got[3].Message.JSON) != message {
		t.Errorf("got %+v", got[1:])
	}
}

func TestBrokenLines(t *testing.T) {
	const begin, end = `{"format":1}` + "\n", `{"end":{}}` + "\n"
	for _, tt := range []struct {
		name, text string
		lines      int
		want       error
	}{
		{"nothing", "", 0, ErrCut},
		{"no beginning", `{"unread":"a"}` + "\n" + end, 0, ErrFormat},
		{"another format", `{"format":2}` + "\n" + end, 0, ErrFormat},
		{"no end", begin + `{"unread":"a"}` + "\n", 1, ErrCut},
		{"half a line", begin + `{"unread":"a`, 0, ErrCut},
		{"a number", begin + "7\n" + end, 0, ErrCut},
		{"an unknown field", begin + `{"later":1}` + "\n" + end, 1, nil},
		{"more behind the end", begin + end + "x", 0, nil},
		{"a line that is too long", begin + strings.Repeat("x", maxLine+1) + "\n" + end, 1, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := take(tt.text); len(got) != tt.lines || !errors.Is(err, tt.want) {
				t.Errorf("%d lines, %v; want %d, %v", len(got), err, tt.lines, tt.want)
			}
		})
	}
	if _, err := take(begin + `{"end":{"error":"the database is damaged"}}`); err == nil || err.Error() != "the database is damaged" {
		t.Errorf("error %v, want that of the end", err)
	}
}

func TestIsSession(t *testing.T) {
	for id, want := range map[string]bool{"ses_df8d0b59": true, "": false, "ses_": false, "ses_../x": false, "x/ses_1": false, "ses_1\n": false} {
		if got := IsSession(id); got != want {
			t.Errorf("IsSession(%q) = %v", id, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"format":1}` + "\n" + `{"record":{"kind":"a","id":["1"]}}` + "\n" + `{"end":{}}`)
	f.Add(`{"format":1}` + "\n" + `{"message":{"session":"ses_1","json":{}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if lines, err := take(text); err == nil && len(lines) > strings.Count(text, "\n") {
			t.Errorf("%d lines of %q", len(lines), text)
		}
	})
}
