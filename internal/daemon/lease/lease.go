// Package lease keeps two machines that have mounted the same data folder from serving it at once.
// The lock on a file does not suffice, because many network file systems hold it only within each
// machine.
//
// A lease is the file daemon.host in the folder, which names the daemon that serves the folder. The
// daemon rewrites it every few seconds, so that its time, by the clock of the file system, shows
// whether the daemon still runs. Within one machine the lock alone decides: a lease that was taken on
// this kernel and mount does not count.
package lease

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// fileName is the name of the file in the data folder.
const fileName = "daemon.host"

const (
	// renewEvery is how often a lease is rewritten.
	renewEvery = 10 * time.Second
	// staleAfter is the age at which a lease no longer counts. A mount may be 20 s late to show the
	// time of a file (sshfs), and a daemon under load may be late to renew it.
	staleAfter = 45 * time.Second
)

// maxRecord is the most of a lease that is read, in bytes.
const maxRecord = 4 << 10

// A Holder is a daemon that serves the folder.
type Holder struct {
	Host   string `json:"host"`   // name of the machine or container
	Domain string `json:"domain"` // kernel and mount, within which a lock holds
	PID    int    `json:"pid"`    // in its own container
	Nonce  string `json:"nonce"`  // unique to the daemon
}

// A HeldError means that the daemon of another machine serves the folder. The caller should leave
// the folder alone.
type HeldError struct {
	Dir    string
	Holder Holder
	Age    time.Duration // since the holder last renewed the lease
}

// Error implements error.
func (e *HeldError) Error() string {
	host := e.Holder.Host
	if host == "" {
		host = "unknown"
	}
	return fmt.Sprintf("%s is in use on another machine or container, %s, whose daemon was there %s ago", e.Dir, host, e.Age.Round(time.Second))
}

// ErrLost means that the folder has another lease or none. The caller should write nothing more,
// and end.
var ErrLost = errors.New("another machine may have taken the folder")

// A Lease is the right of a daemon to serve a folder whose lock it holds.
type Lease struct {
	dir string

	mu      sync.Mutex
	record  []byte // content of the file; nil if dir cannot be written to, and needs no lease
	renewed time.Time
}

// Take takes the lease of dir, whose lock the caller holds, or returns a HeldError.
func Take(dir string, now time.Time) (*Lease, error) {
	l := &Lease{dir: dir}
	return l, l.take(now)
}

func (l *Lease) take(now time.Time) error {
	if err := Check(l.dir, now); err != nil {
		return err
	}
	path := filepath.Join(l.dir, fileName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // the folder is read-only, and needs no lease
	}
	host, _ := os.Hostname() // for messages only
	record, err := json.Marshal(Holder{Host: host, Domain: domain(l.dir), PID: os.Getpid(), Nonce: rand.Text()})
	if err != nil {
		return err
	}
	record = append(record, '\n')
	switch err := createRecord(path, record); {
	case errors.Is(err, fs.ErrExist): // another machine was faster
		held, _ := Current(l.dir)
		return &HeldError{Dir: l.dir, Holder: held}
	case err != nil:
		return nil // the disk is full, or the folder read-only
	}
	l.record, l.renewed = record, now
	return nil
}

// createRecord writes a record to a new file. If two machines do so at once, one of them fails.
func createRecord(path string, record []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(record)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// Keep renews the lease when it is due. It returns ErrLost or a HeldError if another daemon may have
// the lease by now.
func (l *Lease) Keep(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return l.take(now)
	}
	f, err := regular.OpenFile(filepath.Join(l.dir, fileName), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("check lease of %s: %w: %w", l.dir, ErrLost, err)
	}
	defer f.Close()
	there, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err != nil {
		return fmt.Errorf("check lease of %s: %w: %w", l.dir, ErrLost, err)
	}
	if !bytes.Equal(there, l.record) {
		return fmt.Errorf("check lease of %s: %w", l.dir, ErrLost)
	}
	if now.Sub(l.renewed) >= renewEvery {
		// The write sets the time of the file by the clock of the file system. If it fails, no other
		// write can succeed either.
		if _, err := f.WriteAt(l.record, 0); err == nil {
			l.renewed = now
		}
	}
	return nil
}

// Release frees the folder for other machines.
func (l *Lease) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return
	}
	path := filepath.Join(l.dir, fileName)
	if there, err := readFile(path); err == nil && bytes.Equal(there, l.record) {
		os.Remove(path)
	}
}

// Check returns a HeldError if a daemon on another machine or mount serves dir.
func Check(dir string, now time.Time) error {
	held, written, err := readLease(dir)
	if err != nil || held.Domain == domain(dir) {
		return nil
	}
	age := fileSystemTime(dir, now).Sub(written)
	if age.Abs() >= staleAfter {
		return nil
	}
	return &HeldError{dir, held, age.Abs()}
}

// Current returns the daemon that has the lease of dir, even if it no longer runs.
func Current(dir string) (Holder, bool) {
	held, _, err := readLease(dir)
	return held, err == nil && held != (Holder{})
}

// readLease returns the holder of the lease and when it was renewed. An unreadable lease has an empty
// holder: a daemon may have just made the file.
func readLease(dir string) (held Holder, written time.Time, err error) {
	f, err := regular.Open(filepath.Join(dir, fileName)) // without opening it, a mount may show an older time
	if err != nil {
		return held, written, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return held, written, err
	}
	if b, err := io.ReadAll(io.LimitReader(f, maxRecord)); err != nil || json.Unmarshal(b, &held) != nil {
		held = Holder{}
	}
	return held, fi.ModTime(), nil
}

func readFile(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxRecord))
}

// fileSystemTime returns the time by the clock of dir's file system, or now if dir cannot be written to.
func fileSystemTime(dir string, now time.Time) time.Time {
	f, err := os.CreateTemp(dir, durable.TempPrefix+"*")
	if err != nil {
		return now
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write([]byte{'\n'}); err != nil { // an empty file may have the time of this machine
		return now
	}
	fi, err := f.Stat()
	if err != nil {
		return now
	}
	return fi.ModTime()
}
