package api

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"recollect/internal/memory"
)

// The statuses of replies that are no errors. net/http is not linked here.
const (
	statusOK       = 200
	statusAccepted = 202 // it is done later
)

// The routes of the hooks.
var (
	RouteRecollect = Route[Prompt, Recollection]{"POST", "/recollect", statusOK, inBody[Prompt]()}
	RouteOrient    = Route[Session, Recollection]{"POST", "/orient", statusOK, inBody[Session]()}
	RouteTool      = Route[ToolCall, Recollection]{"POST", "/tool", statusOK, inBody[ToolCall]()}
	RouteAgent     = Route[Agent, Recollection]{"POST", "/agent", statusOK, inBody[Agent]()}
	RouteFlush     = Route[Flush, struct{}]{"POST", "/flush", statusAccepted, inBody[Flush]()}
	RouteObserve   = Route[Observation, struct{}]{"POST", "/observe", statusAccepted, inBody[Observation]()}
)

// The routes of those who ask for memories, or change them, on purpose.
var (
	RouteSearch      = Route[Search, SearchReply]{"GET", "/search", statusOK, inQuery(Search.query, readSearch)}
	RouteExplain     = Route[Prompt, Explanation]{"POST", "/explain", statusOK, inBody[Prompt]()}
	RouteExport      = Route[string, Export]{"GET", "/memories", statusOK, inQuery(afterQuery, readAfter)}
	RouteRemember    = Route[Remember, Remembered]{"POST", "/memories", statusOK, inBody[Remember]()}
	RouteMemory      = Route[string, Shown]{"GET", "/memories/{id}", statusOK, inPath()}
	RouteForget      = Route[string, memory.Memory]{"DELETE", "/memories/{id}", statusOK, inPath()}
	RouteForgetAll   = Route[Forget, Forgotten]{"POST", "/forget", statusOK, inBody[Forget]()}
	RouteExpand      = Route[Expand, Expanded]{"POST", "/expand", statusOK, inBody[Expand]()}
	RouteImport      = Route[Import, Imported]{"POST", "/import", statusOK, inBody[Import]()}
	RouteConsolidate = Route[Consolidate, Consolidated]{"POST", "/consolidate", statusOK, inBody[Consolidate]()}
	RouteResume      = Route[Session, Recollection]{"POST", "/resume", statusOK, inBody[Session]()}
	RouteHandoff     = Route[Handoff, Shown]{"POST", "/handoff", statusOK, inBody[Handoff]()}
	RouteList        = Route[List, Listing]{"GET", "/list", statusOK, inQuery(List.query, readList)}
	RouteGraph       = Route[Around, Graph]{"GET", "/graph", statusOK, inQuery(Around.query, readAround)}
)

// The routes that are about the daemon.
var (
	RouteHealth   = Route[struct{}, Health]{"GET", "/health", statusOK, nothing()}
	RouteConfig   = Route[struct{}, ConfigReply]{"GET", "/config", statusOK, nothing()}
	RouteStats    = Route[time.Time, Stats]{"GET", "/stats", statusOK, inQuery(sinceQuery, readSince)}
	RouteShutdown = Route[struct{}, struct{}]{"POST", "/shutdown", statusAccepted, nothing()}
)

// A Search asks for memories. Project and Source may be empty, Limit zero; with
// Explain set the reply says how its results came about.
type Search struct {
	Query   string
	Cwd     string
	Project string
	Source  string
	Limit   int
	Explain bool
}

func (s Search) query() url.Values {
	q := url.Values{"q": {s.Query}, "cwd": {s.Cwd}, "project": {s.Project}, "source": {s.Source}, "limit": {strconv.Itoa(s.Limit)}}
	if s.Explain {
		q.Set("explain", "true")
	}
	return q
}

func readSearch(q url.Values) (Search, error) {
	return Search{
		Query:   q.Get("q"),
		Cwd:     q.Get("cwd"),
		Project: q.Get("project"),
		Source:  q.Get("source"),
		Limit:   readLimit(q),
		Explain: q.Get("explain") == "true",
	}, nil
}

// readLimit reads how many results are wanted, 0 where nothing says so.
func readLimit(q url.Values) int {
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		return 0
	}
	return limit
}

func (l List) query() url.Values {
	q := l.Where.query()
	q.Set("source", l.Source)
	q.Set("limit", strconv.Itoa(l.Limit))
	return q
}

func readList(q url.Values) (List, error) {
	return List{Source: q.Get("source"), Where: readWhere(q), Limit: readLimit(q)}, nil
}

func (a Around) query() url.Values {
	q := a.Where.query()
	q.Set("entity", a.Entity)
	q.Set("limit", strconv.Itoa(a.Limit))
	return q
}

func readAround(q url.Values) (Around, error) {
	return Around{Entity: q.Get("entity"), Where: readWhere(q), Limit: readLimit(q)}, nil
}

func (w Where) query() url.Values {
	return url.Values{"cwd": {w.Cwd}, "project": {w.Project}, "all": {strconv.FormatBool(w.All)}}
}

func readWhere(q url.Values) Where {
	return Where{Cwd: q.Get("cwd"), Project: q.Get("project"), All: q.Get("all") == "true"}
}

func afterQuery(id string) url.Values { return url.Values{"after": {id}} }

func readAfter(q url.Values) (string, error) { return q.Get("after"), nil }

func sinceQuery(since time.Time) url.Values {
	if since.IsZero() {
		return nil
	}
	return url.Values{"since": {since.UTC().Format(time.RFC3339)}}
}

func readSince(q url.Values) (time.Time, error) {
	text := q.Get("since")
	if text == "" {
		return time.Time{}, nil
	}
	since, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, &BadRequest{fmt.Errorf("since %q: must be a time such as 2026-02-01T00:00:00Z", text)}
	}
	return since, nil
}
