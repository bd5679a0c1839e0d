package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/system/regular"
)

// A journal is a file with what was done of a replay, so that another run goes on from there. Its first line names
// the sessions; each further one has a session that was replayed, or one that the memory has learned.
type journal struct {
	path     string
	file     *os.File
	replayed []entry
	learned  map[string]bool
}

// An entry is a line of the journal.
type entry struct {
	Of      string    `json:"of,omitempty"` // checksum of the sessions, in the first line
	Session *Replayed `json:"session,omitempty"`
	Facts   *facts    `json:"facts,omitempty"`
	Learned string    `json:"learned,omitempty"` // path
}

// maxJournalLine is the longest line of a journal in bytes.
const maxJournalLine = 64 << 20

const journalName = "replay.jsonl"

// version is that of the rules of counting and of the journal. A replay by another one begins anew.
const version = "1"

// checksum tells a list of sessions from others.
func checksum(sources []Source) string {
	h := sha256.New()
	for _, s := range sources {
		fmt.Fprintln(h, version, s.Path, s.Begun.UnixNano(), s.Ended.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isOf reports whether the journal in a folder is of a list of sessions.
func isOf(dir, sum string) bool {
	f, err := regular.Open(filepath.Join(dir, journalName))
	if err != nil {
		return false
	}
	defer f.Close()
	l, err := regular.NewLines(f, 4<<10).Next()
	var first entry
	return err == nil && json.Unmarshal(l.Text, &first) == nil && first.Of == sum
}

// openJournal opens the journal in a folder, or begins one.
func openJournal(dir, sum string) (*journal, error) {
	j := &journal{path: filepath.Join(dir, journalName), learned: map[string]bool{}}
	whole, err := j.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if j.file, err = os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if err := j.file.Truncate(whole); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if _, err := j.file.Seek(whole, 0); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if whole == 0 {
		return j, j.write(entry{Of: sum})
	}
	return j, nil
}

// read reads the lines that are whole, and returns where they end.
func (j *journal) read() (whole int64, err error) {
	f, err := regular.Open(j.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := regular.NewLines(f, maxJournalLine)
	for {
		l, err := lines.Next()
		var e entry
		if err != nil || !l.Ended || json.Unmarshal(l.Text, &e) != nil {
			return whole, nil // what a crash left is written again
		}
		switch {
		case e.Session != nil && e.Facts != nil:
			j.replayed = append(j.replayed, e)
		case e.Learned != "":
			j.learned[e.Learned] = true
		}
		whole += int64(len(l.Text)) + 1
	}
}

func (j *journal) write(e entry) error {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(e); err != nil {
		return err
	}
	if _, err := j.file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write %s: %w", j.path, err)
	}
	return nil
}
