package ui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A memoryPage is the page of one memory.
type memoryPage struct {
	api.Shown
	Rows     [][2]string // facts about it, as names and values
	Fields   []field
	Old      []api.Shown // memories that it supersedes
	New      *api.Shown  // memory that supersedes it
	Key      string      // content key of the words that are shown
	Verdicts verdictForm
}

// A field is a named part of a memory's text.
type field struct{ Name, Label, Text string }

func (s *Server) getMemory(r *http.Request) (api.Shown, error) {
	return ask(s, r.Context(), api.With((*api.Client).Memory, r.PathValue("id")))
}

func (s *Server) showMemory(r *http.Request) (view, error) {
	m, err := s.getMemory(r)
	if err != nil {
		return view{}, err
	}
	p := memoryPage{Shown: m, Rows: rowsOf(m), Key: m.ContentKey()}
	p.Verdicts = newVerdictForm(s.guard.form, pathOf(m.ID), api.Title{ID: m.ID, Title: m.Title, Verdict: m.Verdict}, "")
	p.Verdicts.Forgets = false // the form below says what that means
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		if name != "" {
			p.Fields = append(p.Fields, field{name, strings.ToUpper(name[:1]) + name[1:], m.Fields[name]})
		}
	}
	linked, err := s.byID(r.Context(), append(slices.Clone(m.Supersedes), m.SupersededBy))
	for _, id := range m.Supersedes {
		if old, ok := linked[id]; ok {
			p.Old = append(p.Old, old)
		}
	}
	if by, ok := linked[m.SupersededBy]; ok {
		p.New = &by
	}
	return view{Title: m.Title, Main: p}, err
}

// rowsOf lists the facts about a memory apart from its words.
func rowsOf(m api.Shown) [][2]string {
	seen, sure := "", ""
	if n := m.Occurrences(); n > 1 {
		seen = fmt.Sprintf("%d times, last %s", n, formatMoment(m.When(), "2 Jan 2006"))
	}
	if m.Confidence > 0 {
		sure = fmt.Sprintf("%.2f", m.Confidence)
	}
	rows := [][2]string{
		{"Id", m.ID}, {"Source", string(m.Source)}, {"Project", m.Project}, {"Folder", m.ProjectPath}, {"Remote", m.ProjectRemote}, {"Applies to", strings.TrimSuffix(m.AppliesTo, ":")},
		{"Happened", formatMoment(m.OccurredAt, "2 Jan 2006, 15:04")}, {"Seen", seen}, {"Recorded", formatMoment(m.RecordedAt, "2 Jan 2006, 15:04")},
		{"Said by", m.Origin}, {"Rule", m.Rule}, {"Importance", m.Importance}, {"Confidence", sure},
		{"Files", strings.Join(m.Files, ", ")}, {"Keywords", strings.Join(m.Keywords, ", ")}, {"Tags", strings.Join(m.Tags, ", ")},
		{"Session", m.Session}, {"Turn", m.Turn}, {"Confirmed by", strings.Join(m.ConfirmedBy, ", ")}, {"Sub-agent", m.Agent},
		{"Checksum", m.ContentHash},
	}
	return slices.DeleteFunc(rows, func(row [2]string) bool { return row[1] == "" })
}

// editMemory stores a memory with other words. It keeps the id, and thereby the statistics of its use.
func (s *Server) editMemory(r *http.Request) (string, error) {
	was, err := s.getMemory(r)
	if err != nil {
		return "", err
	}
	if r.PostFormValue("key") != was.ContentKey() {
		return "", mistake{errors.New("the memory was changed meanwhile: load its page again and repeat the edit")}
	}
	now := was.Memory
	now.Title, now.Text, now.Fields = formText(r, "title"), formText(r, "text"), map[string]string{}
	now.ForgetStatements()
	for name := range was.Fields {
		if text := formText(r, "field."+name); text != "" {
			now.Fields[name] = text
		}
	}
	approving := was.Pending && r.PostFormValue("approve") != ""
	if now.ContentKey() == was.ContentKey() && !approving {
		return pathOf(was.ID), nil
	}
	if approving {
		now.SetPending(false)
	}
	redacted, err := s.restoreMemory(r.Context(), now)
	if err != nil {
		return "", err
	}
	if approving {
		s.undo.addEntry(approved, redacted, was.Memory)
		return "/review", nil
	}
	s.undo.addEntry(edited, redacted, was.Memory)
	return pathOf(was.ID), nil
}

// formText returns a field of a form. Browsers send lines that end in CRLF.
func formText(r *http.Request, name string) string {
	return strings.TrimSpace(strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n"))
}

func pathOf(id string) string { return "/memory/" + url.PathEscape(id) }

// restoreMemory stores a memory as it is, and returns in words which secrets were removed.
func (s *Server) restoreMemory(ctx context.Context, m memory.Memory) (redacted string, err error) {
	done, err := ask(s, ctx, api.With((*api.Client).Remember, api.Remember{Memories: memory.Drafts(m), Restore: true}))
	return redactedText(done), err
}

func redactedText(done api.Remembered) string {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(done.Redacted)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", done.Redacted[kind], kind))
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Redacted before it was stored: " + strings.Join(kinds, ", ") + "."
}

// supersedeMemory stores a memory that supersedes another, which stays readable but is not injected.
func (s *Server) supersedeMemory(r *http.Request) (string, error) {
	old, err := s.getMemory(r)
	if err != nil {
		return "", err
	}
	next := memory.Memory{
		Source: old.Source, AppliesTo: old.AppliesTo, Importance: old.Importance, Supersedes: []string{old.ID},
		Title: formText(r, "title"), Text: formText(r, "text"),
	}
	next.SetHome(old.Home())
	done, err := ask(s, r.Context(), api.With((*api.Client).Remember, api.Remember{Memories: memory.Drafts(next)}))
	if err != nil {
		return "", err
	}
	if len(done.IDs) != 1 {
		return "", fmt.Errorf("store memory: the daemon returned %d ids, not 1", len(done.IDs))
	}
	s.undo.setNotice("Stored. The old memory stays readable and is no longer injected. " + redactedText(done))
	return pathOf(done.IDs[0]), nil
}

// forgetMemory deletes a memory. This process keeps it, so that the user can undo that.
func (s *Server) forgetMemory(r *http.Request) (string, error) {
	back, err := backOf(r, "/changes")
	if err != nil {
		return "", err
	}
	was, err := ask(s, r.Context(), api.With((*api.Client).Forget, r.PathValue("id")))
	if err != nil {
		return "", err
	}
	s.undo.addEntry(forgotten, "Its words leave the index within seconds.", was)
	return back, nil
}
