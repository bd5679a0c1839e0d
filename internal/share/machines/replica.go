// Package machines brings the memories of one person's machines together, through a target that
// all of them reach: a folder, one that ssh reaches, or a git repository.
//
// In the target each machine has a folder of its own, recollect/<writer>, which nobody else writes
// to. It has segments: files of memories, one a line, as they travel. A segment is named by the
// checksum of its content and never changes. So no two machines write one file, nothing is locked,
// and a segment that is not whole is recognized.
//
// A Machine reads the segments that it has not read, joins what they say with its store, and writes
// what it has and the target lacks to new segments. What it knows of a target is a State: losing
// that costs time, but no memory. With a Key, segments are encrypted, and others are not read.
package machines

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

const (
	// segmentSize is how large a segment grows, in bytes; the last line may go beyond it.
	segmentSize = 1 << 20
	// maxSegment is the largest segment that is read. maxLine is the longest line.
	maxSegment = 8 << 20
	maxLine    = 1 << 20
	// maxOwn is how many segments a machine has before it puts them together.
	maxOwn = 100
	// batch is how many segments are read before their memories are merged.
	batch = 32
)

// A Segment is a file of memories in a target.
type Segment struct {
	Writer string
	Name   string // the checksum of its content
	Size   int64
}

func (s Segment) key() string { return s.Writer + "/" + s.Name }

// A target is where segments lie.
type target interface {
	// list returns the segments.
	list(ctx context.Context) ([]Segment, error)
	read(ctx context.Context, s Segment) ([]byte, error)
	// write makes a segment in one step; remove removes one, if it is there.
	write(ctx context.Context, s Segment, content []byte) error
	remove(ctx context.Context, s Segment) error
}

// A Machine is one of those whose memories come together. All its fields but Key must be set.
type Machine struct {
	Home      string
	Writer    string
	Store     *store.Store
	Key       *Key            // nil for targets that are not encrypted
	Sources   []memory.Source // which travel
	Forgotten func(*memory.Memory) bool
	Merge     func(context.Context, []clean.Memory) (store.Merged, error)

	// Now is the time, by which what is of a time to come is left for later. Zero: nothing is.
	Now time.Time
	// Losing is given the memories that deletions from elsewhere would take, before they do, and reports
	// whether these wait. Nil: none does.
	Losing func([]memory.Memory) (wait bool, err error)
}

// A run is one synchronization with a target.
type run struct {
	*Machine
	target target
	state  *state
	done   api.Synced
	plain  []Segment // that bear our name and are not encrypted, though there is a key
	graves []grave
	came   map[string]bool // ids of memories that this run brought
}

// sync reads what is new in a target and writes what it lacks. The state is to be saved afterwards.
func (m *Machine) sync(ctx context.Context, t target, s *state, anew bool) (api.Synced, error) {
	r := run{Machine: m, target: t, state: s, done: api.Synced{Ignored: []string{}}, came: map[string]bool{}}
	segments, err := t.list(ctx)
	if err != nil {
		return r.done, err
	}
	if s.known() && len(segments) == 0 && !anew {
		return r.done, ErrEmpty
	}
	if anew || s.lacks(segments, m.Writer) {
		s.clear()
	}
	if err := r.receive(ctx, segments); err != nil {
		return r.done, err
	}
	now, err := r.send(ctx)
	if err != nil {
		return r.done, err
	}
	if err := r.tidy(ctx, now, anew); err != nil {
		return r.done, err
	}
	return r.done, r.replaceOld(ctx)
}

// replaceOld removes those of our own segments that were written with another key, or without one,
// once what they had is written with this one. A sync that was killed left some that no state knows.
func (r *run) replaceOld(ctx context.Context) error {
	var old []Segment
	for name := range r.state.old {
		old = append(old, Segment{Writer: r.Writer, Name: name})
	}
	for _, s := range r.plain {
		if content, err := r.target.read(ctx, s); err == nil && r.outdated(content) {
			old = append(old, s)
		} else {
			r.ignore(s, errPlain)
		}
	}
	for _, s := range old {
		if err := r.target.remove(ctx, s); err != nil {
			return fmt.Errorf("remove segment: %w", err)
		}
	}
	return nil
}

// outdated reports whether the store has all that a segment says, or something later.
func (r *run) outdated(content []byte) bool {
	for line := range bytes.Lines(content) {
		var m memory.Memory
		if json.Unmarshal(line, &m) != nil {
			return false
		}
		if now, err := r.Store.Newest(m.ID); err != nil || m.Clock > now.Clock {
			return false
		}
	}
	return true
}

// ErrEmpty means that a target no longer has what was there. Callers should ask whether it is the
// right folder, and whether its disk is mounted.
var ErrEmpty error = &api.CausedError{Cause: api.EmptyTarget, Text: "nothing is left of what was there"}

