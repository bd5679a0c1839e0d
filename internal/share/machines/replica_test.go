package machines

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// A replicaUser is one of a person's machines: its clock is wrong by skew.
type replicaUser struct {
	t     *testing.T
	m     *Machine
	lock  *store.Lock
	skew  time.Duration
	lost  []memory.Memory // that conflicts were noted of
	fails int             // how many more writes succeed before one is torn; negative: all do
}

func newUser(t *testing.T, skew time.Duration) *replicaUser {
	t.Helper()
	u := &replicaUser{t: t, skew: skew, fails: -1, m: &Machine{Home: t.TempDir(), Sources: memory.Sources}}
	u.m.Forgotten = func(*memory.Memory) bool { return false }
	u.m.Merge = func(_ context.Context, ms []clean.Memory) (store.Merged, error) {
		return u.m.Store.Merge(func(lost []memory.Memory) error {
			u.lost = append(u.lost, lost...)
			return nil
		}, ms...)
	}
	var err error
	if u.m.Writer, err = MakeWriter(u.m.Home); err != nil {
		t.Fatal(err)
	}
	u.open()
	t.Cleanup(u.close)
	return u
}

func (u *replicaUser) open() {
	u.t.Helper()
	var err error
	if u.lock, err = store.Acquire(u.m.Home); err != nil {
		u.t.Fatal(err)
	}
	if u.m.Store, err = store.Open(u.lock, slog.New(slog.DiscardHandler)); err != nil {
		u.t.Fatal(err)
	}
	u.m.Store.Name(u.m.Writer)
}

func (u *replicaUser) close() {
	if err := errors.Join(u.m.Store.Close(), u.lock.Release()); err != nil {
		u.t.Error(err)
	}
}

// store remembers or edits the memory of a number, and returns its id.
func (u *replicaUser) store(n int, text string) string {
	u.t.Helper()
	d := memory.Draft{Memory: memory.Memory{Source: memory.Journal, Title: fmt.Sprint("decision ", n), Text: text}, Subject: []string{fmt.Sprint(n)}}
	d.SetHome(memory.Project{Name: "app", Path: "/home/" + u.m.Writer + "/app", Remote: "example.com/app"})
	d.RecordedAt = time.Now().Add(u.skew).UTC().Truncate(time.Second)
	c, err := clean.Draft(d)
	if err == nil {
		err = u.m.Store.Append(c)
	}
	if err != nil {
		u.t.Fatal(err)
	}
	return c.Memory().ID
}

func (u *replicaUser) forget(id string) {
	u.t.Helper()
	if _, err := u.m.Store.Delete(time.Now().Add(u.skew).UTC(), id); err != nil {
		u.t.Fatal(err)
	}
}

// sync fails the test unless it succeeds, or a kill was asked for, or the key is not here yet.
func (u *replicaUser) sync(dir string, anew bool) error {
	u.t.Helper()
	s, err := u.m.openState(dir)
	if errors.Is(err, ErrNoKey) {
		return err
	}
	if err != nil {
		u.t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		u.t.Fatal(err)
	}
	defer f.root.Close()
	_, err = u.m.sync(u.t.Context(), killed{f, u}, s, anew)
	if errors.Is(err, ErrEmpty) {
		_, err = u.m.sync(u.t.Context(), killed{f, u}, s, true)
	}
	if err == nil {
		err = s.save()
	}
	if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, ErrNoKey) {
		u.t.Fatalf("sync: %v", err)
	}
	return err
}

var errKilled = errors.New("killed")

// killed is a folder whose user is killed at some write: that leaves a temporary file, half a
// segment under its name, as a tool that copies folders may make it, or nothing.
type killed struct {
	folder
	user *replicaUser
}

func (k killed) write(ctx context.Context, s Segment, content []byte) error {
	if k.user.fails--; k.user.fails != -1 {
		return k.folder.write(ctx, s, content)
	}
	dir := filepath.Join(k.root.Name(), top, s.Writer)
	err := os.MkdirAll(dir, 0o700)
	switch half := content[:len(content)/2]; rand.IntN(3) {
	case 0:
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, ".new-"+s.Name), half, 0o600))
	case 1:
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, s.Name+ending), half, 0o600))
	}
	return errors.Join(err, errKilled)
}

// live returns what a user has, without what differs between machines.
func (u *replicaUser) live() map[string]memory.Memory {
	u.t.Helper()
	all := map[string]memory.Memory{}
	for m, err := range u.m.Store.Everything() {
		if err != nil {
			u.t.Fatal(err)
		}
		all[m.ID] = m.Wire()
	}
	return all
}

// rounds is how often a stress is repeated.
func rounds(t *testing.T, standard int) int {
	t.Helper()
	text := os.Getenv("RECOLLECT_STRESS")
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("RECOLLECT_STRESS: %v", err)
	}
	return n
}

// A history is what should be there in the end, whoever did it.
type history struct {
	texts  map[string]map[string]bool // every text that a memory ever had
	stored map[string]int             // memories that were stored, by id; how often forgotten
	gone   map[string]bool            // forgotten, and stored by nobody who knew that
	ids    map[int]string             // by number
}

// Three machines with clocks that differ by two days do thousands of random things, over a folder
// that loses files, and are killed in the middle of transfers. All have the same in the end: nothing
// that was not forgotten is lost, and nothing that was forgotten comes back.
func TestMachinesConverge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 15 s")
	}
	for seed := range uint64(rounds(t, 2)) {
		for name, encrypted := range map[string]encryption{"plain": never, "encrypted": always, "encrypted later": later} {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				converge(t, rand.New(rand.NewPCG(seed, 11)), 600, encrypted, meeting{dir: t.TempDir()})
			})
		}
	}
}

