package machines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Anybody may have written deletions to a target without a key. If they would remove more than a tenth
// of the memories a day, they wait for the user's consent. Accepted ones can be undone for a week.
const (
	mostLost   = 20 // most memories that may be lost a day without consent, in a large store
	leastLost  = 3  // the same in a small store
	lostPart   = 10
	lostPeriod = 24 * time.Hour
	undoFor    = 7 * 24 * time.Hour
)

// deletions counts the deletions by other machines. Its file lies in Folder.
type deletions struct {
	V      int       `json:"v"`
	Since  time.Time `json:"since"`  // when the current day began
	Lost   int       `json:"lost"`   // memories deleted on this day without consent
	Held   int       `json:"held"`   // memories whose deletion waits for consent
	Target string    `json:"target"` // where the deletions came from

	home string
	file *durable.State
}

// openDeletions reads the file of deletions. A file that cannot be read counts as empty.
func openDeletions(home string) *deletions {
	file := durable.NewState(filepath.Join(home, Folder, "deletions.json"))
	d := &deletions{}
	if err := file.Read(d); err != nil {
		d = &deletions{}
	}
	d.home, d.file = home, file
	return d
}

// describeHeld describes the deletions that wait for consent, "" if none does.
func (d *deletions) describeHeld() string {
	if d.Held == 0 {
		return ""
	}
	return fmt.Sprintf("%d memories would be deleted here, as %s says: they wait for your consent", d.Held, d.Target)
}

// dropOld removes the copies if they are too old to be restored.
func (d *deletions) dropOld(now time.Time) error {
	fi, err := os.Stat(d.copies())
	if err != nil || now.Sub(fi.ModTime()) <= undoFor {
		return nil
	}
	if err := os.Remove(d.copies()); err != nil {
		return fmt.Errorf("remove what can be undone no more: %w", err)
	}
	return nil
}

// CopiesPath returns the path of the copies of memories that accepted deletions removed.
func CopiesPath(home string) string { return filepath.Join(home, Folder, "deleted.jsonl") }

func (d *deletions) copies() string { return CopiesPath(d.home) }

// holdBack reports whether the deletions of lost memories have to wait, in a store of stored memories.
// If the user has accepted them, they do not, and the memories are copied.
func (d *deletions) holdBack(lost []memory.Memory, stored int, accepted bool, now time.Time) (wait bool, err error) {
	if accepted {
		d.Held = 0
		if err := d.addCopies(lost); err != nil {
			return false, err
		}
		return false, d.save()
	}
	if age := now.Sub(d.Since); age < 0 || age > lostPeriod {
		d.Since, d.Lost = now, 0
	}
	if d.Lost+len(lost) > min(mostLost, max(leastLost, stored/lostPart)) {
		d.Held = len(lost)
		return true, d.save()
	}
	d.Lost += len(lost)
	return false, d.save()
}

func (d *deletions) save() error {
	d.V = 1
	if err := os.MkdirAll(filepath.Dir(d.copies()), 0o700); err != nil {
		return fmt.Errorf("note what was deleted elsewhere: %w", err)
	}
	return d.file.Write(d)
}

func (d *deletions) addCopies(lost []memory.Memory) error {
	before, err := d.readCopies()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.copies()), 0o700); err != nil {
		return fmt.Errorf("keep what was deleted elsewhere: %w", err)
	}
	return durable.Replace(d.copies(), d.copies()+".tmp", func(f *os.File) error {
		w := bufio.NewWriter(f)
		enc := json.NewEncoder(w)
		for _, m := range append(before, lost...) {
			if err := enc.Encode(m); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}

func (d *deletions) readCopies() ([]memory.Memory, error) {
	f, err := regular.Open(d.copies())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was deleted elsewhere: %w", err)
	}
	defer f.Close()
	var out []memory.Memory
	for dec := json.NewDecoder(f); dec.More(); {
		var m memory.Memory
		if err := dec.Decode(&m); err != nil {
			return nil, fmt.Errorf("read %s: %w", d.copies(), err)
		}
		out = append(out, m)
	}
	return out, nil
}

// restoreCopies restores the memories that accepted deletions removed, except those that exist again. It
// returns how many it restored.
func (z *Synchronization) restoreCopies(ctx context.Context, d *deletions) (int, error) {
	all, err := d.readCopies()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, m := range all {
		if now, err := z.parts.Store.Newest(m.ID); err == nil && !now.Deleted {
			continue
		}
		m.Stamp = memory.Stamp{}
		if err := z.parts.Restore(ctx, m); err != nil {
			return n, fmt.Errorf("bring back %s: %w", m.ID, err)
		}
		n++
	}
	if err := os.Remove(d.copies()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, fmt.Errorf("remove what was brought back: %w", err)
	}
	return n, nil
}
