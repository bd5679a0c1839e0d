package bench

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/store/storetest"
)

// The store can be opened, and has as many memories as were asked for, none twice.
func TestWriteStore(t *testing.T) {
	const corpus = `{"k":"commit","r":"ada/shop","a":"Raise the pool","p":["It was too small.","Now it has 40."]}
{"k":"doc","r":"ada/shop","h":["Cache","Entries"],"p":["There are 90."]}
{"k":"doc","r":"ada/shop","h":[],"p":[]}
`
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(corpus)), nil }
	dir := t.TempDir()
	if err := WriteStore(dir, 3, 0, open); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, dir)
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
	if err := WriteStore(t.TempDir(), 1, 0, empty); err == nil {
		t.Error("WriteStore() from nothing succeeded")
	}
}

// Sessions of so many turns have an episode each, decisions, of which some supersede those of the
// session before, and a handoff.
func TestWriteStoreOfSessions(t *testing.T) {
	var corpus strings.Builder
	for i := range 40 {
		fmt.Fprintf(&corpus, "{\"r\":\"ada/shop\",\"a\":\"Raise the pool to %d\",\"p\":[\"It was too small.\"]}\n", i)
	}
	dir := t.TempDir()
	if err := WriteStore(dir, 50, 10, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(corpus.String())), nil }); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, dir)
	counts := s.Counts()
	if counts[memory.Episodes] < 38 || counts[memory.Journal] != 8 || counts[memory.Handoffs] < 3 || len(s.Problems()) > 0 {
		t.Errorf("counts %v, problems %v", counts, s.Problems())
	}
	if turns := s.Turns([]string{"long-1"})["long-1"]; len(turns) != 10 {
		t.Errorf("%d turns of a session, want 10", len(turns))
	}
	superseded := 0
	for _, id := range s.IDs() {
		if s.SupersededBy(id) != "" {
			superseded++
		}
	}
	if superseded < 3 {
		t.Errorf("%d memories are superseded", superseded)
	}
}
