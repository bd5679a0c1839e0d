package ui

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"recollect/internal/api"
)

// shownRecent is how many requests the first page shows.
const shownRecent = 12

// A happened is a request for memories that was answered, with what it injected as it is shown.
type happened struct {
	api.Recalled
	Named []injectedEntry
}

// An injectedEntry is a memory that was injected. At is its place on the page.
type injectedEntry struct {
	api.Title
	At int
}

// Back is the address to come back to, at the entry.
func (e injectedEntry) Back() string { return fmt.Sprintf("/#at-%d", e.At) }

// numberEntries gives each injected memory its place on the page.
func numberEntries(recalls []api.Recalled) []happened {
	var out []happened
	at := 0
	for _, r := range recalls {
		h := happened{Recalled: r}
		for _, t := range r.Named {
			h.Named = append(h.Named, injectedEntry{t, at})
			at++
		}
		out = append(out, h)
	}
	return out
}

// readRecent returns what came of the last requests for memories, the newest first, and the number of the last one.
func (s *Server) readRecent(ctx context.Context) ([]happened, int64, error) {
	all, err := ask(s, ctx, api.With((*api.Client).Recalls, api.AskRecalls{}))
	slices.Reverse(all.Recalls)
	return numberEntries(all.Recalls[:min(len(all.Recalls), shownRecent)]), all.Next, err
}

// newsWait is how long the page's script waits for the next request for memories.
const newsWait = 15 * time.Second

// awaitNews answers once there was a request after a number, or that there was none in time. That neither starts the
// daemon nor keeps it from ending.
func (s *Server) awaitNews(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	if err != nil {
		s.refuseRequest(w, r, http.StatusBadRequest, mistake{fmt.Errorf("after: %w", err)})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*newsWait)
	defer cancel()
	seen, err := s.client.Recalls(ctx, api.AskRecalls{After: after, Wait: newsWait})
	if err != nil || len(seen.Recalls) == 0 {
		w.WriteHeader(http.StatusNoContent)
	}
}