// receive merges the memories of the segments that were not read before.
func (r *run) receive(ctx context.Context, segments []Segment) error {
	segments = slices.DeleteFunc(segments, func(s Segment) bool {
		_, old := r.state.old[s.Name]
		return r.state.Read[s.key()] || old && s.Writer == r.Writer
	})
	for some := range slices.Chunk(segments, batch) {
		if err := r.receiveSome(ctx, some); err != nil {
			return err
		}
	}
	return r.bury(ctx)
}

// receiveSome merges the memories of some segments. Those that have deletions which may wait are read
// once these are merged.
func (r *run) receiveSome(ctx context.Context, segments []Segment) error {
	var ms []clean.Memory
	var read []Segment
	for _, s := range segments {
		content, ok, err := r.fetch(ctx, s)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		from := len(ms)
		whole := r.parse(s, content, &ms)
		graves := len(r.graves)
		ms = append(ms[:from], r.withoutGraves(s, ms[from:])...)
		if s.Writer == r.Writer && whole {
			r.state.Wrote[s.Name] = s.Size
		}
		if whole && len(r.graves) == graves {
			read = append(read, s)
		}
		for i := range r.graves[graves:] {
			r.graves[graves+i].whole = whole
		}
	}
	if err := r.merge(ctx, ms); err != nil {
		return err
	}
	for _, s := range read {
		r.state.Read[s.key()] = true
	}
	return nil
}

// merge joins memories with those of the store, the oldest first.
func (r *run) merge(ctx context.Context, ms []clean.Memory) error {
	slices.SortStableFunc(ms, func(a, b clean.Memory) int { return cmp.Compare(a.Memory().Clock, b.Memory().Clock) })
	for part := range slices.Chunk(ms, 500) {
		merged, err := r.Merge(ctx, part)
		if err != nil {
			return err
		}
		r.done.Received += merged.Put
		r.done.Deleted += len(merged.Deleted)
	}
	return nil
}

