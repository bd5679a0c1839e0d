package machines

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Folder is the folder in a data folder that has the states of targets and the copies of repositories.
const Folder = "sync"

// A state is what a machine knows of a target.
type state struct {
	V       int              `json:"v"`
	Target  string           `json:"target"`
	Sources string           `json:"sources"`
	Key     string           `json:"key,omitempty"` // id of the key
	Read    map[string]bool  `json:"read"`          // keys of the segments that were read
	Wrote   map[string]int64 `json:"wrote"`         // names and sizes of our own segments
	Dead    string           `json:"dead"`          // checksum of the deleted memories at the last rewriteOwn
	Lines   []byte           `json:"lines"`         // seen, 8 bytes each

	seen map[uint64]bool  // digests of lines that are in the target
	old  map[string]int64 // names and sizes of our own segments with another key
	file *durable.State
}

// stateFile returns the path of a target's state, without the extension.
func stateFile(home, target string) string {
	return filepath.Join(home, Folder, checksum([]byte(target))[:16])
}

// openState reads the state of a target. It returns an empty state if the file cannot be read, or has
// another key or other sources.
func (m *Machine) openState(target string) (*state, error) {
	s, sources := &state{file: durable.NewState(stateFile(m.Home, target) + ".json")}, sourceNames(m.Sources)
	err := s.file.Read(s)
	if errors.Is(err, durable.ErrNewer) {
		return nil, err
	}
	wrote, rekeyed := s.Wrote, s.Key != m.Key.id()
	if rekeyed && m.Key == nil { // the key is lost, and going on would write encrypted memories for all to read
		return nil, ErrNoKey
	}
	if err != nil || rekeyed || !s.isUsable(sources) {
		s.clear()
	}
	if rekeyed {
		s.old = wrote
	}
	s.V, s.Target, s.Sources, s.Key = 1, target, sources, m.Key.id()
	if s.seen == nil {
		s.seen = make(map[uint64]bool, len(s.Lines)/8)
	}
	for b := s.Lines; len(b) > 0; b = b[8:] {
		s.seen[binary.BigEndian.Uint64(b)] = true
	}
	return s, nil
}

// isUsable reports whether a state is complete, and its sources are these.
func (s *state) isUsable(sources string) bool {
	whole := s.Read != nil && s.Wrote != nil && len(s.Lines)%8 == 0
	return whole && s.Sources == sources
}

func (s *state) clear() {
	s.Read, s.Wrote, s.Dead, s.Lines, s.seen = map[string]bool{}, map[string]int64{}, "", nil, map[uint64]bool{}
}

// hadSegments reports whether the target has had segments.
func (s *state) hadSegments() bool { return len(s.Read) > 0 }

// lacksOwn reports whether one of our own segments is missing in the target, or has another size.
func (s *state) lacksOwn(segments []Segment, writer string) bool {
	sizes := map[string]int64{}
	for _, g := range segments {
		if g.Writer == writer {
			sizes[g.Name] = g.Size
		}
	}
	for name, size := range s.Wrote {
		if now, ok := sizes[name]; !ok || now != size {
			return true
		}
	}
	return false
}

func (s *state) save() error {
	s.Lines = make([]byte, 0, 8*len(s.seen))
	for d := range s.seen {
		s.Lines = binary.BigEndian.AppendUint64(s.Lines, d)
	}
	if err := s.file.Write(s); err != nil {
		return fmt.Errorf("save what is known of the target: %w", err)
	}
	return nil
}

// Forget removes the states of all targets, so that everything is read and written again. It must be
// called before older memories replace the current ones.
func Forget(home string) error {
	if err := os.RemoveAll(filepath.Join(home, Folder)); err != nil {
		return fmt.Errorf("forget targets: %w", err)
	}
	return nil
}

const writerFile = "writer"

var writerForm = regexp.MustCompile(`^[0-9a-f]{16}$`) // "4c0fb1e2a9d37856"

// Writer returns the name of the machine in a data folder, "" if there is none yet.
func Writer(home string) (string, error) {
	b, err := regular.Read(filepath.Join(home, writerFile), 64)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read name of the machine: %w", err)
	}
	name := strings.TrimSpace(string(b))
	if !writerForm.MatchString(name) {
		return "", fmt.Errorf("%s: it has no name of a machine", filepath.Join(home, writerFile))
	}
	return name, nil
}

// MakeWriter returns the name of the machine in a data folder, and makes one if there is none.
func MakeWriter(home string) (string, error) {
	name, err := Writer(home)
	if name != "" || err != nil {
		return name, err
	}
	if name, err = writeName(home); err != nil {
		return "", err
	}
	_, err = Locate(home)
	return name, err
}
