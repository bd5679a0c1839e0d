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

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// An Extraction says how well and how fast capture extracts the memories that people who read the
// transcripts want.
type Extraction struct {
	Turns    int                          `json:"turns"`    // turns with a label
	Silent   int                          `json:"silent"`   // labelled turns that need not yield any memory
	Left     map[string]int               `json:"left"`     // labels whose place was not given, by place
	Sources  map[memory.Source]*Precision `json:"sources"`  // wanted or extracted sources
	Misses   []Miss                       `json:"misses"`   // memories that were wanted but not extracted, or extracted but not wanted
	Bytes    int64                        `json:"bytes"`    // size of all transcripts of the places
	Seconds  float64                      `json:"seconds"`  // time for reading and extracting
	Memories int                          `json:"memories"` // extracted memories of every source
}

// A Precision counts the memories of one source.
type Precision struct {
	Wanted    int `json:"wanted"` // wanted memories, without the optional ones
	Found     int `json:"found"`  // wanted memories that were extracted
	Extracted int `json:"told"`   // extracted memories
	Right     int `json:"right"`  // extracted memories that were wanted
}

// Precision returns the share of the extracted memories that is right, from 0 to 1, or nil if there are
// none.
func (p *Precision) Precision() *float64 { return ratio(p.Right, p.Extracted) }

// Recall returns the share of the wanted memories that was extracted, from 0 to 1, or nil if there are
// none.
func (p *Precision) Recall() *float64 { return ratio(p.Found, p.Wanted) }

func ratio(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	return share(n, of)
}

// A Miss is a memory that was wanted but not extracted, or extracted but not wanted.
type Miss struct {
	In     string        `json:"in"`
	File   string        `json:"file"`
	Turn   string        `json:"turn"`
	Source memory.Source `json:"source"`
	Prompt string        `json:"prompt"`           // its first line
	Want   []string      `json:"want,omitempty"`   // the patterns that it must match
	Memory string        `json:"memory,omitempty"` // title of the extracted memory
}

// RunCapture extracts memories from all transcripts of the places, a map from names to folders. It
// compares the memories of labelled turns with the labels.
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

// byTranscript groups labels by the path of their transcript, and counts those of unknown places.
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

// place extracts memories from the transcripts of a folder. It removes the labels that it has compared
// from of.
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

// extract does what capture does with a transcript, except storing the memories.
func (e *Extraction) extract(path string) (turns []claudecode.Turn, ms []memory.Draft, err error) {
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
	ms = slices.DeleteFunc(extract.DraftsOf(turns, projectOf(turns[0].Cwd)), func(d memory.Draft) bool { return d.Candidate > 0 })
	e.Seconds += time.Since(start).Seconds()
	e.Bytes += fi.Size()
	e.Memories += len(ms)
	return turns, ms, nil
}

// compare compares the memories extracted from a transcript with its labels.
func (e *Extraction) compare(labels []*Label, turns []claudecode.Turn, ms []memory.Draft) error {
	extracted := map[string][]memory.Memory{} // by turn
	seen := map[string]bool{}
	for _, d := range ms {
		cleaned, err := clean.Draft(d)
		if err != nil {
			return fmt.Errorf("memory of turn %s: %w", d.Turn, err)
		}
		m := cleaned.Memory()
		// The completion of a goal is not a memory of its own.
		if key := m.Turn + m.ID; !m.Done() && !seen[key] {
			seen[key] = true
			extracted[m.Turn] = append(extracted[m.Turn], m)
		}
	}
	for _, l := range labels {
		i := slices.IndexFunc(turns, func(t claudecode.Turn) bool { return t.ID == l.Turn })
		if i < 0 {
			return fmt.Errorf("there is no turn %s", l.Turn)
		}
		e.compareTurn(l, heading(turns[i].Prompt), extracted[l.Turn])
	}
	return nil
}

// compareTurn compares the memories extracted from one turn with its label.
func (e *Extraction) compareTurn(l *Label, prompt string, extracted []memory.Memory) {
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
		if slices.ContainsFunc(extracted, func(m memory.Memory) bool { return w.matches(&m) }) {
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
	for _, m := range extracted {
		if !l.covers(m.Source) {
			continue
		}
		p := e.source(m.Source)
		p.Extracted++
		if slices.ContainsFunc(l.Want, func(w *Want) bool { return w.matches(&m) }) {
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
