package ui

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/memory"
	"recollect/internal/proof"
	"recollect/internal/recall/block"
)

//go:embed templates
var templates embed.FS

// A view has the content of a page.
type view struct {
	Title string // of the page and its place in the navigation
	Main  any    // data of its template

	// Every page has the rest.
	Nav    []place
	Form   string // token in every form
	Query  string // text in the search field
	Notice notice
}

// A place is a link in the navigation.
type place struct {
	Name, Path string
	Count      int // number of memories that wait there
}

// places is the navigation without the review, which is not always shown.
var places = []place{
	{"Search", "/", 0}, {"Timeline", "/timeline", 0}, {"Decisions", "/decisions", 0}, {"Sessions", "/sessions", 0}, {"Charts", "/charts", 0}, {"Proof", "/prove", 0}, {"Ranking", "/ranking", 0},
	{"Guards", "/guards", 0}, {"Changes", "/changes", 0},
}

// partHeader is the header with which the page's script asks for the template "part" alone, which
// changes while the user types.
const partHeader = "Recollect-Part"

// functions are the functions of the templates. There is also base, which puts the guard's base
// before an address.
var functions = template.FuncMap{
	"path":      url.PathEscape,
	"label":     func(s memory.Source) string { return s.Label() },
	"date":      func(t time.Time) string { return formatMoment(t, "2 Jan 2006") },
	"clock":     func(t time.Time) string { return formatMoment(t, "15:04") },
	"datetime":  func(t time.Time) string { return formatMoment(t, "2 Jan 2006, 15:04") },
	"iso":       func(t time.Time) string { return formatMoment(t, time.RFC3339) },
	"two":       func(f float64) string { return fmt.Sprintf("%.2f", f) },
	"number":    formatNumber,
	"count":     formatCount,
	"outcome":   explain.Outcome,
	"injected":  explain.Injected,
	"occasion":  explain.Occasion,
	"held":      explain.Held,
	"relevance": explain.Relevance,
	"body":      func(m memory.Memory) string { return strings.TrimSpace(block.Body(&m)) },
	"lines":     func(s string) int { return min(20, 3+strings.Count(s, "\n")+len(s)/90) },
	"list":      func(words []string) string { return strings.Join(words, ", ") },
	"isTrue":    func(b *bool) bool { return b != nil && *b },
	"verdict":   newVerdictForm,
	"title":     func(id, title, said string) api.Title { return api.Title{ID: id, Title: title, Verdict: said} },
	"agent":     sessionOf,
	"seconds":   func(s float64) string { return proof.Spent{Low: s, High: s}.Time() },
	"sentence":  func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	"known":     func() string { return proof.MeansKnown },
}

// formatMoment formats a time in the user's time zone, "" for the zero time.
func formatMoment(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(layout)
}

// formatNumber formats a number with thin spaces, such as 12 345.
func formatNumber(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

func formatCount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return formatNumber(n) + " " + many
}

// readPages reads the templates. Each page has a file of its own, which layout.html frames, and
// can use the parts that several pages share.
func readPages(base string) (map[string]*template.Template, error) {
	above := template.FuncMap{"base": func() string { return base }}
	frame, err := template.New("layout.html").Funcs(functions).Funcs(above).ParseFS(templates, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	pages := map[string]*template.Template{}
	for _, name := range []string{"search", "timeline", "memory", "sessions", "session", "decisions", "charts", "prove", "ranking", "guards", "changes", "review", "error"} {
		t, err := frame.Clone()
		if err == nil {
			t, err = t.ParseFS(templates, "templates/"+name+".html")
		}
		if err != nil {
			return nil, fmt.Errorf("read templates: %w", err)
		}
		pages[name] = t
	}
	return pages, nil
}

var errNoPage = errors.New("there is no such page")

// A shower makes the view of a page.
type shower func(*http.Request) (view, error)

// addPage serves a page with the template that templateOf returns for its pattern.
func (s *Server) addPage(mux *http.ServeMux, pattern string, f shower) {
	name := templateOf(pattern)
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		v, err := f(r)
		if err != nil {
			s.refuseRequest(w, r, statusOf(err), err)
			return
		}
		v.Query = r.URL.Query().Get("q")
		s.renderPage(w, r, http.StatusOK, name, v)
	})
}

// templateOf returns the name of the template for a pattern: the first word of its path.
func templateOf(pattern string) string {
	_, path, _ := strings.Cut(pattern, "/")
	name, _, _ := strings.Cut(path, "/")
	switch name {
	case "{$}":
		return "search"
	case "":
		return "error"
	}
	return name
}

// A changer makes a change, and returns the address of the next page.
type changer func(*http.Request) (target string, err error)

// addChange serves a change, and redirects to the next page.
func (s *Server) addChange(mux *http.ServeMux, pattern string, f changer) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		target, err := f(r)
		if err != nil {
			s.refuseRequest(w, r, statusOf(err), err)
			return
		}
		http.Redirect(w, r, s.guard.base+target, http.StatusSeeOther)
	})
}

// renderPage writes a page, or the part of it that the script asked for. Like the output of commands
// it passes through block.Plain, so that no character of a memory hides or turns text.
func (s *Server) renderPage(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	part := "layout.html"
	v.Nav, v.Form = places, s.guard.form
	if r.Header.Get(partHeader) != "" && s.pages[name].Lookup("part") != nil {
		part = "part"
	} else if status == http.StatusOK {
		v.Notice, v.Nav = s.undo.takeNotice(), s.listPlaces(r.Context())
	}
	var out bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&out, part, v); err != nil {
		http.Error(w, "recollect: make page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, block.Plain(out.String())) // an error means that the browser has left
}

// refuseRequest answers with an error. The answer is plain text if the guard refuses the request, or if
// the page's script has sent it.
func (s *Server) refuseRequest(w http.ResponseWriter, r *http.Request, status int, err error) {
	if status == http.StatusForbidden || r.Header.Get(partHeader) != "" {
		http.Error(w, "recollect: "+err.Error(), status)
		return
	}
	s.renderPage(w, r, status, "error", view{Title: "Error", Main: err.Error()})
}

// A mistake is a request that cannot be carried out as it is.
type mistake struct{ error }

func statusOf(err error) int {
	var refused *api.StatusError
	var wrong mistake
	switch {
	case errors.As(err, &refused):
		return refused.Status
	case errors.As(err, &wrong):
		return http.StatusBadRequest
	case errors.Is(err, errNoPage):
		return http.StatusNotFound
	}
	return http.StatusBadGateway
}
