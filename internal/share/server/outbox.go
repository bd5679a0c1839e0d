package server

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// maxOutbox is the largest outbox that is read, in bytes.
const maxOutbox = 256 << 20

// An Entry is a memory of a project that a member shares or withdraws.
type Entry struct {
	Project string `json:"project"`
	ID      string `json:"id"`
	Text    string `json:"text,omitempty"` // "" withdraws the memory

	Key string `json:"key,omitempty"` // by which the server recognizes a repeated message
}

// A line is a line of the file: an entry, or the acknowledgement of one.
type line struct {
	V     int    `json:"v"`
	Entry Entry  `json:"entry,omitzero"`
	Acked string `json:"acked,omitempty"` // key of the acknowledged entry
}

// An outbox has the entries that the server has not acknowledged yet, in the order of Send. It is safe
// for concurrent use.
type outbox struct {
	path string

	mu      sync.Mutex
	entries []Entry
}

func openOutbox(path string) (*outbox, error) {
	o := &outbox{path: path}
	b, err := regular.Read(path, maxOutbox)
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	if err != nil {
		return o, fmt.Errorf("read outbox: %w", err)
	}
	acked := map[string]bool{}
	for row := range bytes.Lines(b) {
		var l line
		switch err := json.Unmarshal(row, &l); {
		case err != nil: // an entry that was cut off by a crash was never acknowledged to the user
		case l.V > 1:
			o.entries = nil
			return o, fmt.Errorf("read outbox: %w", durable.ErrNewer)
		case l.Acked != "":
			acked[l.Acked] = true
		default:
			o.entries = append(o.entries, l.Entry)
		}
	}
	o.entries = slices.DeleteFunc(o.entries, func(e Entry) bool { return acked[e.Key] })
	return o, o.rewriteFile()
}

// addEntries adds entries to the outbox; they are durable when it returns.
func (o *outbox) addEntries(entries []Entry) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var b bytes.Buffer
	fresh := slices.Clone(entries)
	for i := range fresh {
		var key [16]byte
		rand.Read(key[:])
		fresh[i].Key = hex.EncodeToString(key[:])
		if err := json.NewEncoder(&b).Encode(line{V: 1, Entry: fresh[i]}); err != nil {
			return fmt.Errorf("write outbox: %w", err)
		}
	}
	if err := o.appendLines(b.Bytes(), true); err != nil {
		return fmt.Errorf("write outbox: %w", errors.Join(err, o.rewriteFile()))
	}
	o.entries = append(o.entries, fresh...)
	return nil
}

// nextEntries returns the first entries that wait and can be sent at once: at most n, and not two of the
// same memory.
func (o *outbox) nextEntries(n int, skip func(project string) bool) []Entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []Entry
	seen := map[[2]string]bool{}
	for _, e := range o.entries {
		key := [2]string{e.Project, e.ID}
		if len(out) == n || seen[key] {
			break
		}
		if !skip(e.Project) {
			seen[key] = true
			out = append(out, e)
		}
	}
	return out
}

// dropAcked removes acknowledged entries. Those that are still in the file after a crash are sent again.
func (o *outbox) dropAcked(acked map[string]bool) error {
	return o.dropWhere(func(e Entry) bool { return acked[e.Key] })
}

// dropWhere removes the entries for which which returns true.
func (o *outbox) dropWhere(which func(Entry) bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var b bytes.Buffer
	left := o.entries[:0:0]
	for _, e := range o.entries {
		if !which(e) {
			left = append(left, e)
		} else if err := json.NewEncoder(&b).Encode(line{V: 1, Acked: e.Key}); err != nil {
			return fmt.Errorf("write outbox: %w", err)
		}
	}
	o.entries = left
	if len(left) == 0 {
		return o.rewriteFile()
	}
	if err := o.appendLines(b.Bytes(), false); err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}

func (o *outbox) len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.entries)
}

// hasEntry reports whether a memory waits to be shared.
func (o *outbox) hasEntry(project, id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.entries, func(e Entry) bool { return e.Project == project && e.ID == id && e.Text != "" })
}

func (o *outbox) appendLines(b []byte, sync bool) error {
	f, err := os.OpenFile(o.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil && sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// rewriteFile rewrites the file with only the entries that wait, or removes it if there are none.
func (o *outbox) rewriteFile() error {
	if len(o.entries) == 0 {
		if err := os.Remove(o.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("write outbox: %w", err)
		}
		return nil
	}
	var b bytes.Buffer
	for _, e := range o.entries {
		if err := json.NewEncoder(&b).Encode(line{V: 1, Entry: e}); err != nil {
			return fmt.Errorf("write outbox: %w", err)
		}
	}
	err := durable.Replace(o.path, o.path+".new", func(f *os.File) error {
		_, err := f.Write(b.Bytes())
		return err
	})
	if err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}
