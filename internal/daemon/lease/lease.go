// Package lease keeps two machines from serving one data folder at once, where both have mounted it.
// The lock on a file, which keeps two daemons of one machine apart, holds on many network file
// systems within each machine only.
//
// A lease is the file daemon.host in the folder, which names the daemon that serves it. The daemon
// writes it again every few seconds, and so its time, by the clock of the file system, says whether
// that daemon still runs. Within one machine the lock decides: a lease of a daemon that had the same
// kernel and the same mount is nobody's once its lock is free.
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
	// renewEvery is how often a lease is written again.
	renewEvery = 10 * time.Second
	// staleAfter is the age at which a lease counts no more. A mount may show the time of a file as
	// it was 20 s ago (sshfs), and a daemon under load may be late.
	staleAfter = 45 * time.Second
)

// maxRecord is the size of the largest record that is read, in bytes.
const maxRecord = 4 << 10

// A Holder is a daemon that serves the folder.
type Holder struct {
	Host   string `json:"host"`   // name of the machine or container
	Domain string `json:"domain"` // where one lock holds: kernel and mount
	PID    int    `json:"pid"`    // as its own container numbers processes
	Nonce  string `json:"nonce"`  // differs from one daemon to the next
}

// A HeldError means that the daemon of another machine serves the folder. The caller should leave
// the folder alone.
type HeldError struct {
	Dir    string
	Holder Holder
	Age    time.Duration // since it was last seen
}

// Error implements error.
func (e *HeldError) Error() string {
	host := e.Holder.Host
	if host == "" {
		host = "unknown"
	}
	return fmt.Sprintf("%s is in use on another machine or container, %s, whose daemon was there %s ago", e.Dir, host, e.Age.Round(time.Second))
}

// ErrLost means that the folder has another lease, or none. The caller should write nothing more,
// and end.
var ErrLost = errors.New("another machine may have taken the folder")

// A Lease is the right of a daemon, which holds the lock of the folder too, to serve it.
type Lease struct {
	dir string

	mu      sync.Mutex
	record  []byte // nil if nothing can be written to dir, where no lease is needed
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
		return nil // the folder is read-only: it is recalled from
	}
	host, _ := os.Hostname() // only to be shown
	record, err := json.Marshal(Holder{Host: host, Domain: domain(l.dir), PID: os.Getpid(), Nonce: rand.Text()})
	if err != nil {
		return err
	}
	record = append(record, '\n')
	switch err := create(path, record); {
	case errors.Is(err, fs.ErrExist): // another machine was faster
		held, _ := Current(l.dir)
		return &HeldError{Dir: l.dir, Holder: held}
	case err != nil:
		return nil // the disk is full, or the folder read-only
	}
	l.record, l.renewed = record, now
	return nil
}

// create writes a record where there is none: of two machines that do so, one fails.
func create(path string, record []byte) error {
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

// Keep returns ErrLost, or a HeldError, if the lease is another daemon's by now, and renews it when
// it is time to.
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
		// The same bytes, for whose time the file system's clock counts, not ours. If they cannot be
		// written, nothing else can.
		if _, err := f.WriteAt(l.record, 0); err == nil {
			l.renewed = now
		}
	}
	return nil
}

// Release gives the folder free for other machines.
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

// Check returns a HeldError if a daemon of another machine, or of another mount, serves dir.
func Check(dir string, now time.Time) error {
	held, written, err := read(dir)
	if err != nil || held.Domain == domain(dir) {
		return nil
	}
	age := clock(dir, now).Sub(written)
	if age.Abs() >= staleAfter {
		return nil
	}
	return &HeldError{dir, held, age.Abs()}
}

// Current returns the daemon that has the lease of dir, whether it still runs or not.
func Current(dir string) (Holder, bool) {
	held, _, err := read(dir)
	return held, err == nil && held != (Holder{})
}

// read returns the record and when it was written. What is no record is that of a daemon which has
// just made the file.
func read(dir string) (held Holder, written time.Time, err error) {
	f, err := regular.Open(filepath.Join(dir, fileName)) // a mount may show an older time of a file that is not opened
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

// clock returns the time as the file system of dir has it, now if nothing can be written there.
func clock(dir string, now time.Time) time.Time {
	f, err := os.CreateTemp(dir, durable.TempPrefix+"*")
	if err != nil {
		return now
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write([]byte{'\n'}); err != nil { // a file that is only made may have the time of this machine
		return now
	}
	fi, err := f.Stat()
	if err != nil {
		return now
	}
	return fi.ModTime()
}
