package machines

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
)

func newKey(t *testing.T) *Key {
	t.Helper()
	k, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// synced synchronizes and returns what was ignored.
func (u *replicaUser) synced(dir string) api.Synced {
	u.t.Helper()
	done, err := u.m.Sync(u.t.Context(), dir, false)
	if err != nil {
		u.t.Fatal(err)
	}
	return done
}

// plantBytes puts content into the segment of a made-up machine, whatever it is.
func plantBytes(t *testing.T, dir string, content []byte) {
	t.Helper()
	folder := filepath.Join(dir, top, "00112233445566ff")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, checksum(content)+ending), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Nothing in an encrypted target can be read without the key, also not what lay there before.
func TestTargetIsEncrypted(t *testing.T) {
	a, b, id, dir := pair(t)
	key := newKey(t)
	a.m.Key, b.m.Key = key, key
	a.store(1, "second")
	a.synced(dir)
	if got := b.synced(dir); got.Received != 1 || len(got.Ignored) != 0 {
		t.Errorf("b: %+v", got)
	}
	if b.text(id) != "second" {
		t.Errorf("b says %q", b.text(id))
	}
	a.synced(dir) // the segments of b, which it has encrypted meanwhile
	for name, content := range files(t, dir) {
		for _, word := range []string{"first", "second", "decision", key.String(), key.identity.Recipient().String()} {
			if bytes.Contains(content, []byte(word)) {
				t.Errorf("%s says %q", name, word)
			}
		}
	}
	a.forget(id)
	before := files(t, dir)
	a.synced(dir)
	b.synced(dir)
	if m, err := b.m.Store.Newest(id); err != nil || !m.Deleted {
		t.Errorf("b has %+v, %v, want it forgotten", m, err)
	}
	for name := range files(t, dir) {
		if before[name] != nil {
			t.Errorf("%s, which has what was forgotten, is still there", name)
		}
	}
}

// What cannot be opened is named, left alone, and read once the key is right. What is not encrypted
// may be anybody's, and is never read.
func TestKeyDecides(t *testing.T) {
	dir := t.TempDir()
	a, b := newUser(t, 0), newUser(t, 0)
	id := a.store(1, "first")
	a.m.Key = newKey(t)
	a.synced(dir)

	if _, err := b.m.Sync(t.Context(), dir, false); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v, want %v", err, ErrNoKey)
	}
	b.store(2, "of b")
	if _, err := b.m.Sync(t.Context(), dir, false); !errors.Is(err, ErrNoKey) || len(files(t, dir)) != 1 {
		t.Errorf("without a key: %v, and the target has %d segments, want only those of a", err, len(files(t, dir)))
	}
	b.m.Key = newKey(t)
	for range 2 {
		if done := b.synced(dir); done.Received != 0 || len(done.Ignored) != 1 || !strings.Contains(done.Ignored[0], errOtherKey.Error()) {
			t.Errorf("with another key: %+v", done)
		}
	}
	b.m.Key = a.m.Key
	if done := b.synced(dir); done.Received != 1 || done.Sent != 1 || len(done.Ignored) != 0 || b.text(id) != "first" {
		t.Errorf("with the key: %+v", done)
	}
	if done := a.synced(dir); done.Received != 1 || len(done.Ignored) != 0 {
		t.Errorf("a: %+v, want the memory of b, and nothing of the other key left", done)
	}

	plant(t, dir, `{"v":1,"id":"dec-000000000001","source":"journal","title":"planted","content_hash":"`+strings.Repeat("ab", 32)+`"}`)
	if done := a.synced(dir); done.Received != 0 || len(done.Ignored) != 1 || !strings.Contains(done.Ignored[0], errPlain.Error()) {
		t.Errorf("with a plain segment: %+v", done)
	}
	b.m.Key = nil
	if _, err := b.m.Sync(t.Context(), dir, false); !errors.Is(err, ErrNoKey) {
		t.Errorf("after the key was lost: %v, want %v", err, ErrNoKey)
	}
}

