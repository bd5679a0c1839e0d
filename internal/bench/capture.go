package bench

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/extract"
	"recollect/internal/memory"
	"recollect/internal/transcript"
)

// An Extraction says how well capture takes from transcripts what people who
// read them say that they teach, and how fast.
type Extraction struct {
	Turns    int                          `json:"turns"`    // with a label
	Silent   int                          `json:"silent"`   // those of them that need not teach anything
	Left     map[string]int               `json:"left"`     // labels whose place was not given, by place
	Sources  map[memory.Source]*Precision `json:"sources"`  // that were wanted or told
	Misses   []Miss                       `json:"misses"`   // what was wanted and not told, and the other way round
	Bytes    int64                        `json:"bytes"`    // of all transcripts of the places
	Seconds  float64                      `json:"seconds"`  // that reading and extracting took
	Memories int                          `json:"memories"` // taken from all of them, of every source
}

// A Precision counts the memories of one source.
type Precision struct {
	Wanted int `json:"wanted"` // but for the optional
	Found  int `json:"found"`  // of those
	Told   int `json:"told"`   // memories that were extracted
	Right  int `json:"right"`  // of those, that somebody wanted
}

// Precision is the share of what was told that is right, from 0 to 1, or nil
// where nothing was told.
func (p *Precision) Precision() *float64 { return ratio(p.Right, p.Told) }

// Recall is the share of what was wanted that was told, from 0 to 1, or nil
// where nothing was wanted.
func (p *Precision) Recall() *float64 { return ratio(p.Found, p.Wanted) }

func ratio(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	return share(n, of)
}

// A Miss is a memory that was wanted and not told, or told and not wanted.
type Miss struct {
	In     string        `json:"in"`
	File   string        `json:"file"`
	Turn   string        `json:"turn"`
	Source memory.Source `json:"source"`
	Prompt string        `json:"prompt"`           // its first line
	Want   []string      `json:"want,omitempty"`   // what it must have
	Memory string        `json:"memory,omitempty"` // the title of what was told
}

// RunCapture extracts memories from all transcripts of the places, which are
// folders by name, and compares those of the labelled turns with the labels.
func RunCapture(ctx context.Context, labels []Label, places map[string]string) (*Extraction, error) {
	e := &Extraction{Left: map[string]int{}, Sources: map[memory.Source]*Precision{}, Misses: []Miss{}}
	real := map[string]string{}
	for name, dir := range places {
		var err error
		if real[name], err = filepath.EvalSymlinks(dir); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	of := e.byTranscript(labels, real)
	for _, name := range slices.Sorted(maps.Keys(real)) {
		if err := e.place(ctx, real[name], of); err != nil {
			return nil, err
		}
	}
	for path := range of {
		return nil, fmt.Errorf("read %s: it has labels, but is no transcript of its place", path)
	}
	return e, nil
}

// byTranscript sorts labels by the path of their transcript and counts those
// of places that were not given.
func (e *Extraction) byTranscript(labels []Label, places map[string]string) map[string][]*Label {
	of := map[string][]*Label{}
	for i := range labels {
		l := &labels[i]
		dir, ok := places[l.In]
		if !ok {
			e.Left[l.In]++
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(l.File))
		of[path] = append(of[path], l)
	}
	return of
}

// place extracts from the transcripts of a folder and removes from of what
// it has compared.
func (e *Extraction) place(ctx context.Context, dir string, of map[string][]*Label) error {
	paths, err := transcript.Files(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		turns, ms, err := e.extract(path)
		if err != nil {
			return err
		}
		if err := e.compare(of[path], turns, ms); err != nil {
			return fmt.Errorf("compare %s: %w", path, err)
		}
		delete(of, path)
	}
	return nil
}

// extract does with a transcript what capture does but for the store.
func (e *Extraction) extract(path string) (turns []claudecode.Turn, ms []memory.Memory, err error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	_, err = transcript.Turns(path, 0, func(t claudecode.Turn) error {
		turns = append(turns, t)
		return nil
	})
	if err != nil || len(turns) == 0 {
		return nil, nil, err
	}
	ms = extract.Turns(turns, projectOf(turns[0].Cwd))
	e.Seconds += time.Since(start).Seconds()
	e.Bytes += fi.Size()
	e.Memories += len(ms)
	return turns, ms, nil
}

// compare judges by the labels of a transcript what was extracted from it.
func (e *Extraction) compare(labels []*Label, turns []claudecode.Turn, ms []memory.Memory) error {
	told := map[string][]memory.Memory{} // by turn
	seen := map[string]bool{}
	for _, m := range ms {
		if err := m.Normalize(); err != nil {
			return fmt.Errorf("memory of turn %s: %w", m.Turn, err)
		}
		// That a goal is reached is not a thing to remember of its own.
		if key := m.Turn + m.ID; !m.Done() && !seen[key] {
			seen[key] = true
			told[m.Turn] = append(told[m.Turn], m)
		}
	}
	for _, l := range labels {
		i := slices.IndexFunc(turns, func(t claudecode.Turn) bool { return t.ID == l.Turn })
		if i < 0 {
			return fmt.Errorf("there is no turn %s", l.Turn)
		}
		e.judge(l, heading(turns[i].Prompt), told[l.Turn])
	}
	return nil
}

// judge compares what one turn taught with its label.
func (e *Extraction) judge(l *Label, prompt string, told []memory.Memory) {
	e.Turns++
	miss := Miss{In: l.In, File: l.File, Turn: l.Turn, Prompt: prompt}
	silent := true
	for _, w := range l.Want {
		if w.Optional {
			continue
		}
		silent = false
		p := e.source(w.Source)
		p.Wanted++
		if slices.ContainsFunc(told, func(m memory.Memory) bool { return w.is(&m) }) {
			p.Found++
			continue
		}
		missed := miss
		missed.Source, missed.Want = w.Source, w.Must
		e.Misses = append(e.Misses, missed)
	}
	if silent {
		e.Silent++
	}
	for _, m := range told {
		if !l.judges(m.Source) {
			continue
		}
		p := e.source(m.Source)
		p.Told++
		if slices.ContainsFunc(l.Want, func(w *Want) bool { return w.is(&m) }) {
			p.Right++
			continue
		}
		wrong := miss
		wrong.Source, wrong.Memory = m.Source, cmp.Or(m.Title, heading(m.Text))
		e.Misses = append(e.Misses, wrong)
	}
}

func (e *Extraction) source(s memory.Source) *Precision {
	if e.Sources[s] == nil {
		e.Sources[s] = &Precision{}
	}
	return e.Sources[s]
}
