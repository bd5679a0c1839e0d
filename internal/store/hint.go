package store

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/compactid"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
	"recollect/internal/system/trust"
)

// A hint file, as Bitcask calls it, saves the next start from reading the log beside it. Close writes it
// and Open removes it, so that it cannot contain memories that are forgotten meanwhile.
//
// It consists of a hint in JSON on one line, a row for each id, and the CRC-32C of both.
const (
	hintSuffix  = ".hint"
	hintVersion = 1 // other versions are not read
)

// minHinted is the size in bytes of the smallest log that gets a hint file. A smaller log is read in a
// millisecond. Tests change it.
var minHinted int64 = 1 << 20

// A hint is the part of a hint file that describes the log as a whole.
type hint struct {
	Version      int
	Source       memory.Source
	Modified     time.Time // modification time of the log
	End          Mark
	Sums         []Mark
	Newlines     int
	Unterminated bool
	Clock        uint64
	Live         int
	Kept         int64
	Forgotten    int
	Sessions     []string
	Projects     []memory.Project
	Claims       map[string]hintedClaim
	Rows         int
}

type hintedClaim struct {
	Olds []string
	At   time.Time
	Off  int64
}

// rowSize is the length in bytes of a row without its id and agent, which follow it.
const rowSize = 8 + 8 + 4 + 4 + 4 + 2 + 1 + 1 + 1

const (
	rowDead      = 1
	rowWaits     = 2
	rowCandidate = 4
)

var errHint = errors.New("it is not as recollect writes it")

func (l *logFile) hintPath() string { return strings.TrimSuffix(l.path, logSuffix) + hintSuffix }

// takeHint reads and removes the hint file of l, whose log file is f. It returns nil if there is no hint
// file, or if f has changed since it was written.
func (s *Store) takeHint(l *logFile, f *os.File) (*contents, os.FileInfo) {
	path := l.hintPath()
	if f == nil || trust.Foreign(path) {
		return nil, nil
	}
	hints, err := regular.Open(path)
	if err != nil {
		return nil, nil
	}
	fi, err := f.Stat()
	var c *contents
	if err == nil {
		c, err = readHint(hints, f, fi, l.source)
	}
	if err = errors.Join(err, hints.Close(), os.Remove(path)); err != nil {
		s.log.Debug("hint file not used or not removed", logkey.File, l.name, logkey.Error, cause(err))
	}
	return c, fi
}

// readHint reads the hint file of the log f. It returns nil if f has changed since.
func readHint(hints, f *os.File, fi os.FileInfo, src memory.Source) (*contents, error) {
	hfi, err := hints.Stat()
	if err != nil {
		return nil, err
	}
	sum := crc32.New(castagnoli)
	r := bufio.NewReaderSize(io.TeeReader(io.LimitReader(hints, hfi.Size()-crc32.Size), sum), scanBuffer)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, errHint
	}
	var h hint
	if err := json.Unmarshal(line, &h); err != nil || h.Version != hintVersion || h.Source != src {
		return nil, errHint
	}
	if h.Clock > memory.MaxClock {
		return nil, nil // its clock includes invalid ones
	}
	if fi.Size() != h.End.Bytes || !fi.ModTime().Equal(h.Modified) {
		return nil, nil
	}
	if h.Rows < 0 || int64(h.Rows) > hfi.Size()/rowSize {
		return nil, nil
	}
	c := h.contents()
	for range h.Rows {
		if err := c.readRow(r); err != nil {
			return nil, err
		}
	}
	var want [crc32.Size]byte
	if _, err := hints.ReadAt(want[:], hfi.Size()-crc32.Size); err != nil || binary.LittleEndian.Uint32(want[:]) != sum.Sum32() {
		return nil, errHint
	}
	if !c.endsLike(f) {
		return nil, nil
	}
	return c, nil
}

// contents returns the contents that h describes, without any ids.
func (h *hint) contents() *contents {
	c := newContents(h.Source, false)
	c.at = compactid.NewMap[place](h.Rows)
	c.end, c.sums, c.newlines, c.unterminated = h.End, h.Sums, h.Newlines, h.Unterminated
	c.clock, c.live, c.kept, c.forgotten = h.Clock, h.Live, h.Kept, h.Forgotten
	for _, name := range h.Sessions {
		c.sessions.number(name)
	}
	for _, p := range h.Projects {
		c.projects.put(p)
	}
	for id, claimed := range h.Claims {
		c.claim(id, claim{claimed.Olds, claimed.At, claimed.Off})
	}
	return c
}

