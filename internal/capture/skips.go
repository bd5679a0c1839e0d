package capture

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/system/crash"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// maxSkips bounds the turns that are known to be skipped: the oldest are tried again.
const maxSkips = 500

// A Skip is a turn of a transcript that a version of this program could not read because
// of a mistake of its own, or a whole file, whose Turn is "".
type Skip struct {
	Path    string    `json:"path"`
	Session string    `json:"session,omitempty"`
	Turn    string    `json:"turn,omitempty"`
	Start   int64     `json:"start"` // offset of the turn
	Line    int       `json:"line"`  // that begins there
	Version string    `json:"version"`
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

// isSame reports whether two are of the same turn of the same file.
func (s *Skip) isSame(other *Skip) bool {
	return s.Path == other.Path && s.Turn == other.Turn && s.Start == other.Start
}

// Skips are the turns that are left out, so that no version tries one twice. A nil
// *Skips knows none and stores none. It is safe for concurrent use.
type Skips struct {
	file    *durable.State // skipped.json
	version string
	log     *slog.Logger

	mu  sync.Mutex
	all []Skip   // the oldest first
	now *os.File // reading.json: the turn that is being read, to be found after a crash; nil if it cannot be written
}

// skipped is the content of skipped.json.
type skipped struct {
	V     int    `json:"v"`
	Turns []Skip `json:"turns"`
}

// OpenSkips opens the turns that are left out, as they are stored in home. died says how
// the daemon before this one ended by itself, "" if it did not: then it was the turn that
// it read.
func OpenSkips(home, version, died string, log *slog.Logger) *Skips {
	s := &Skips{file: durable.NewState(filepath.Join(home, "skipped.json")), version: version, log: log}
	var stored skipped
	if err := s.file.Read(&stored); err == nil {
		s.all = slices.DeleteFunc(stored.Turns, func(k Skip) bool {
			_, err := os.Stat(k.Path)
			return errors.Is(err, fs.ErrNotExist)
		})
	} else if !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read what is left out", logkey.Error, err)
	}
	var err error
	if s.now, err = os.OpenFile(filepath.Join(home, "reading.json"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return s // the folder is read-only, or the disk is full
	}
	var last Skip
	if err := json.NewDecoder(io.LimitReader(s.now, durable.MaxState)).Decode(&last); err == nil && died != "" && last.Path != "" {
		last.Reason = died
		s.add(last, nil)
	}
	s.leave()
	return s
}

// Close closes the file of the turn that is being read.
func (s *Skips) Close() error {
	if s == nil || s.now == nil {
		return nil
	}
	return s.now.Close()
}

// Newer returns an error if a newer version wrote the file.
func (s *Skips) Newer() error {
	if s == nil {
		return nil
	}
	return s.file.Newer()
}

// All returns the turns that this version leaves out, the latest first.
func (s *Skips) All() []Skip {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.DeleteFunc(slices.Clone(s.all), func(k Skip) bool { return k.Version != s.version })
	slices.Reverse(out)
	return out
}

// find returns the skip of a turn, if this version has tried it.
func (s *Skips) find(k Skip) (Skip, bool) {
	if s == nil {
		return k, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.all, func(known Skip) bool { return known.isSame(&k) && known.Version == s.version })
	if i < 0 {
		return k, false
	}
	return s.all[i], true
}

// enter records that a turn is being read. A crash that cannot be caught leaves it there.
func (s *Skips) enter(k Skip) {
	if s == nil || s.now == nil {
		return
	}
	if b, err := json.Marshal(k); err == nil {
		s.now.WriteAt(append(b, '\n'), 0) // without it, what is not caught is tried again
	}
}

// leave records that no turn is being read.
func (s *Skips) leave() {
	if s != nil && s.now != nil {
		s.now.WriteAt([]byte("{}\n"), 0) // the same; what stands behind it is not read
	}
}

// add has a turn left out.
func (s *Skips) add(k Skip, caught *crash.Error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.Line == 0 && k.Turn != "" {
		k.Line = lineAt(k.Path, k.Start)
	}
	k.Version, k.At, k.Reason = s.version, time.Now().UTC().Truncate(time.Second), clean.Text(k.Reason)
	s.all = append(slices.DeleteFunc(s.all, func(known Skip) bool { return known.isSame(&k) }), k)
	s.all = s.all[max(0, len(s.all)-maxSkips):]
	stack := ""
	if caught != nil {
		stack = caught.Stack
	}
	s.log.Warn("a turn is left out", logkey.Transcript, k.Path, logkey.Session, k.Session, logkey.Line, k.Line, logkey.Error, k.Reason, logkey.Stack, stack)
	s.save()
}

// isOutdated reports whether another version left out a turn of a transcript: this one tries again.
func (s *Skips) isOutdated(path string) bool {
	return slices.Contains(s.outdatedPaths(), path)
}

// outdatedPaths lists the transcripts of which another version left out a turn.
func (s *Skips) outdatedPaths() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, k := range s.all {
		if k.Version != s.version && !slices.Contains(out, k.Path) {
			out = append(out, k.Path)
		}
	}
	return out
}

// recordTried records that this version has read a transcript from its beginning.
func (s *Skips) recordTried(path string) {
	if s == nil || !s.isOutdated(path) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(k Skip) bool { return k.Path == path && k.Version != s.version })
	s.save()
}

func (s *Skips) save() {
	if err := s.file.Write(skipped{1, s.all}); err != nil {
		s.log.Warn("store what is left out", logkey.Error, err)
	}
}

// lineAt returns the number of the line that begins at an offset of a file, 0 if it cannot be read.
func lineAt(path string, offset int64) int {
	f, err := regular.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	from, n := io.NewSectionReader(f, 0, offset), 1
	for buf := make([]byte, 64<<10); ; {
		read, err := from.Read(buf)
		n += bytes.Count(buf[:read], []byte("\n"))
		if err != nil {
			return n
		}
	}
}

// readGuarded calls f, which reads a turn. Where f panics the turn is left out, now and by this
// version for ever, and the reading goes on with the next.
func (r *reading) readGuarded(t *claudecode.Turn, f func() error) error {
	skips, turn := r.capture.Skips, Skip{Path: r.path, Session: clean.ID(t.Session), Turn: clean.ID(t.ID), Start: t.Start}
	known, skip := skips.find(turn)
	if !skip {
		skips.enter(turn)
		err := crash.Catch(f)
		skips.leave()
		var caught *crash.Error
		if !errors.As(err, &caught) {
			return err
		}
		turn.Reason = caught.Error()
		skips.add(turn, caught)
		known, _ = skips.find(turn)
		known.Reason = cmp.Or(known.Reason, turn.Reason)
	}
	delete(r.before, t.Agent) // what comes next answers this turn, and not the one before it
	r.done.leaveOut(known.isUnread())
	return nil
}

// isUnread says what could not be read.
func (s *Skip) isUnread() error { return fmt.Errorf("%s: %s", s.Path, s) }

// String says which turn it is and why it is left out.
func (s *Skip) String() string {
	where := "the file"
	if s.Turn != "" {
		where = "the turn at line " + strconv.Itoa(s.Line)
	}
	if s.Session != "" {
		where += " of session " + s.Session
	}
	return where + ": " + s.Reason
}
