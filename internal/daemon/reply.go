package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"recollect/internal/api"
	"recollect/internal/engine"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

var (
	errNoRoute  = errors.New("no such route")
	errNoMethod = errors.New("no such method on this route")
)

// handleRoute serves a route: it decodes the request, makes the call and writes the reply. Then it runs
// the call's commit, with an error if the reply did not arrive: a hook that has left has closed the socket.
func handleRoute[In, Out any](d *Daemon, mux *http.ServeMux, route api.Route[In, Out], call answer[In, Out]) {
	mux.HandleFunc(route.Method+" "+route.Path, func(w http.ResponseWriter, r *http.Request) {
		var out Out
		var commit engine.Commit
		err := crash.Catch(func() error {
			in, err := decodeRequest(w, r, route)
			if err == nil {
				out, commit, err = call(r.Context(), in)
			}
			return err
		})
		if err != nil {
			d.replyError(w, r, err)
			return
		}
		undelivered := crash.Catch(func() error { return writeReply(w, route.Status, out) }) // even after a panic the commit has to unlock its session
		if commit == nil {
			return
		}
		err = crash.Catch(func() error {
			commit(undelivered)
			return nil
		})
		if err != nil {
			d.logFailure(r, err)
		}
	})
}

func decodeRequest[In, Out any](w http.ResponseWriter, r *http.Request, route api.Route[In, Out]) (In, error) {
	body := http.MaxBytesReader(w, r.Body, api.MaxBody)
	return route.Decode(api.Received{Body: body, Query: r.URL.Query(), ID: r.PathValue("id")})
}

// refuseUnknown answers a request that matches no route.
func refuseUnknown(d *Daemon, mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(other); pattern != "/" {
				d.replyError(w, r, errNoMethod)
				return
			}
		}
		d.replyError(w, r, errNoRoute)
	}
}

func (d *Daemon) replyError(w http.ResponseWriter, r *http.Request, err error) {
	d.logFailure(r, err)
	writeReply(w, statusOf(err), api.Failure{Error: err.Error(), Cause: api.CauseOf(err)})
}

// logFailure logs the error of a request: as a warning if it is the daemon's own, else at debug level.
func (d *Daemon) logFailure(r *http.Request, err error) {
	level, stack := slog.LevelDebug, ""
	var caught *crash.Error
	if errors.As(err, &caught) {
		stack = caught.Stack
	}
	if statusOf(err) == http.StatusInternalServerError {
		level = slog.LevelWarn
	}
	d.log.Log(r.Context(), level, "request failed", logkey.Route, r.URL.Path, logkey.Error, err, logkey.Stack, stack)
}

// statusOf returns the HTTP status of an error. Nothing else turns errors into statuses.
func statusOf(err error) int {
	var bad *api.BadRequest
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &bad):
		return http.StatusBadRequest
	case errors.Is(err, store.ErrNotFound), errors.Is(err, errNoRoute):
		return http.StatusNotFound
	case errors.Is(err, errNoMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(err, api.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// writeReply writes a body with its length, which the client needs. An error means that the client has
// closed its connection.
func writeReply(w http.ResponseWriter, status int, out any) error {
	b, err := json.Marshal(out)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":"encode reply"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write reply: %w", err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return fmt.Errorf("write reply: %w", err)
	}
	return nil
}