// readRow reads one row and adds its id.
func (c *contents) readRow(r *bufio.Reader) error {
	row, err := r.Peek(rowSize)
	if err != nil {
		return errHint
	}
	le := binary.LittleEndian
	p := place{
		off: int64(le.Uint64(row)), occurred: int64(le.Uint64(row[8:])), n: int32(le.Uint32(row[16:])),
		session: le.Uint32(row[20:]), turn: le.Uint32(row[24:]), project: le.Uint16(row[28:]),
		dead: row[30]&rowDead != 0, waits: row[30]&rowWaits != 0, suggested: row[30]&rowCandidate != 0,
	}
	idEnd := rowSize + int(row[31])
	size := idEnd + int(row[32])
	if row, err = r.Peek(size); err != nil {
		return errHint
	}
	if p.off < 0 || p.n < 0 || p.off+int64(p.n) > c.end.Bytes {
		return errHint
	}
	if int(p.session) > len(c.sessions.names) || int(p.project) > len(c.projects.all) {
		return errHint
	}
	id := string(row[rowSize:idEnd])
	if size > idEnd {
		c.agents[id] = string(row[idEnd:])
	}
	if !strings.HasPrefix(id, c.source.Prefix()) {
		c.foreign[id] = true
	}
	if p.waits {
		c.waiting++
	}
	c.sessions.add(p.session, c.at.Add(id, p), place{})
	_, err = r.Discard(size)
	return err
}

// endsLike reports whether the last bytes of f, after the last checkpoint, are those of c.
func (c *contents) endsLike(f *os.File) bool {
	start := Mark{}
	for _, sum := range c.sums {
		if sum.Bytes > start.Bytes && sum.Bytes < c.end.Bytes {
			start = sum
		}
	}
	end := make([]byte, c.end.Bytes-start.Bytes)
	_, err := f.ReadAt(end, start.Bytes)
	return err == nil && start.add(end) == c.end
}

// writeHints writes the hint files of the logs that are read in full.
func (s *Store) writeHints() {
	for _, l := range s.logs {
		sound := l.unreadable == nil && l.torn == 0 && len(l.flaws) == 0
		if l.file == nil || l.end.Bytes < minHinted || !sound {
			continue
		}
		if changed, err := l.changed(); changed || err != nil || s.lock.Held() != nil {
			continue
		}
		path := l.hintPath()
		err := durable.Replace(path, path+tempSuffix, l.writeHint)
		if err != nil {
			s.log.Debug("hint file not written", logkey.File, l.name, logkey.Error, errors.Join(cause(err), removeIf(path+tempSuffix)))
		}
	}
}

func (l *logFile) writeHint(f *os.File) error {
	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(f, sum), scanBuffer)
	h := hint{
		Version: hintVersion, Source: l.source, Modified: l.seen.ModTime(),
		End: l.end, Sums: l.sums, Newlines: l.newlines, Unterminated: l.unterminated,
		Clock: l.clock, Live: l.live, Kept: l.kept, Forgotten: l.forgotten,
		Sessions: l.sessions.names, Projects: l.projects.all, Claims: map[string]hintedClaim{}, Rows: l.at.Len(),
	}
	for id, c := range l.claims {
		h.Claims[id] = hintedClaim{c.olds, c.at, c.off}
	}
	if err := json.NewEncoder(w).Encode(h); err != nil {
		return err
	}
	var row []byte
	for id, p := range l.at.All() {
		var err error
		if row, err = appendRow(row[:0], id, l.agents[id], p); err == nil {
			_, err = w.Write(row)
		}
		if err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := f.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

func appendRow(b []byte, id, agent string, p place) ([]byte, error) {
	if len(id) > math.MaxUint8 || len(agent) > math.MaxUint8 {
		return nil, fmt.Errorf("%.20q…: id or agent is too long", id)
	}
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(p.off))
	b = le.AppendUint64(b, uint64(p.occurred))
	b = le.AppendUint32(b, uint32(p.n))
	b = le.AppendUint32(b, p.session)
	b = le.AppendUint32(b, p.turn)
	b = le.AppendUint16(b, p.project)
	var state byte
	if p.dead {
		state |= rowDead
	}
	if p.waits {
		state |= rowWaits
	}
	if p.suggested {
		state |= rowCandidate
	}
	b = append(b, state, byte(len(id)), byte(len(agent)))
	return append(append(b, id...), agent...), nil
}
