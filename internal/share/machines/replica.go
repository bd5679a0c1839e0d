// Package machines synchronizes the memories of one person's machines, through a target that all of
// them can reach: a folder, a folder on a host that ssh reaches, or a git repository.
//
// Each machine has a folder of its own in the target, recollect/<writer>, and writes to no other.
// The folder has segments: files with a memory on each line. A segment is named by the checksum of
// its content, and never changes. Machines therefore never write the same file, they need no locks,
// and they recognize an incomplete segment.
//
// A Machine reads the segments that are new to it, and merges their memories into its store. It writes
// memories that the target lacks to new segments. A state records what it knows of a target: losing it
// costs time, but no memory. With a Key, it encrypts its segments and reads only encrypted ones.
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
	// segmentSize is the size at which a segment is complete, in bytes; its last line may exceed it.
	segmentSize = 1 << 20
	// maxSegment is the size of the largest segment that is read, and maxLine of the longest line, in
	// bytes.
	maxSegment = 8 << 20
	maxLine    = 1 << 20
	// maxOwn is how many segments a machine may have before it joins them.
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

// A target stores segments.
type target interface {
	list(ctx context.Context) ([]Segment, error)
	read(ctx context.Context, s Segment) ([]byte, error)
	// write makes a segment in one step; remove does nothing if the segment does not exist.
	write(ctx context.Context, s Segment, content []byte) error
	remove(ctx context.Context, s Segment) error
}

// A Machine is one of the machines that are synchronized. Only Key, Now and Losing may be zero.
type Machine struct {
	Home      string
	Writer    string
	Store     *store.Store
	Key       *Key            // nil for targets that are not encrypted
	Sources   []memory.Source // those that are synchronized
	Forgotten func(*memory.Memory) bool
	Merge     func(context.Context, []clean.Memory) (store.Merged, error)

	// Now is the time. Memories with a later date are not read yet, unless Now is zero.
	Now time.Time
	// Losing reports whether deletions by other machines have to wait. It is called before them, with
	// the memories that they would remove. If it is nil, none waits.
	Losing func([]memory.Memory) (wait bool, err error)
}

// A run is one synchronization with a target.
type run struct {
	*Machine
	target target
	state  *state
	done   api.Synced
	plain  []Segment // segments under our name that are not encrypted, although there is a key
	graves []grave
	came   map[string]bool // ids of the memories that this run received
}

// sync reads new segments of a target, and writes what the target lacks. The caller must save the
// state afterwards.
func (m *Machine) sync(ctx context.Context, t target, s *state, anew bool) (api.Synced, error) {
	r := run{Machine: m, target: t, state: s, done: api.Synced{Ignored: []string{}}, came: map[string]bool{}}
	segments, err := t.list(ctx)
	if err != nil {
		return r.done, err
	}
	if s.hadSegments() && len(segments) == 0 && !anew {
		return r.done, ErrEmpty
	}
	if anew || s.lacksOwn(segments, m.Writer) {
		s.clear()
	}
	if err := r.receive(ctx, segments); err != nil {
		return r.done, err
	}
	now, err := r.send(ctx)
	if err != nil {
		return r.done, err
	}
	if err := r.rewriteOwn(ctx, now, anew); err != nil {
		return r.done, err
	}
	return r.done, r.replaceOld(ctx)
}

// replaceOld removes our own segments with another key, or without one, after their memories have been
// written with this key. Segments of a sync that was killed are not in the state.
func (r *run) replaceOld(ctx context.Context) error {
	var old []Segment
	for name := range r.state.old {
		old = append(old, Segment{Writer: r.Writer, Name: name})
	}
	for _, s := range r.plain {
		if content, err := r.target.read(ctx, s); err == nil && r.isOutdated(content) {
			old = append(old, s)
		} else {
			r.addIgnored(s, errPlain)
		}
	}
	for _, s := range old {
		if err := r.target.remove(ctx, s); err != nil {
			return fmt.Errorf("remove segment: %w", err)
		}
	}
	return nil
}

// isOutdated reports whether the store has all memories of a segment, in the same version or a later one.
func (r *run) isOutdated(content []byte) bool {
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

// ErrEmpty means that a target had segments and has none now. The caller should ask the user whether it
// is the right folder, and whether its disk is mounted.
var ErrEmpty error = &api.CausedError{Cause: api.EmptyTarget, Text: "nothing is left of what was there"}

// receive merges the memories of the segments that have not been read before.
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
	return r.mergeGraves(ctx)
}

