package lists

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// A moment is a place in the order of time: of two memories of the same time, the one with
// the greater id is newer.
type moment struct {
	at int64 // in microseconds since 1970
	id string
}

func (m moment) compare(o moment) int {
	return cmp.Or(cmp.Compare(m.at, o.at), cmp.Compare(m.id, o.id))
}

// String returns the moment as readMoment reads it.
func (m moment) String() string { return strconv.FormatInt(m.at, 10) + "." + m.id }

// readMoment reads what String wrote, or a time.
func readMoment(text string) (moment, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return moment{at: t.UnixMicro()}, nil
	}
	micros, id, _ := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		return moment{}, fmt.Errorf("before %q: must be the next of a reply, or a time such as 2026-02-01T00:00:00Z", text)
	}
	return moment{at, id}, nil
}

// Timeline returns the ids of the newest memories before a moment, limit at most, with the
// Total and the Next of the page. It reads nothing from disk.
func Timeline(s *store.Store, in api.Moments, limit int) (ids []string, page api.Timeline, err error) {
	before := moment{}
	if in.Before != "" {
		if before, err = readMoment(in.Before); err != nil {
			return nil, page, &api.BadRequest{Err: err}
		}
	}
	var of memory.Source
	if in.Source != "" {
		if of, err = memory.ParseSource(in.Source); err != nil {
			return nil, page, &api.BadRequest{Err: err}
		}
	}
	var found []moment
	for _, id := range s.IDs() {
		if src, ok := memory.SourceOf(id); of != "" && ok && src != of {
			continue
		}
		w, ok := s.Where(id)
		if !ok || !isWithin(w.Session, w.Project, in) {
			continue
		}
		page.Total++
		if m := (moment{w.OccurredAt.UnixMicro(), id}); in.Before == "" || m.compare(before) < 0 {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b moment) int { return b.compare(a) })
	if len(found) > limit {
		found = found[:limit]
		page.Next = found[limit-1].String()
	}
	for _, m := range found {
		ids = append(ids, m.id)
	}
	return ids, page, nil
}

// isWithin reports whether what was learned in a session of a project is asked for.
func isWithin(session string, project memory.Project, in api.Moments) bool {
	if in.Session != "" && in.Session != session {
		return false
	}
	return slices.Contains([]string{"", project.Name, project.Path}, in.Project)
}

// Projects counts the memories of each project. It reads nothing from disk.
func Projects(s *store.Store) api.Projects {
	counts := map[string]int{}
	for _, id := range s.IDs() {
		if w, ok := s.Where(id); ok {
			counts[w.Project.Name]++
		}
	}
	out := api.Projects{Projects: []api.ProjectCount{}}
	for name, n := range counts {
		out.Projects = append(out.Projects, api.ProjectCount{Name: name, Memories: n})
	}
	slices.SortFunc(out.Projects, func(a, b api.ProjectCount) int {
		return cmp.Or(b.Memories-a.Memories, cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Page returns the part of list that begins before a moment, the newest first, limit at most
// (1 or more), and what asks for the part after it.
func Page[T any](list []T, before string, limit int, at func(T) (time.Time, string)) (part []T, next string, err error) {
	place := func(v T) moment {
		t, id := at(v)
		return moment{t.UnixMicro(), id}
	}
	slices.SortFunc(list, func(a, b T) int { return place(b).compare(place(a)) })
	if before != "" {
		end, err := readMoment(before)
		if err != nil {
			return nil, "", &api.BadRequest{Err: err}
		}
		list = slices.DeleteFunc(list, func(v T) bool { return place(v).compare(end) >= 0 })
	}
	if len(list) > limit {
		list = list[:limit]
		next = place(list[limit-1]).String()
	}
	return list, next, nil
}
