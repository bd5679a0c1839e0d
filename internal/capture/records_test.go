package capture

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/store/forgotten"
)

func TestRecords(t *testing.T) {
	d := newDesk(t)
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	record := func(id, text string, at time.Time) memory.Draft {
		return memory.Draft{Memory: memory.Memory{Source: memory.Inbox, ContentHash: id + "0123456789abcdef", Title: "title " + id, Text: text, OccurredAt: at, Session: "s" + id}}
	}
	take := func(ms ...memory.Draft) Done {
		t.Helper()
		done, err := d.capture.Records(t.Context(), func(yield func(memory.Draft, error) error) error {
			for _, m := range ms {
				if err := yield(m, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	a, b := record("aaaa", "as it was", noon), record("bbbb", "bee", noon)
	if got, want := take(a, b, memory.Draft{Memory: memory.Memory{Source: memory.Inbox, Title: " "}}), (Done{Records: 3, Added: 2, Skipped: 1}); got != want {
		t.Errorf("at first: %+v, want %+v", got, want)
	}
	if got, want := take(a, b), (Done{Records: 2, Unchanged: 2}); got != want {
		t.Errorf("again: %+v, want %+v", got, want)
	}

	// What the store has stays, unless the record is newer.
	if got, want := take(record("aaaa", "another text of the same time", noon)), (Done{Records: 1, Unchanged: 1}); got != want {
		t.Errorf("no newer: %+v, want %+v", got, want)
	}
	take(record("aaaa", "as it is", noon.Add(time.Hour)))
	if d := cmp.Diff(map[string]string{"title aaaa": "as it is", "title bbbb": "bee"}, d.texts()); d != "" {
		t.Errorf("memories (-want +got):\n%s", d)
	}

	// What was forgotten stays so, one by one or by a rule.
	if _, err := d.store.Delete(noon.Add(time.Hour), "note-bbbb01234567"); err != nil {
		t.Fatal(err)
	}
	f, err := forgotten.Open(filepath.Join(t.TempDir(), "forgotten.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Add(forgotten.Rule{Session: "scccc", Before: noon.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	d.capture.Forgotten = f
	if got, want := take(b, record("cccc", "see", noon)), (Done{Records: 2, Forgotten: 2}); got != want {
		t.Errorf("forgotten: %+v, want %+v", got, want)
	}

	// What cannot be read, or not be stored, is named, and the rest is taken.
	done, err := d.capture.Records(t.Context(), func(yield func(memory.Draft, error) error) error {
		bad := record("dddd", "dee", noon)
		bad.Confidence = 7
		return errors.Join(yield(memory.Draft{}, errors.New("x.md:3: odd\nkey")), yield(bad, nil), yield(record("eeee", "eff", noon), nil))
	})
	if want := "x.md:3: odd key\n: confidence 7: must be between 0 and 1"; err != nil || done.Unreadable != 2 || done.Unread != want || done.Added != 1 {
		t.Errorf("got %+v, %v; want one memory, and %q", done, err, want)
	}

	stop := errors.New("damaged")
	if _, err := d.capture.Records(t.Context(), func(func(memory.Draft, error) error) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the reading", err)
	}
}