// Of segments under our own name that are not encrypted, and that no state knows of, those of a sync
// that was killed are removed, because the store has what they say. Others are named and left alone.
func TestPlainSegmentsOfOurOwn(t *testing.T) {
	a, _, id, dir := pair(t)
	if err := Forget(a.m.Home); err != nil {
		t.Fatal(err)
	}
	a.store(1, "second")
	a.m.Key = newKey(t)
	line := `{"v":1,"id":"dec-000000000001","source":"journal","title":"unknown","content_hash":"` + strings.Repeat("ab", 32) + `"}` + "\n"
	unknown := filepath.Join(dir, top, a.m.Writer, checksum([]byte(line))+ending)
	if err := os.WriteFile(unknown, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if done := a.synced(dir); len(done.Ignored) != 1 || !strings.Contains(done.Ignored[0], errPlain.Error()) {
		t.Errorf("sync: %+v, want only the unknown segment ignored", done)
	}
	for name, content := range files(t, dir) {
		if name != unknown && !bytes.HasPrefix(content, []byte(sealed)) {
			t.Errorf("%s is not encrypted", name)
		}
	}
	if _, err := os.Stat(unknown); err != nil || a.text(id) != "second" {
		t.Errorf("the unknown segment: %v, want it left; the memory says %q", err, a.text(id))
	}
}

// A segment that was cut off, or changed, is not read, whatever its name.
func TestDamagedEncryption(t *testing.T) {
	a, dir := newUser(t, 0), t.TempDir()
	a.m.Key = newKey(t)
	line := []byte(`{"v":1,"id":"dec-000000000001","source":"journal","title":"planted","content_hash":"` + strings.Repeat("ab", 32) + `"}` + "\n")
	content, err := a.m.Key.seal(bytes.Repeat(line, 1000)) // more than one of the parts that age authenticates
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(content)
	flipped[len(flipped)-1] ^= 1
	bad := [][]byte{content[:len(content)-1], content[:len(content)/2], []byte(sealed), flipped}
	for _, b := range bad {
		plantBytes(t, dir, b)
	}
	if done := a.synced(dir); done.Received != 0 || len(done.Ignored) != len(bad) {
		t.Errorf("sync: %+v, want %d ignored", done, len(bad))
	}
	plantBytes(t, dir, content)
	if done := a.synced(dir); done.Received != 1 {
		t.Errorf("sync of the whole: %+v, want its memory", done)
	}
}

func TestKeyFile(t *testing.T) {
	home := t.TempDir()
	if k, err := LoadKey(home); k != nil || err != nil {
		t.Errorf("LoadKey() of none = %v, %v", k, err)
	}
	k := newKey(t)
	if err := k.Save(home); err != nil {
		t.Fatal(err)
	}
	if got, err := LoadKey(home); err != nil || got.id() != k.id() {
		t.Errorf("LoadKey() = %v, want what was saved", err)
	}
	if fi, err := os.Stat(filepath.Join(home, KeyFile)); err != nil || fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file: %v, %v, want it closed to others", fi.Mode(), err)
	}
	if got, err := ParseKey(" " + strings.ToLower(k.String()) + "\n"); err != nil || got.id() != k.id() {
		t.Errorf("ParseKey() of small letters: %v", err)
	}
	for _, bad := range []string{"", "age1xyz", k.String()[:70], k.String() + "Q"} {
		if _, err := ParseKey(bad); err == nil || strings.Contains(err.Error(), k.String()[20:60]) {
			t.Errorf("ParseKey(%q) = %v, want an error that does not quote it", bad, err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, KeyFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(home); err == nil {
		t.Error("LoadKey() of a damaged file: no error, want one, or all would be written plain")
	}
}

// In targets of all kinds, what was written before the key is replaced, and what is written with it
// arrives.
func TestEncryptionInTargetsOfAllKinds(t *testing.T) {
	fakeSSH(t)
	folder, git := t.TempDir(), bareRepository(t)
	for name, to := range map[string]string{"folder": folder, "ssh": "ssh://elsewhere" + filepath.ToSlash(t.TempDir()), "git": git} {
		t.Run(name, func(t *testing.T) {
			a, b := newUser(t, 0), newUser(t, 0)
			id := a.store(1, "first")
			a.synced(to)
			b.synced(to)
			b.store(2, "of b")
			b.synced(to)
			key := newKey(t)
			for _, u := range []*replicaUser{a, b, a} {
				u.m.Key = key
				u.synced(to)
			}
			if done := a.synced(to); len(done.Ignored) > 0 || len(a.live()) != 2 {
				t.Errorf("a: %+v, and %d memories, want both and nothing ignored", done, len(a.live()))
			}
			a.forget(id)
			a.synced(to)
			if done := b.synced(to); done.Deleted != 1 || len(done.Ignored) > 0 {
				t.Errorf("b: %+v, want one forgotten", done)
			}
			if done := newcomer(t, key).synced(to); done.Received != 1 || len(done.Ignored) > 0 {
				t.Errorf("a third machine: %+v, want one memory", done)
			}
		})
	}
}

func newcomer(t *testing.T, key *Key) *replicaUser {
	u := newUser(t, 0)
	u.m.Key = key
	return u
}
