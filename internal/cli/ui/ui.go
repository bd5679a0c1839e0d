// Package ui serves a local web page about the user's memories while the command recollect ui
// runs. Like a command it is a client of the daemon, and does not access the store or the
// index itself. It reads config.toml only to change the settings on the page about ranking, and
// the report that recollect prove left.
//
// Every request passes the guard first. A page is a template with the data of one request. A
// change is a POST that ends with a redirect, and with a notice on the next page.
package ui

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"time"

	"recollect/internal/api"
)

// answerIn is how long a page waits for the daemon, including its start.
const answerIn = 30 * time.Second

// drain is how long requests in flight may still take once the page is to end.
const drain = time.Second

// maxForm is the size of the largest form, in bytes: an escaped memory with its title.
const maxForm = 256 << 10

//go:embed static
var static embed.FS

// A Server serves the page. Open is the only way to make one.
type Server struct {
	client   *api.Client
	dir      string // folder of a prompt, unless the request names one
	guard    *guard
	pages    map[string]*template.Template
	undo     *undo
	ranking  *ranking
	listener net.Listener
}

// Open listens on a port that only this machine can reach; 0 stands for any free one. Run serves it.
func Open(client *api.Client, dir string, port int) (*Server, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, fmt.Errorf("open page: %w", err)
	}
	guard := newGuard(listener.Addr().String())
	pages, err := readPages(guard.base)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &Server{
		client: client, dir: dir, listener: listener,
		guard: guard, pages: pages, undo: &undo{}, ranking: &ranking{},
	}, nil
}

// URL returns the address to open, which works once.
func (s *Server) URL() string { return s.guard.pageURL() }

// Run serves the page until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	server := &http.Server{Handler: s.newHandler(), ReadHeaderTimeout: answerIn, ReadTimeout: answerIn, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve page: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if server.Shutdown(last) != nil {
		server.Close()
	}
	<-ended
	return nil
}

func (s *Server) newHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /static/{file}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, static, "static/"+r.PathValue("file"))
	})
	s.addPage(mux, "GET /{$}", s.showSearch)
	mux.HandleFunc("GET /news", s.awaitNews)
	s.addPage(mux, "GET /timeline", s.showTimeline)
	s.addPage(mux, "GET /memory/{id}", s.showMemory)
	s.addPage(mux, "GET /sessions", s.showSessions)
	s.addPage(mux, "GET /session/{id}", s.showSession)
	s.addPage(mux, "GET /decisions", s.showDecisions)
	s.addPage(mux, "GET /charts", s.showCharts)
	s.addPage(mux, "GET /prove", s.showProof)
	s.addPage(mux, "GET /ranking", s.showRanking)
	s.addPage(mux, "GET /changes", s.showChanges)
	s.addPage(mux, "GET /guards", s.showGuards)
	s.addPage(mux, "GET /review", s.showReview)
	s.addChange(mux, "POST /memory/{id}/edit", s.editMemory)
	s.addChange(mux, "POST /memory/{id}/supersede", s.supersedeMemory)
	s.addChange(mux, "POST /memory/{id}/forget", s.forgetMemory)
	s.addChange(mux, "POST /verdict", s.setVerdict)
	s.addChange(mux, "POST /changes/{number}/undo", s.undoChange)
	s.addChange(mux, "POST /review/approve", s.approveMemories)
	s.addChange(mux, "POST /review/reject", s.rejectMemories)
	s.addChange(mux, "POST /guards/{id}/drop", s.dropGuard)
	s.addChange(mux, "POST /ranking", s.writeRanking)
	s.addPage(mux, "/", func(*http.Request) (view, error) { return view{}, errNoPage })
	return s.guard.wrapHandler(mux, s.refuseRequest)
}

// ask asks the daemon a question, and starts the daemon if none answers.
func ask[Out any](s *Server, ctx context.Context, question api.Question[Out]) (out Out, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	err = s.client.Retry(ctx, func() error {
		out, err = question(ctx, s.client)
		return err
	})
	return out, err
}
