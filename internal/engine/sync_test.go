package engine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/machines"
	"recollect/internal/store"
)

// meet synchronizes with a folder, after what goes on in the background.
func (r *running) meet(dir string) (done api.Synced) {
	r.t.Helper()
	err := api.ErrBusy
	r.until("no other synchronization goes on", func() bool {
		done, err = r.Machines.Sync(r.t.Context(), api.Sync{Target: dir})
		return !errors.Is(err, api.ErrBusy)
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return done
}

// edit gives a memory another text.
func (r *running) edit(id, text string) {
	r.t.Helper()
	m, err := r.Store.Get(id)
	if err != nil {
		r.t.Fatal(err)
	}
	m.Text = text
	if _, err := r.Remember(r.t.Context(), api.Remember{Memories: memory.Drafts(m), Restore: true}); err != nil {
		r.t.Fatal(err)
	}
}

// versions lists the texts of a memory that is in conflict.
func (r *running) versions(id string) []string {
	r.t.Helper()
	found, err := r.Machines.Conflicts(r.t.Context(), struct{}{})
	if err != nil {
		r.t.Fatal(err)
	}
	var texts []string
	for _, c := range found.Conflicts {
		for _, v := range c.Versions {
			if c.ID == id {
				texts = append(texts, v.Text)
			}
		}
	}
	return texts
}

// titles lists what is stored.
func (r *running) titles() []string {
	r.t.Helper()
	var titles []string
	for m, err := range r.Store.All() {
		if err != nil {
			r.t.Fatal(err)
		}
		titles = append(titles, m.Title)
	}
	return titles
}

// inConflict starts two machines that gave a memory another text each, of which dir has the one of a.
func inConflict(t *testing.T, dir string) (a, b *running, id string) {
	t.Helper()
	a, b = start(t, newHome(t)), start(t, newHome(t))
	id = a.remember("where we deploy")[0]
	a.meet(dir)
	b.meet(dir)
	a.edit(id, "to the north")
	b.edit(id, "to the south")
	a.meet(dir)
	return a, b, id
}

// Edits that did not know each other are listed on the machine that saw both, until the user keeps
// one, which all machines then have.
func TestConflicts(t *testing.T) {
	dir := t.TempDir()
	a, b, id := inConflict(t, dir)
	if done := b.meet(dir); done.Conflicts != 1 {
		t.Errorf("b found %d conflicts, want 1", done.Conflicts)
	}
	a.meet(dir)
	both := b.versions(id)
	if got := slices.Sorted(slices.Values(both)); !slices.Equal(got, []string{"to the north", "to the south"}) {
		t.Fatalf("b lists %q", both)
	}
	if _, err := b.Machines.Keep(t.Context(), api.Keep{ID: id, Version: 3}); err == nil {
		t.Error("a version that is not there was kept")
	}
	if _, err := b.Machines.Keep(t.Context(), api.Keep{ID: id, Version: 2}); err != nil {
		t.Fatal(err)
	}
	b.meet(dir)
	a.meet(dir)
	for _, r := range []*running{a, b} {
		m, err := r.Store.Get(id)
		if left := r.versions(id); err != nil || m.Text != both[1] || len(left) > 0 {
			t.Errorf("in force is %q, want %q, with the conflicts %q, %v", m.Text, both[1], left, err)
		}
	}
}

// What was forgotten on one machine leaves the other with all that is left of it.
func TestForgetElsewhere(t *testing.T) {
	dir := t.TempDir()
	a, b, id := inConflict(t, dir)
	b.meet(dir)
	if _, err := a.Forget(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.meet(dir)
	if done := b.meet(dir); done.Deleted != 1 {
		t.Errorf("%d forgotten, want 1", done.Deleted)
	}
	if m, err := b.Store.GetEither(id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("b still has %+v, %v", m, err)
	}
	kept, err := os.ReadFile(filepath.Join(b.Home, "conflicts.json"))
	if err != nil || strings.Contains(string(kept), "to the") {
		t.Errorf("b keeps %s, %v", kept, err)
	}
}

// What was forgotten of a project does not come back from a session on another machine.
func TestForgottenProject(t *testing.T) {
	dir := t.TempDir()
	a, b := start(t, newHome(t)), start(t, newHome(t))
	learned := memory.Memory{
		Source: memory.Journal, Title: "learned", Project: "app", ProjectRemote: "example.com/app", Session: "s1", Turn: "t1",
		OccurredAt: time.Now().Add(-time.Hour).UTC().Truncate(time.Second),
	}
	written := learned
	written.Title, written.Session, written.Turn = "written", "", ""
	for i, m := range []memory.Memory{learned, written} {
		if _, err := b.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Restore: true}); err != nil {
			t.Fatal(i, err)
		}
	}
	if _, err := a.ForgetAll(t.Context(), api.Forget{Project: "app"}); err != nil {
		t.Fatal(err)
	}
	b.meet(dir)
	a.meet(dir)
	b.meet(dir)
	for _, r := range []*running{a, b} {
		if diff := cmp.Diff([]string{"written"}, r.titles()); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
	}
}

// A synchronization in the background that lacks the key is reported until it has it.
func TestSyncInTheBackgroundWithoutKey(t *testing.T) {
	dir, home := t.TempDir(), newHome(t)
	key, err := machines.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, newHome(t))
	if err := key.Save(a.Home); err != nil {
		t.Fatal(err)
	}
	a.learn(memory.Memory{Source: memory.Inbox, Title: "we deploy on tuesdays"})
	a.meet(dir)
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("[sync]\ntarget = '"+dir+"'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := start(t, home)
	reported := func() bool {
		return slices.ContainsFunc(b.health().Details, func(p api.Problem) bool {
			return p.Kind == api.SyncProblem && p.Cause == api.NoKey
		})
	}
	begin := func(session string) {
		t.Helper()
		if _, err := b.Orient(t.Context(), api.Session{SessionID: session, Reason: "startup"}); err != nil {
			t.Fatal(err)
		}
	}
	begin("s1")
	b.until("the missing key is reported", reported)
	if err := key.Save(home); err != nil {
		t.Fatal(err)
	}
	begin("s2")
	b.until("it is not any more", func() bool { return !reported() && b.Store.Len() == 1 })
}

// With sync.target set, the start of a session on one machine brings what another one has stored;
// with sync.sources, nothing else travels either way.
func TestSyncInTheBackground(t *testing.T) {
	dir, home := t.TempDir(), newHome(t)
	a := start(t, newHome(t))
	a.learn(memory.Memory{Source: memory.Patterns, Title: "a's habit"}, memory.Memory{Source: memory.Inbox, Title: "we deploy on tuesdays"})
	a.meet(dir)
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("[sync]\ntarget = '"+dir+"'\nsources = ['inbox']\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := start(t, home)
	b.learn(memory.Memory{Source: memory.Patterns, Title: "b's habit"}, memory.Memory{Source: memory.Inbox, Title: "we test on mondays"})
	if _, err := b.Orient(t.Context(), api.Session{SessionID: "s1", Reason: "startup"}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); b.Store.Len() < 3; {
		if time.Now().After(end) {
			t.Fatalf("b has %d memories, want 3", b.Store.Len())
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.meet(dir)
	a.meet(dir)
	for own, r := range map[string]*running{"a's habit": a, "b's habit": b} {
		titles := r.titles()
		slices.Sort(titles)
		if diff := cmp.Diff([]string{own, "we deploy on tuesdays", "we test on mondays"}, titles); diff != "" {
			t.Errorf("stored beside %s (-want +got):\n%s", own, diff)
		}
	}
}
