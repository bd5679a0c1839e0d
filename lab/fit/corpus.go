package fit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"recollect/lab/embedding"
)

// A record is one line of the corpus.
type record struct {
	Kind     string   `json:"k"` // commit or doc
	Repo     string   `json:"r"`
	Subject  string   `json:"a"` // subject of a commit
	Headings []string `json:"h"` // headings of a doc, the outermost first
	Body     []string `json:"p"` // paragraphs
}

// A corpus is the text of some repositories, by repository, in the order of the file. It has only the
// first of records with the same subject or headings, because a query must have one answer.
type corpus struct{ commits, sections map[string][]record }

// heldOut returns an error if the embedder was trained on one of repos.
func heldOut(repos []string) error {
	held := embedding.Defaults().Held
	for _, r := range repos {
		if !slices.Contains(held, r) {
			return fmt.Errorf("repository %s: the embedder was trained on it", r)
		}
	}
	return nil
}

// readCorpus reads the records of repos from a corpus folder.
func readCorpus(dir string, repos []string) (*corpus, error) {
	if err := heldOut(repos); err != nil {
		return nil, err
	}
	f, err := embedding.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := parseCorpus(f, repos)
	if err != nil {
		return nil, fmt.Errorf("read corpus %s: %w", dir, err)
	}
	return c, nil
}

func parseCorpus(r io.Reader, repos []string) (*corpus, error) {
	c := &corpus{map[string][]record{}, map[string][]record{}}
	seen := map[string]bool{}
	lines := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			var rec record
			if err := json.Unmarshal(line, &rec); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if slices.Contains(repos, rec.Repo) {
				c.add(rec, seen)
			}
		}
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (c *corpus) add(r record, seen map[string]bool) {
	key := strings.ToLower(r.Kind + "\n" + r.Subject + r.heading())
	if seen[key] {
		return
	}
	seen[key] = true
	switch r.Kind {
	case "commit":
		c.commits[r.Repo] = append(c.commits[r.Repo], r)
	case "doc":
		c.sections[r.Repo] = append(c.sections[r.Repo], r)
	}
}

// heading returns the last two headings of a section, or one if they repeat each other.
func (r record) heading() string {
	last := r.Headings[max(0, len(r.Headings)-2):]
	return strings.Join(slices.Compact(slices.Clone(last)), " ")
}

// body returns the whole text of a record.
func (r record) body() string { return strings.Join(r.Body, "\n") }

// commitsOf returns the commits of repos for which pick returns true.
func (c *corpus) commitsOf(repos []string, pick func(record) bool) []record {
	return selectRecords(c.commits, repos, pick)
}

// sectionsOf returns the sections of repos for which pick returns true.
func (c *corpus) sectionsOf(repos []string, pick func(record) bool) []record {
	return selectRecords(c.sections, repos, pick)
}

func selectRecords(by map[string][]record, repos []string, pick func(record) bool) []record {
	var out []record
	for _, repo := range repos {
		for _, r := range by[repo] {
			if pick(r) {
				out = append(out, r)
			}
		}
	}
	return out
}
