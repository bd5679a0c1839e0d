package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// shownWaiting is how many of the newest memories that wait for review are shown.
const shownWaiting = 100

// A reviewPage has the memories that wait for review.
type reviewPage struct {
	Sessions []waitingSession
	Total    int
	More     int  // memories that are not shown
	On       bool // new memories will wait too
}

// A waitingSession has the memories of a session that wait for review, the newest first.
type waitingSession struct {
	ID       string
	Memories []waitingMemory
}

// A waitingMemory is a memory that waits for review. Forms contain its key, so that the user
// approves only what the page has shown.
type waitingMemory struct {
	api.Shown
	Key string
	At  int // its position on the page
}

func (s *Server) showReview(r *http.Request) (view, error) {
	found, err := ask(s, r.Context(), api.With((*api.Client).Pending, api.Pending{Where: api.Where{All: true}, Limit: shownWaiting}))
	if err != nil {
		return view{}, err
	}
	p := reviewPage{Sessions: bySession(found.Memories), Total: found.Total, More: found.Total - len(found.Memories)}
	p.On, err = s.isReviewing(r.Context())
	return view{Title: "Review", Main: p}, err
}

func bySession(list []api.Shown) []waitingSession {
	var ids []string
	taught := map[string][]api.Shown{}
	for _, m := range list {
		if taught[m.Session] == nil {
			ids = append(ids, m.Session)
		}
		taught[m.Session] = append(taught[m.Session], m)
	}
	var out []waitingSession
	at := 0
	for _, id := range ids {
		of := waitingSession{ID: id}
		for _, m := range taught[id] {
			of.Memories = append(of.Memories, waitingMemory{m, m.ContentKey(), at})
			at++
		}
		out = append(out, of)
	}
	return out
}

// isReviewing reports whether new memories wait for review.
func (s *Server) isReviewing(ctx context.Context) (bool, error) {
	reply, err := ask(s, ctx, func(ctx context.Context, c *api.Client) (api.ConfigReply, error) { return c.Config(ctx) })
	if err != nil {
		return false, err
	}
	now, err := config.Parse("settings in force", reply.TOML)
	if err != nil {
		return false, fmt.Errorf("read settings: %w", err)
	}
	return now.Capture.Review != config.ReviewOff, nil
}

// approveMemories approves memories that wait for review, which may then be injected.
func (s *Server) approveMemories(r *http.Request) (string, error) { return s.decideReview(r, approved) }

// rejectMemories rejects memories that wait for review. They are deleted, and never stored again.
func (s *Server) rejectMemories(r *http.Request) (string, error) { return s.decideReview(r, rejected) }

func (s *Server) decideReview(r *http.Request, verdict string) (string, error) {
	waiting, err := s.readVerdict(r)
	if err != nil {
		return "", err
	}
	in := api.Review{Reject: verdict == rejected}
	for _, m := range waiting {
		in.IDs = append(in.IDs, m.ID)
	}
	_, err = ask(s, r.Context(), api.With((*api.Client).Review, in))
	if err != nil {
		return "", err
	}
	s.undo.addEntry(verdict, "", waiting...)
	if at, err := strconv.Atoi(r.PostFormValue("at")); err == nil {
		return fmt.Sprintf("/review#at-%d", at), nil // where the next memory is now
	}
	return "/review", nil
}

// readVerdict returns the memories that a form names. It returns an error unless all still wait for
// review and have the words that the user has read.
func (s *Server) readVerdict(r *http.Request) ([]memory.Memory, error) {
	ids, keys := r.PostForm["id"], r.PostForm["key"]
	if len(ids) == 0 || len(ids) != len(keys) {
		return nil, mistake{errors.New("the form names no memory")}
	}
	var out []memory.Memory
	for i, id := range ids {
		m, err := ask(s, r.Context(), api.With((*api.Client).Memory, id))
		switch {
		case err != nil:
			return nil, err
		case !m.Pending:
			return nil, mistake{fmt.Errorf("%s does not wait for review anymore: load the page again", id)}
		case m.ContentKey() != keys[i]:
			return nil, mistake{fmt.Errorf("%s was changed meanwhile: load the page again and read it", id)}
		}
		out = append(out, m.Memory)
	}
	return out, nil
}

// listPlaces returns the navigation, with the review if memories wait or will wait for it. If the daemon
// does not answer, the page is shown without the review.
func (s *Server) listPlaces(ctx context.Context) []place {
	health, err := ask(s, ctx, func(ctx context.Context, c *api.Client) (api.Health, error) { return c.Health(ctx) })
	if err != nil {
		return places
	}
	if on, err := s.isReviewing(ctx); health.Pending == 0 && (err != nil || !on) {
		return places
	}
	return append([]place{places[0], {"Review", "/review", health.Pending}}, places[1:]...)
}