// fetch returns what a segment says, and false if it cannot be read, or not yet.
func (r *run) fetch(ctx context.Context, s Segment) (content []byte, ok bool, err error) {
	content, err = r.target.read(ctx, s)
	if err == nil && checksum(content) != s.Name {
		err = errors.New("not whole, or damaged")
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err != nil {
		r.ignore(s, err)
		if s.Writer == r.Writer { // what it had is written again
			if err := r.target.remove(ctx, s); err != nil {
				return nil, false, fmt.Errorf("remove segment: %w", err)
			}
		}
		return nil, false, nil
	}
	switch content, err = r.Key.open(content); {
	case err == nil:
		return content, true, nil
	case errors.Is(err, ErrNoKey): // or what others encrypt would be written here for all to read
		return nil, false, err
	case errors.Is(err, errPlain) && s.Writer == r.Writer:
		r.plain = append(r.plain, s)
	default:
		r.ignore(s, err) // it is read once the right key is there
	}
	return nil, false, nil
}

func (r *run) ignore(s Segment, why error) {
	if len(r.done.Ignored) < api.MostIgnored {
		r.done.Ignored = append(r.done.Ignored, fmt.Sprintf("%s: %v", s.key(), why))
	}
}

// errAhead says that a line has a date or a clock that no machine can have by now.
var errAhead = errors.New("it says that it is of a time to come")

// isAhead reports whether a memory is of a time to come.
func (r *run) isAhead(m *memory.Memory) bool { return !r.Now.IsZero() && m.Ahead(r.Now) }

// parse adds what a segment says to ms. It returns false if some of it was left, because a newer
// version wrote it, or it is of a time to come: then the segment is read again.
func (r *run) parse(s Segment, content []byte, ms *[]clean.Memory) bool {
	whole, number := true, 0
	for line := range bytes.Lines(content) {
		number++
		line = bytes.TrimSpace(line)
		var m memory.Memory
		err := errors.New("longer than a memory")
		if len(line) <= maxLine {
			err = json.Unmarshal(line, &m)
		}
		newer := err == nil && m.Newer()
		whole = whole && !newer
		var c clean.Memory
		early := err == nil && !newer && r.isAhead(&m)
		whole = whole && !early
		switch {
		case early:
			err = errAhead
		case err == nil:
			c, err = clean.Received(m)
		}
		if !newer && !early {
			r.state.seen[digest(line)] = true
		}
		if err != nil {
			r.ignore(s, fmt.Errorf("line %d: %w", number, err))
			continue
		}
		if !slices.Contains(r.Sources, m.Source) {
			continue
		}
		if !m.Deleted && m.Session != "" && r.Forgotten(&m) {
			if _, err := r.Store.Newest(m.ID); errors.Is(err, store.ErrNotFound) {
				c = c.Buried()
			}
		}
		*ms = append(*ms, c)
	}
	return whole
}

// A inventory is what a store has that travels.
type inventory struct {
	lines map[uint64]bool // digests of the lines
	dead  map[string]bool // ids of what was deleted
}

// send writes what the store has and the target lacks.
func (r *run) send(ctx context.Context) (inventory, error) {
	now := inventory{lines: map[uint64]bool{}, dead: map[string]bool{}}
	var out bytes.Buffer
	for _, id := range r.Store.AllIDs() {
		m, err := r.Store.Newest(id)
		if errors.Is(err, store.ErrNotFound) {
			continue // a damaged line
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return now, err
		}
		if m.Deleted {
			now.dead[id] = true
		}
		line, err := encode(m)
		if err != nil {
			return now, err
		}
		d := digest(bytes.TrimSpace(line))
		now.lines[d] = true
		if r.state.seen[d] || !slices.Contains(r.Sources, m.Source) {
			continue
		}
		r.state.seen[d] = true
		r.done.Sent++
		out.Write(line)
		if out.Len() >= segmentSize {
			if _, err := r.put(ctx, &out); err != nil {
				return now, err
			}
		}
	}
	_, err := r.put(ctx, &out)
	return now, err
}

// put writes a segment, empties it, and returns its name.
func (r *run) put(ctx context.Context, out *bytes.Buffer) (string, error) {
	if out.Len() == 0 {
		return "", nil
	}
	content, err := r.Key.seal(out.Bytes())
	if err != nil {
		return "", err
	}
	s := Segment{Writer: r.Writer, Name: checksum(content), Size: int64(len(content))}
	if err := r.target.write(ctx, s, content); err != nil {
		return "", fmt.Errorf("write segment: %w", err)
	}
	out.Reset()
	r.state.Read[s.key()], r.state.Wrote[s.Name] = true, s.Size
	return s.Name, nil
}

// tidy rewrites those of our own segments that have words of what was deleted since, and all of
// them if there are many or if all is to be written anew.
func (r *run) tidy(ctx context.Context, now inventory, anew bool) error {
	dead := now.checksum()
	anew = anew || len(r.state.Wrote) > maxOwn
	if dead == r.state.Dead && !anew {
		return nil
	}
	var out bytes.Buffer
	var old []Segment
	for name, size := range r.state.Wrote {
		s := Segment{Writer: r.Writer, Name: name, Size: size}
		content, err := r.target.read(ctx, s)
		if err == nil {
			content, err = r.Key.open(content)
		}
		if err != nil {
			return fmt.Errorf("read segment: %w", err)
		}
		kept, stale := now.keep(content)
		if !stale && !anew {
			continue
		}
		old = append(old, s)
		out.Write(kept)
	}
	for out.Len() > 0 {
		name, err := r.put(ctx, bytes.NewBuffer(nextPart(&out)))
		if err != nil {
			return err
		}
		old = slices.DeleteFunc(old, func(s Segment) bool { return s.Name == name })
	}
	for _, s := range old {
		if err := r.target.remove(ctx, s); err != nil {
			return fmt.Errorf("remove segment: %w", err)
		}
		delete(r.state.Wrote, s.Name)
		delete(r.state.Read, s.key())
	}
	r.state.Dead = dead
	return nil
}

// nextPart takes lines of about the size of a segment from b.
func nextPart(b *bytes.Buffer) []byte {
	n := b.Len()
	if n > segmentSize {
		n = segmentSize + bytes.IndexByte(b.Bytes()[segmentSize:], '\n') + 1
	}
	return slices.Clone(b.Next(n))
}

// keep returns the lines of a segment that are still what the store has, and whether others are of
// what was deleted.
func (v inventory) keep(content []byte) (kept []byte, stale bool) {
	for line := range bytes.Lines(content) {
		if v.lines[digest(bytes.TrimSpace(line))] {
			kept = append(kept, line...)
			continue
		}
		var m struct{ ID string }
		stale = stale || json.Unmarshal(line, &m) != nil || v.dead[m.ID]
	}
	return kept, stale
}

// checksum identifies what was deleted.
func (v inventory) checksum() string {
	h := sha256.New()
	ids := make([]string, 0, len(v.dead))
	for id := range v.dead {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		fmt.Fprintln(h, id)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encode returns the line of a memory in a segment.
func encode(m memory.Memory) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m.Wire()); err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.ID, err)
	}
	return b.Bytes(), nil
}

// checksum names a segment.
func checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// digest stands for a line.
func digest(line []byte) uint64 {
	sum := sha256.Sum256(line)
	return binary.BigEndian.Uint64(sum[:])
}