// The same over ssh and git, whose commands are killed at any time.
func TestMachinesConvergeOverCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 13 s")
	}
	for seed := range uint64(rounds(t, 1)) {
		t.Run(fmt.Sprint("ssh ", seed), func(t *testing.T) {
			fakeSSH(t)
			dir := t.TempDir()
			converge(t, rand.New(rand.NewPCG(seed, 12)), 150, never, meeting{dir: dir, to: "ssh://elsewhere" + filepath.ToSlash(dir)})
		})
		t.Run(fmt.Sprint("git ", seed), func(t *testing.T) {
			converge(t, rand.New(rand.NewPCG(seed, 13)), 150, later, meeting{to: "git+file://" + bareRepository(t)})
		})
	}
}

// A meeting is where machines synchronize.
type meeting struct {
	dir string // what is there, "" if it cannot be looked at
	to  string // the address, "" for the folder
}

// sync synchronizes u, and has it killed now and then if it may be.
func (at meeting) sync(rnd *rand.Rand, u *replicaUser, mayDie, anew bool) error {
	u.t.Helper()
	if at.to == "" {
		u.fails = -1
		if mayDie {
			u.fails = rnd.IntN(8) - 4
		}
		return u.sync(at.dir, anew)
	}
	ctx, cancel := context.WithCancel(u.t.Context())
	defer cancel()
	if mayDie && rnd.IntN(3) == 0 {
		time.AfterFunc(time.Duration(rnd.IntN(60))*time.Millisecond, cancel)
	}
	_, err := u.m.Sync(ctx, at.to, anew)
	if errors.Is(err, ErrEmpty) {
		_, err = u.m.Sync(ctx, at.to, true)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrNoKey) {
		u.t.Fatalf("sync: %v", err)
	}
	return err
}

// An encryption says when three machines get their key.
type encryption int

const (
	never  encryption = iota
	always            // before they begin
	later             // one after the other, in the middle
)

// reaches reports whether the key reaches a machine in a step.
func (e encryption) reaches(user, step, steps int) bool {
	return e == always && step == 0 || e == later && step == steps*(user+1)/4
}

func converge(t *testing.T, rnd *rand.Rand, steps int, encrypted encryption, at meeting) {
	key := newKey(t)
	users := []*replicaUser{newUser(t, 0), newUser(t, 24*time.Hour), newUser(t, -24*time.Hour)}
	h := history{texts: map[string]map[string]bool{}, stored: map[string]int{}, gone: map[string]bool{}, ids: map[int]string{}}
	for n := range steps {
		for i, u := range users {
			if encrypted.reaches(i, n, steps) {
				u.m.Key = key
			}
		}
		u := users[rnd.IntN(3)]
		h.step(rnd, u, n, at)
	}
	for range 3 { // what one writes in a round the next ones read, and the first in the round after
		for _, u := range users {
			if err := at.sync(rnd, u, false, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, content := range files(t, at.dir) {
		if filepath.Ext(name) == ending && strings.HasPrefix(string(content), sealed) != (encrypted != never) {
			t.Errorf("%s begins with %.30q", name, content)
		}
	}
	want := users[0].live()
	for i, u := range users[1:] {
		if diff := cmp.Diff(want, u.live()); diff != "" {
			t.Fatalf("machines 0 and %d differ (-0 +%d):\n%s", i+1, i+1, diff)
		}
	}
	for id, times := range h.stored {
		m, there := want[id]
		switch {
		case times == 0 && !there:
			t.Errorf("%s is lost", id)
		case h.gone[id] && there:
			t.Errorf("%s is back: %q", id, m.Text)
		case there && !h.texts[id][m.Text]:
			t.Errorf("%s says what nobody wrote: %q", id, m.Text)
		}
	}
	t.Logf("%d memories, %d forgotten, %d conflicts noted", len(want), len(h.gone), len(users[0].lost)+len(users[1].lost)+len(users[2].lost))
}

// step does one random thing. Even memories may be stored again after they were forgotten, odd ones
// are not: those must never come back.
func (h *history) step(rnd *rand.Rand, u *replicaUser, n int, at meeting) {
	switch k := rnd.IntN(20); {
	case k < 9:
		number, text := rnd.IntN(150), fmt.Sprintf("text %d of %s", n, u.m.Writer)
		if m, err := u.m.Store.Newest(h.ids[number]); err == nil && m.Deleted && number%2 == 1 {
			return
		}
		id := u.store(number, text+" draft")
		u.store(number, text)
		h.ids[number] = id
		if h.texts[id] == nil {
			h.texts[id], h.stored[id] = map[string]bool{}, 0
		}
		h.texts[id][text], h.texts[id][text+" draft"] = true, true
	case k < 11:
		ids := u.m.Store.IDs()
		if len(ids) == 0 {
			return
		}
		id := ids[rnd.IntN(len(ids))]
		m, err := u.m.Store.Get(id)
		if err != nil {
			u.t.Fatal(err)
		}
		u.forget(id)
		h.stored[id]++
		if number, _ := strconv.Atoi(strings.TrimPrefix(m.Title, "decision ")); number%2 == 1 {
			h.gone[id] = true
		}
	case k < 17:
		at.sync(rnd, u, true, rnd.IntN(30) == 0)
	case k == 17:
		u.close()
		u.open()
	case k == 18:
		if err := u.m.Store.Compact(memory.Journal); err != nil {
			u.t.Fatal(err)
		}
	case at.dir != "":
		lose(u.t, rnd, at.dir)
	}
}

// lose removes a file of the target, or cuts it, as a tool that copies folders may.
func lose(t *testing.T, rnd *rand.Rand, dir string) {
	t.Helper()
	var files []string
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if len(files) == 0 {
		return
	}
	path := files[rnd.IntN(len(files))]
	if rnd.IntN(2) == 0 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
}
