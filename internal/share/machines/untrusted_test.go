package machines

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pair returns two machines that have the same memory, and their target.
func pair(t *testing.T) (a, b *replicaUser, id, dir string) {
	t.Helper()
	a, b, dir = newUser(t, 0), newUser(t, 0), t.TempDir()
	id = a.store(1, "first")
	for _, u := range []*replicaUser{a, b} {
		if err := u.sync(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	return a, b, id, dir
}

func (u *replicaUser) text(id string) string {
	u.t.Helper()
	m, err := u.m.Store.Newest(id)
	if err != nil {
		u.t.Fatal(err)
	}
	return m.Text
}

// Of two edits at once one is in force everywhere, and the other is not gone, however often each
// machine edited.
func TestConflictIsNoted(t *testing.T) {
	a, b, id, dir := pair(t)
	for _, text := range []string{"draft", "final"} {
		a.store(1, text+" of a")
		b.store(1, text+" of b")
	}
	for _, u := range []*replicaUser{a, b, a} {
		if err := u.sync(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	if a.text(id) != b.text(id) {
		t.Fatalf("a says %q, b %q", a.text(id), b.text(id))
	}
	lost := append(a.lost, b.lost...)
	if len(lost) == 0 || !strings.HasPrefix(lost[0].Text, "final of ") || lost[0].Text == a.text(id) {
		t.Errorf("noted: %v, in force: %q", lost, a.text(id))
	}
	a.store(1, "later")
	a.lost, b.lost = nil, nil
	for _, u := range []*replicaUser{a, b} {
		if err := u.sync(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	if b.text(id) != "later" {
		t.Errorf("b says %q, want the later edit", b.text(id))
	}
}

// The words of what was forgotten leave the segments of both machines.
func TestForgottenLeavesTheTarget(t *testing.T) {
	a, b, id, dir := pair(t)
	b.store(1, "edited by b")
	if err := b.sync(dir, false); err != nil {
		t.Fatal(err)
	}
	a.forget(id)
	for _, u := range []*replicaUser{a, b} {
		if err := u.sync(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := b.m.Store.Newest(id); err != nil || !m.Deleted {
		t.Errorf("b has %+v, %v", m, err)
	}
	for _, word := range []string{"first", "edited by b"} {
		for name, content := range files(t, dir) {
			if bytes.Contains(content, []byte(word)) {
				t.Errorf("%s still says %q", name, word)
			}
		}
	}
}

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(dir, top, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if all[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A memory gets the folder that its project has here; of the folder elsewhere nothing travels.
func TestProjectsMeetByTheirRemote(t *testing.T) {
	a, b, id, dir := pair(t)
	b.store(2, "of b")
	a.store(3, "of a")
	if err := a.sync(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := b.sync(dir, false); err != nil {
		t.Fatal(err)
	}
	for name, content := range files(t, dir) {
		if bytes.Contains(content, []byte("/home/")) {
			t.Errorf("%s has a folder: %s", name, content)
		}
	}
	own := "/home/" + b.m.Writer + "/app"
	for m, err := range b.m.Store.All() {
		if err != nil {
			t.Fatal(err)
		}
		if m.ID != id && m.ProjectPath != own { // the first one came when b did not know the project
			t.Errorf("%s lies in %q, want %q", m.ID, m.ProjectPath, own)
		}
	}
}

// plant puts lines into a segment of a made-up machine.
func plant(t *testing.T, dir string, lines ...string) {
	t.Helper()
	content := []byte(strings.Join(lines, "\n") + "\n")
	folder := filepath.Join(dir, top, "00112233445566ff")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, checksum(content)+ending), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTargetIsNotTrusted(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	line := func(id, rest string) string {
		return `{"v":1,"id":"` + id + `","source":"journal",` + rest + `"content_hash":"` + hash + `"}`
	}
	dir, u := t.TempDir(), newUser(t, 0)
	plant(t, dir,
		line("dec-000000000001", `"title":"key","text":"the key is AKIAIOSFODNN7EXAMPLA","clock":1,"writer":"00112233445566ff",`),
		line("dec-000000000002", `"title":"far","text":"future","clock":9007199254740993,"writer":"00112233445566ff",`),
		line("dec-000000000003", `"title":"odd","text":"writer","writer":"../../x",`),
		`{"v":9,"id":"dec-000000000004","source":"journal","text":"newer"}`,
		line("dec-\\u0000", `"title":"odd","text":"id",`),
		"not json", `{"v":1,"id":"dec-000000000005","source":"passwords","deleted":true}`,
	)
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte(line("dec-000000000009", `"title":"outside",`)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, top, "00112233445566ff", checksum([]byte("x"))+ending)); err != nil {
		t.Skip(err)
	}
	if err := u.sync(dir, false); err != nil {
		t.Fatal(err)
	}
	if ids := u.m.Store.AllIDs(); len(ids) != 1 || ids[0] != "dec-000000000001" {
		t.Errorf("stored: %q", ids)
	}
	if text := u.text("dec-000000000001"); strings.Contains(text, "AKIA") {
		t.Errorf("stored with its secret: %q", text)
	}
}

// What a newer version wrote is named, left alone, and read by the next version.
func TestNewerVersion(t *testing.T) {
	dir, u := t.TempDir(), newUser(t, 0)
	plant(t, dir, `{"v":9,"id":"dec-000000000004","source":"journal","text":"newer"}`)
	s, err := u.m.openState(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.root.Close()
	for range 2 {
		done, err := u.m.sync(t.Context(), f, s, false)
		if err != nil || len(done.Ignored) != 1 || !strings.Contains(done.Ignored[0], "version 9: a newer recollect wrote it") {
			t.Errorf("sync: %+v, %v", done, err)
		}
	}
}

// Nothing is done to a target that has lost everything, as if its disk was not mounted.
func TestEmptyTarget(t *testing.T) {
	a, _, _, dir := pair(t)
	if err := os.RemoveAll(filepath.Join(dir, top)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.m.Sync(t.Context(), dir, false); err == nil || !strings.Contains(err.Error(), ErrEmpty.Error()) {
		t.Fatalf("sync: %v, want %v", err, ErrEmpty)
	}
	if done, err := a.m.Sync(t.Context(), dir, true); err != nil || done.Sent != 1 {
		t.Errorf("sync anew: %+v, %v", done, err)
	}
}
