package proof

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/engine/forget"
	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// The report of the last replay lies in the data folder: its first line has the counts, each further one a finding, so
// that what is forgotten can be cut out.

// mostStored is how many findings of a kind are stored.
const mostStored = 300

// maxFinding is the longest line of a stored report in bytes; the texts of a finding are cut long before.
const maxFinding = 64 << 10

// A Stored is a report, and when the replay ended.
type Stored struct {
	V      int       `json:"v"`
	Ran    time.Time `json:"ran"`
	Report *Report   `json:"report"`
}

// Save stores a report in a data folder, in place of the last one.
func Save(home string, r *Report, ran time.Time) error {
	counts := *r
	counts.Findings = []Finding{}
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	err := lines.Encode(Stored{1, ran, &counts})
	for _, f := range best(r.Findings) {
		err = cmp.Or(err, lines.Encode(f))
	}
	if err == nil {
		err = durable.WriteFile(reportPath(home), b.Bytes(), 0o600)
	}
	if err != nil {
		return fmt.Errorf("store the report: %w", err)
	}
	return nil
}

// best returns the findings that are stored, by kind: those that would have been known first, then the newest.
func best(all []Finding) []Finding {
	var out []Finding
	for _, kind := range Kinds {
		of := slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Kind != kind })
		slices.SortStableFunc(of, func(a, b Finding) int {
			return cmp.Or(surest(b.surety())-surest(a.surety()), surest(b.Match)-surest(a.Match), b.At.Compare(a.At))
		})
		out = append(out, of[:min(len(of), mostStored)]...)
	}
	return out
}

// surest orders matches.
func surest(m Match) int { return slices.Index([]Match{NoMatch, Loose, Strict}, m) }

// Load returns the report in a data folder. The error is fs.ErrNotExist if there is none, and durable.ErrNewer if a newer
// version wrote it.
func Load(home string) (*Stored, error) {
	f, err := regular.Open(reportPath(home))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out Stored
	for lines := regular.NewLines(f, maxFinding); ; {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) && out.Report != nil {
			return &out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", forget.Report, err)
		}
		if err := out.take(l.Text); err != nil {
			return nil, fmt.Errorf("%s: %w", forget.Report, err)
		}
	}
}

// take reads a line, the first one if there was none yet.
func (s *Stored) take(line []byte) error {
	if s.Report != nil {
		var f Finding
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		s.Report.Findings = append(s.Report.Findings, f)
		return nil
	}
	if err := json.Unmarshal(line, s); err != nil {
		return err
	}
	switch {
	case s.V > 1:
		return durable.ErrNewer
	case s.Report == nil:
		return errors.New("it has no report")
	}
	return nil
}

func reportPath(home string) string { return filepath.Join(home, forget.Report) }
