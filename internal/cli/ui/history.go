package ui

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// pageSize is how many memories or sessions a page has.
const pageSize = 50

// A historyPage is a page of memories in order of time.
type historyPage struct {
	Sources  []memory.Source
	Projects []api.ProjectCount
	Filter   api.Moments
	Until    string // the day in the form, 2026-02-01
	Days     []dayOf
	Linked   map[string]api.Shown // memories that those of the page supersede, or that supersede them
	Total    int
	Next     string // address of the next page
	First    string // address of the first, "" if this is it
}

// A dayOf has the memories of a day.
type dayOf struct {
	Date     time.Time
	Memories []api.Shown
}

func (s *Server) showTimeline(r *http.Request) (view, error) {
	p, err := s.readHistory(r, "/timeline", r.URL.Query().Get("source"))
	return view{Title: "Timeline", Main: p}, err
}

// showDecisions shows decisions, with those that supersede them.
func (s *Server) showDecisions(r *http.Request) (view, error) {
	p, err := s.readHistory(r, "/decisions", string(memory.Journal))
	if err == nil {
		p.Linked, err = s.readLinked(r.Context(), p.Days)
	}
	return view{Title: "Decisions", Main: p}, err
}

func (s *Server) readHistory(r *http.Request, path, source string) (historyPage, error) {
	q := r.URL.Query()
	p := historyPage{Sources: memory.Sources, Until: q.Get("until")}
	p.Filter = api.Moments{Source: source, Project: q.Get("project"), Session: q.Get("session"), Before: q.Get("before"), Limit: pageSize}
	if day, err := time.ParseInLocation(time.DateOnly, p.Until, time.Local); err == nil && p.Filter.Before == "" {
		p.Filter.Before = strconv.FormatInt(day.AddDate(0, 0, 1).UnixMicro(), 10)
	}
	projects, err := ask(s, r.Context(), func(ctx context.Context, c *api.Client) (api.Projects, error) { return c.Projects(ctx) })
	if err != nil {
		return p, err
	}
	p.Projects = projects.Projects
	list, err := ask(s, r.Context(), api.With((*api.Client).Timeline, p.Filter))
	if err != nil {
		return p, err
	}
	p.Total, p.Days = list.Total, byDay(list.Memories)
	if list.Next != "" {
		p.Next = p.addressOf(path, list.Next)
	}
	if q.Get("before") != "" {
		p.First = p.addressOf(path, "")
	}
	return p, nil
}

// addressOf returns the address of the page that begins before a moment.
func (p *historyPage) addressOf(path, before string) string {
	q := url.Values{}
	for name, value := range map[string]string{"source": p.Filter.Source, "project": p.Filter.Project, "session": p.Filter.Session, "before": before} {
		if value != "" && (name != "source" || path == "/timeline") {
			q.Set(name, value)
		}
	}
	return path + "?" + q.Encode()
}

func byDay(list []api.Shown) []dayOf {
	var days []dayOf
	for _, m := range list {
		at := cmp.Or(m.OccurredAt, m.RecordedAt).Local()
		day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.Local)
		if at.IsZero() {
			day = time.Time{}
		}
		if n := len(days); n == 0 || !days[n-1].Date.Equal(day) {
			days = append(days, dayOf{Date: day})
		}
		days[len(days)-1].Memories = append(days[len(days)-1].Memories, m)
	}
	return days
}

// readLinked returns the memories that those of some days supersede, or that supersede them, by id.
func (s *Server) readLinked(ctx context.Context, days []dayOf) (map[string]api.Shown, error) {
	var ids []string
	for _, d := range days {
		for _, m := range d.Memories {
			ids = append(ids, m.Supersedes...)
			if m.SupersededBy != "" {
				ids = append(ids, m.SupersededBy)
			}
		}
	}
	return s.byID(ctx, ids)
}

// byID returns the memories with these ids that exist, by id.
func (s *Server) byID(ctx context.Context, ids []string) (map[string]api.Shown, error) {
	out := map[string]api.Shown{}
	if len(ids) == 0 {
		return out, nil
	}
	found, err := ask(s, ctx, api.With((*api.Client).Expand, api.Expand{IDs: ids}))
	for _, m := range found.Memories {
		out[m.ID] = m
	}
	return out, err
}
