package ui

import (
	"errors"
	"net/http"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A verdictForm has the buttons with which the owner says what they think of a memory that was injected.
type verdictForm struct {
	ID, Title, Session string
	Form, Back         string // the token in every form; address of the next page
	Says               []verdictButton
	Forgets            bool
}

// A verdictButton says something, or takes it back if it was said before.
type verdictButton struct {
	Name, Key, Value string
	Pressed          bool
}

// newVerdictForm returns the form for a memory of which something was said. What is no memory can be wrong, but not
// forgotten.
func newVerdictForm(form, back string, t api.Title, session string) verdictForm {
	f := verdictForm{ID: t.ID, Title: t.Title, Session: session, Form: form, Back: back, Forgets: !t.Gone}
	for _, b := range []verdictButton{{Name: "Useful", Key: "u", Value: api.Useful}, {Name: "Wrong", Key: "w", Value: api.Wrong}} {
		if b.Pressed = t.Verdict == b.Value; b.Pressed {
			b.Value = ""
		}
		f.Says = append(f.Says, b)
	}
	return f
}

// effects say what a verdict does.
var effects = map[string]string{api.Useful: "It counts as a use.", api.Wrong: "It is not injected again.", takenBack: ""}

// setVerdict stores what the owner says of a memory.
func (s *Server) setVerdict(r *http.Request) (string, error) {
	v := api.Verdict{ID: r.PostFormValue("id"), Says: r.PostFormValue("says"), Session: r.PostFormValue("session")}
	back, err := backOf(r, "/")
	if err != nil {
		return "", err
	}
	before, err := ask(s, r.Context(), api.With((*api.Client).SetVerdict, v))
	if err != nil {
		return "", err
	}
	done := v.Says
	if done == "" {
		done = takenBack
	}
	was := memory.Memory{ID: v.ID, Title: r.PostFormValue("title")}
	s.undo.add(entry{Done: done, Was: []memory.Memory{was}, Verdict: &before, Back: back}, effects[done])
	return back, nil
}

// backOf returns the page that a form leads back to, or another if it names none.
func backOf(r *http.Request, otherwise string) (string, error) {
	back := r.PostFormValue("back")
	if back == "" {
		return otherwise, nil
	}
	if !strings.HasPrefix(back, "/") {
		return "", mistake{errors.New("the form leads to no page")}
	}
	return back, nil
}
