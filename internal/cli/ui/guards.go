package ui

import (
	"net/http"

	"recollect/internal/api"
)

// showGuards shows the guards of all projects, and what they did.
func (s *Server) showGuards(r *http.Request) (view, error) {
	list, err := ask(s, r.Context(), api.With((*api.Client).Guards, api.AskGuards{Where: api.Where{All: true}}))
	return view{Title: "Guards", Main: list.Guards}, err
}

// dropGuard switches a guard off. Its memory stays, so that the command makes the guard again.
func (s *Server) dropGuard(r *http.Request) (string, error) {
	dropped, err := ask(s, r.Context(), api.With((*api.Client).RemoveGuard, r.PathValue("id")))
	if err == nil {
		s.undo.setNotice("Dropped: " + dropped.Says)
	}
	return "/guards", err
}
