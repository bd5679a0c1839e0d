package bench

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/store"
)

// The store can be opened, and has as many memories as were asked for, none twice.
func TestWriteStore(t *testing.T) {
	const corpus = `{"k":"commit","r":"ada/shop","a":"Raise the pool","p":["It was too small.","Now it has 40."]}
{"k":"doc","r":"ada/shop","h":["Cache","Entries"],"p":["There are 90."]}
{"k":"doc","r":"ada/shop","h":[],"p":[]}
`
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(corpus)), nil }
	dir := t.TempDir()
	if err := WriteStore(dir, 3, open); err != nil {
		t.Fatal(err)
	}
	lock, err := store.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	s, err := store.Open(lock, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	texts := map[string]memory.Memory{}
	for _, id := range s.IDs() {
		m, err := s.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		texts[m.Title+"/"+m.Text] = m
	}
	for _, want := range []string{"Raise the pool/It was too small.\n\nNow it has 40.", "Raise the pool/Now it has 40.\n\nIt was too small.", "Cache: Entries/There are 90."} {
		if m, ok := texts[want]; !ok || m.Project != "shop" || m.Session == "" {
			t.Errorf("%q: %+v", want, m)
		}
	}
	if len(texts) != 3 || len(s.Problems()) > 0 {
		t.Errorf("%d memories, problems %v", len(texts), s.Problems())
	}

	empty := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }
	if err := WriteStore(t.TempDir(), 1, empty); err == nil {
		t.Error("WriteStore() from nothing succeeded")
	}
}