// receiveSome merges the memories of some segments. A segment with graves counts as read only when
// mergeGraves has merged them.
func (r *run) receiveSome(ctx context.Context, segments []Segment) error {
	var ms []clean.Memory
	var read []Segment
	for _, s := range segments {
		content, ok, err := r.fetchSegment(ctx, s)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		from := len(ms)
		whole := r.parseSegment(s, content, &ms)
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

// merge merges memories into the store, the oldest first.
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

// fetchSegment returns the content of a segment. ok is false if it cannot be read, or not yet.
func (r *run) fetchSegment(ctx context.Context, s Segment) (content []byte, ok bool, err error) {
	content, err = r.target.read(ctx, s)
	if err == nil && checksum(content) != s.Name {
		err = errors.New("not whole, or damaged")
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err != nil {
		r.addIgnored(s, err)
		if s.Writer == r.Writer { // send writes its memories again
			if err := r.target.remove(ctx, s); err != nil {
				return nil, false, fmt.Errorf("remove segment: %w", err)
			}
		}
		return nil, false, nil
	}
	switch content, err = r.Key.open(content); {
	case err == nil:
		return content, true, nil
	case errors.Is(err, ErrNoKey): // going on would write the others' encrypted memories for all to read
		return nil, false, err
	case errors.Is(err, errPlain) && s.Writer == r.Writer:
		r.plain = append(r.plain, s)
	default:
		r.addIgnored(s, err) // it will be read when the right key is there
	}
	return nil, false, nil
}

func (r *run) addIgnored(s Segment, why error) {
	if len(r.done.Ignored) < api.MostIgnored {
		r.done.Ignored = append(r.done.Ignored, fmt.Sprintf("%s: %v", s.key(), why))
	}
}

// errAhead means that the date or the clock of a memory lies in the future.
var errAhead = errors.New("it says that it is of a time to come")

// isAhead reports whether the date or the clock of a memory lies in the future.
func (r *run) isAhead(m *memory.Memory) bool { return !r.Now.IsZero() && m.Ahead(r.Now) }

// parseSegment appends the memories of a segment to ms. It returns false if the segment has to be read
// again, because a newer version wrote some of them, or some lie in the future.
func (r *run) parseSegment(s Segment, content []byte, ms *[]clean.Memory) bool {
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
			r.state.seen[digestLine(line)] = true
		}
		if err != nil {
			r.addIgnored(s, fmt.Errorf("line %d: %w", number, err))
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

// An inventory lists the memories of a store.
type inventory struct {
	lines map[uint64]bool // digests of their lines
	dead  map[string]bool // ids of the deleted ones
}

// send writes the memories that the target lacks.
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
		line, err := encodeLine(m)
		if err != nil {
			return now, err
		}
		d := digestLine(bytes.TrimSpace(line))
		now.lines[d] = true
		if r.state.seen[d] || !slices.Contains(r.Sources, m.Source) {
			continue
		}
		r.state.seen[d] = true
		r.done.Sent++
		out.Write(line)
		if out.Len() >= segmentSize {
			if _, err := r.writeSegment(ctx, &out); err != nil {
				return now, err
			}
		}
	}
	_, err := r.writeSegment(ctx, &out)
	return now, err
}

// writeSegment writes out to a segment, empties out, and returns the segment's name.
func (r *run) writeSegment(ctx context.Context, out *bytes.Buffer) (string, error) {
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

// rewriteOwn rewrites our own segments that contain words of deleted memories. It rewrites all of them
// if there are more than maxOwn, or with anew.
func (r *run) rewriteOwn(ctx context.Context, now inventory, anew bool) error {
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
		kept, stale := now.keepLines(content)
		if !stale && !anew {
			continue
		}
		old = append(old, s)
		out.Write(kept)
	}
	for out.Len() > 0 {
		name, err := r.writeSegment(ctx, bytes.NewBuffer(nextPart(&out)))
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

// nextPart takes the lines of one segment from b.
func nextPart(b *bytes.Buffer) []byte {
	n := b.Len()
	if n > segmentSize {
		n = segmentSize + bytes.IndexByte(b.Bytes()[segmentSize:], '\n') + 1
	}
	return slices.Clone(b.Next(n))
}

// keepLines returns the lines of a segment that the store still has. stale reports whether other lines
// are of deleted memories, or unreadable.
func (v inventory) keepLines(content []byte) (kept []byte, stale bool) {
	for line := range bytes.Lines(content) {
		if v.lines[digestLine(bytes.TrimSpace(line))] {
			kept = append(kept, line...)
			continue
		}
		var m struct{ ID string }
		stale = stale || json.Unmarshal(line, &m) != nil || v.dead[m.ID]
	}
	return kept, stale
}

// checksum identifies the set of deleted memories.
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

// encodeLine returns the line of a memory in a segment.
func encodeLine(m memory.Memory) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m.Wire()); err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.ID, err)
	}
	return b.Bytes(), nil
}

// checksum returns the name of a segment with this content.
func checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// digestLine identifies a line.
func digestLine(line []byte) uint64 {
	sum := sha256.Sum256(line)
	return binary.BigEndian.Uint64(sum[:])
}
