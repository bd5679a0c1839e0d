package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
)

// isExport reports whether a file is an export of memories, or one of our logs.
func isExport(f *os.File) bool {
	values, err := newValues(f)
	for n := 0; err == nil && n < sniffed; n++ {
		var value []byte
		if value, err = values.next(); err == nil && isRecord(value) {
			return true
		}
		if errors.Is(err, errNoValue) {
			err = nil
		}
	}
	return false
}

// isRecord reports whether a JSON value is a memory's. Those of transcripts
// have a type, and no source.
func isRecord(value []byte) bool {
	var m struct {
		ID, Source, Type json.RawMessage
	}
	if json.Unmarshal(value, &m) != nil {
		return false
	}
	return m.ID != nil && m.Source != nil && m.Type == nil
}

// A record is a memory in an export, which may say what supersedes it.
type record struct {
	memory.Memory
	SupersededBy json.RawMessage `json:"superseded_by"`
}

var (
	errNewer     = errors.New("a newer recollect wrote it")
	errTombstone = errors.New("it is of a memory that was deleted")
)

// parseRecord reads a memory of an export. One that a newer version wrote is
// refused: what this version does not know of it would be lost.
func parseRecord(value []byte) (memory.Draft, error) {
	var r record
	if err := json.Unmarshal(value, &r); err != nil {
		var head struct{ V int }
		if json.Unmarshal(value, &head) == nil && head.V > memory.Version {
			return memory.Draft{}, fmt.Errorf("%w: version %d", errNewer, head.V)
		}
		return memory.Draft{}, err
	}
	if r.Newer() {
		return memory.Draft{}, fmt.Errorf("%w: version %d", errNewer, r.V)
	}
	strict := json.NewDecoder(bytes.NewReader(value))
	strict.DisallowUnknownFields()
	if err := strict.Decode(new(record)); err != nil {
		return memory.Draft{}, fmt.Errorf("%w: %s", errNewer, strings.TrimPrefix(err.Error(), "json: "))
	}
	if r.Deleted {
		return memory.Draft{}, errTombstone
	}
	return memory.Draft{Memory: r.Memory}, nil
}

// export reads memories as "recollect export" prints them. What cannot be read
// of them is counted and left out.
func (c *Capture) export(ctx context.Context, f *transcript.File, in Input, _ func(string) memory.Project) (Done, error) {
	b := batch{capture: c}
	values, err := newValues(f.File)
	newer, first := 0, ""
	for err == nil {
		var value []byte
		if value, err = values.next(); errors.Is(err, errNoValue) {
			b.done.Skipped++
			b.done.leaveOut(fmt.Errorf("%s: %s: it is no JSON, or has more than %d MiB", in.Path, values.where(), maxRecord>>20))
			err = nil
			continue
		}
		if err != nil {
			break
		}
		d, bad := parseRecord(value)
		switch {
		case errors.Is(bad, errNewer):
			if newer++; newer == 1 {
				first = values.where() + ": " + bad.Error()
			}
			fallthrough
		case bad != nil:
			b.done.Skipped++
			if !errors.Is(bad, errTombstone) {
				b.done.leaveOut(fmt.Errorf("%s: %s: %w", in.Path, values.where(), bad))
			}
		default:
			if err = b.record(ctx, in.Path+": "+values.where(), d); err != nil {
				err = fmt.Errorf("%s: %w", values.where(), err)
			}
		}
	}
	if newer > 0 {
		b.done.Left = fmt.Sprintf("records left out: %d; the recollect that wrote them can import them (%s)", newer, first)
	}
	if !errors.Is(err, io.EOF) {
		return b.done, errors.Join(fmt.Errorf("read %s: %w", in.Path, err), b.finish(ctx))
	}
	return b.done, b.finish(ctx)
}
