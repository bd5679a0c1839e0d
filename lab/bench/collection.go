package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// A Collection is a test collection in memory.
type Collection struct {
	Name      string // name of its folder
	Docs      []Doc
	Queries   []Query // queries with an answer among Docs
	Negatives []Query // queries without one
	Flaws     []string
}

// A Doc is one document, with the fields that make a memory.
type Doc struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Title   string   `json:"title"`
	Scope   string   `json:"scope"` // the project it belongs to
	Time    moment   `json:"time"`
	Session string   `json:"session"`
	Seq     *int     `json:"seq"` // place in the session
	Speaker string   `json:"speaker"`
	Type    string   `json:"type"` // the memory's source, if it names one
	Aliases []string `json:"aliases"`
}

// words returns the title and the text of d. It does not repeat a title with which the text begins.
func (d *Doc) words() string {
	if strings.HasPrefix(d.Text, d.Title) {
		return d.Text
	}
	return d.Title + "\n" + d.Text
}

// A Query is something that a user looks for.
type Query struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Detail string `json:"detail"` // the same need in more words
	Scope  string `json:"scope"`  // the only project whose documents can be relevant
	Time   moment `json:"time"`

	Relevant map[string]bool `json:"-"` // ids of documents
}

// Fields of a query that can be sent as the prompt.
const (
	FieldText   = "text"
	FieldDetail = "detail"
)

// prompt returns the text that is sent for q. With FieldDetail the detail follows the text, unless it is
// missing or repeats the text.
func (q *Query) prompt(field string) string {
	switch {
	case field != FieldDetail || q.Detail == "":
		return q.Text
	case strings.HasPrefix(q.Detail, q.Text):
		return q.Detail
	}
	return q.Text + "\n" + q.Detail
}

// A moment is a point in time, in any of the forms that collections use. Without a zone it is in UTC.
type moment struct{ time.Time }

// UnmarshalJSON replaces that of time.Time, which accepts only one form.
func (m *moment) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil || s == "" {
		return err
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			m.Time = t.UTC()
			return nil
		}
	}
	return fmt.Errorf("time %q: must have the form 2026-11-21T09:00:00Z", s)
}

type qrel struct {
	Query string `json:"query"`
	Doc   string `json:"doc"`
}

// Read reads the collection in dir: docs, queries, qrels and, if there is one, queries_negative, each
// .jsonl or .jsonl.gz. It leaves out unusable data and reports it in Flaws.
func Read(dir string) (*Collection, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	c := &Collection{Name: filepath.Base(abs)}
	if err := c.readDocs(dir); err != nil {
		return nil, err
	}
	if c.Queries, err = readQueries(dir, "queries.jsonl"); err != nil {
		return nil, err
	}
	c.Negatives, err = readQueries(dir, "queries_negative.jsonl")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := c.readQrels(dir); err != nil {
		return nil, err
	}
	switch {
	case len(c.Docs) == 0:
		return nil, fmt.Errorf("read %s: it has no document", dir)
	case len(c.Queries) == 0:
		return nil, fmt.Errorf("read %s: it has no query with a relevant document", dir)
	}
	return c, nil
}

func (c *Collection) readDocs(dir string) error {
	seen, empty := map[string]bool{}, 0
	err := readLines(dir, "docs.jsonl", func(d Doc) error {
		if err := newID(seen, d.ID); err != nil {
			return err
		}
		if strings.TrimSpace(d.Title+d.Text) == "" {
			empty++
			return nil
		}
		c.Docs = append(c.Docs, d)
		return nil
	})
	c.flaw(empty, "documents are empty")
	return err
}

func readQueries(dir, name string) ([]Query, error) {
	var qs []Query
	seen := map[string]bool{}
	err := readLines(dir, name, func(q Query) error {
		if strings.TrimSpace(q.Text) == "" {
			return errors.New("text: must not be empty")
		}
		q.Relevant = map[string]bool{}
		qs = append(qs, q)
		return newID(seen, q.ID)
	})
	return qs, err
}

func newID(seen map[string]bool, id string) error {
	if id == "" {
		return errors.New("id: must not be empty")
	}
	if seen[id] {
		return fmt.Errorf("id %q: occurs twice", id)
	}
	seen[id] = true
	return nil
}

// readQrels reads which documents are relevant to each query, and removes queries without any.
func (c *Collection) readQrels(dir string) error {
	queries, docs := map[string]*Query{}, map[string]bool{}
	for i := range c.Queries {
		queries[c.Queries[i].ID] = &c.Queries[i]
	}
	for _, d := range c.Docs {
		docs[d.ID] = true
	}
	noQuery, noDoc := 0, 0
	err := readLines(dir, "qrels.jsonl", func(r qrel) error {
		q := queries[r.Query]
		switch {
		case q == nil:
			noQuery++
		case !docs[r.Doc]:
			noDoc++
		default:
			q.Relevant[r.Doc] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	answerable := c.Queries[:0]
	for _, q := range c.Queries {
		if len(q.Relevant) > 0 {
			answerable = append(answerable, q)
		}
	}
	c.flaw(noQuery, "qrels name a query that is not there")
	c.flaw(noDoc, "qrels name a document that is not there")
	c.flaw(len(c.Queries)-len(answerable), "queries have no relevant document")
	c.Queries = answerable
	return nil
}

func (c *Collection) flaw(n int, what string) {
	if n > 0 {
		c.Flaws = append(c.Flaws, fmt.Sprintf("%s: %d %s: left out", c.Name, n, what))
	}
}

// newest returns the time of the newest document, or zero if none has a date.
func (c *Collection) newest() time.Time {
	var newest time.Time
	for _, d := range c.Docs {
		if d.Time.After(newest) {
			newest = d.Time.Time
		}
	}
	return newest
}
