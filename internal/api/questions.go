package api

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// The requests that are encoded in the query of a URL.

// A Search asks for memories. Project and Source may be empty, and Limit zero; with Explain
// the reply has an explanation.
type Search struct {
	Query   string
	Cwd     string
	Project string
	Source  string
	Limit   int
	Explain bool
}

func (s Search) encodeQuery() string {
	q := url.Values{"q": {s.Query}, "cwd": {s.Cwd}, "project": {s.Project}, "source": {s.Source}, "limit": {strconv.Itoa(s.Limit)}}
	if s.Explain {
		q.Set("explain", "true")
	}
	return q.Encode()
}

func (s *Search) readQuery(q url.Values) error {
	*s = Search{
		Query:   q.Get("q"),
		Cwd:     q.Get("cwd"),
		Project: q.Get("project"),
		Source:  q.Get("source"),
		Limit:   readLimit(q),
		Explain: q.Get("explain") == "true",
	}
	return nil
}

// readLimit returns the limit in a query, 0 if there is none.
func readLimit(q url.Values) int {
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		return 0
	}
	return limit
}

// A List asks for the newest memories of a source, at most Limit.
type List struct {
	Source string
	Where  Where
	Limit  int
}

func (l List) encodeQuery() string {
	q := l.Where.encodeValues()
	q.Set("source", l.Source)
	q.Set("limit", strconv.Itoa(l.Limit))
	return q.Encode()
}

func (l *List) readQuery(q url.Values) error {
	*l = List{Source: q.Get("source"), Where: readWhere(q), Limit: readLimit(q)}
	return nil
}

// Around asks for the memories around an entity, at most Limit.
type Around struct {
	Entity string
	Where  Where
	Limit  int
}

func (a Around) encodeQuery() string {
	q := a.Where.encodeValues()
	q.Set("entity", a.Entity)
	q.Set("limit", strconv.Itoa(a.Limit))
	return q.Encode()
}

func (a *Around) readQuery(q url.Values) error {
	*a = Around{Entity: q.Get("entity"), Where: readWhere(q), Limit: readLimit(q)}
	return nil
}

// Moments asks for the newest memories or sessions, at most Limit. Fields that are empty do not
// narrow the result. For sessions, only Before and Limit count.
type Moments struct {
	Source  string
	Project string // its name or path
	Session string
	Before  string // the Next of a reply, or a time
	Limit   int
}

func (m Moments) encodeQuery() string {
	return url.Values{
		"source": {m.Source}, "project": {m.Project}, "session": {m.Session}, "before": {m.Before}, "limit": {strconv.Itoa(m.Limit)},
	}.Encode()
}

func (m *Moments) readQuery(q url.Values) error {
	*m = Moments{Source: q.Get("source"), Project: q.Get("project"), Session: q.Get("session"), Before: q.Get("before"), Limit: readLimit(q)}
	return nil
}

func (w Where) encodeValues() url.Values {
	return url.Values{"cwd": {w.Cwd}, "project": {w.Project}, "all": {strconv.FormatBool(w.All)}}
}

func readWhere(q url.Values) Where {
	return Where{Cwd: q.Get("cwd"), Project: q.Get("project"), All: q.Get("all") == "true"}
}

// A Beginning asks for the memories, or the sessions, whose id begins with Prefix, the newest of
// each source first, at most Limit.
type Beginning struct {
	Prefix   string
	Sessions bool
	Limit    int
}

func (b Beginning) encodeQuery() string {
	q := url.Values{"prefix": {b.Prefix}, "limit": {strconv.Itoa(b.Limit)}}
	if b.Sessions {
		q.Set("sessions", "true")
	}
	return q.Encode()
}

func (b *Beginning) readQuery(q url.Values) error {
	*b = Beginning{Prefix: q.Get("prefix"), Sessions: q.Get("sessions") == "true", Limit: readLimit(q)}
	return nil
}

// A Page asks for the page of all memories that begins after an id.
type Page struct{ After string }

func (p Page) encodeQuery() string { return url.Values{"after": {p.After}}.Encode() }

func (p *Page) readQuery(q url.Values) error {
	p.After = q.Get("after")
	return nil
}

// A Period is the time since a moment, or all time if Since is zero.
type Period struct{ Since time.Time }

func (p Period) encodeQuery() string {
	if p.Since.IsZero() {
		return ""
	}
	return url.Values{"since": {p.Since.UTC().Format(time.RFC3339)}}.Encode()
}

func (p *Period) readQuery(q url.Values) (err error) {
	text := q.Get("since")
	if text == "" {
		return nil
	}
	if p.Since, err = time.Parse(time.RFC3339, text); err != nil {
		return fmt.Errorf("since %q: must be a time such as 2026-02-01T00:00:00Z", text)
	}
	return nil
}
