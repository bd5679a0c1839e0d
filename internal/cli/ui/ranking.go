package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/config"
	"recollect/internal/memory"
)

const (
	rankedPrompts = 50  // last prompts of the user, on which settings are tried
	rankedTurns   = 250 // newest stored turns, from which the prompts are taken
	atOnce        = 2   // prompts that the daemon ranks at a time
)

// A rankingPage has the sliders and what they would change.
type rankingPage struct {
	Groups  []sliderGroup
	Changed []slider
	Kind    string // of the ranker in force
	Problem string // problem with the user's settings
	Prompts []rankedPrompt
	Count   int // prompts that would get other memories
	Asked   int // prompts that were tried
}

// A rankedPrompt is a prompt of the user with what would be injected before and after a change.
type rankedPrompt struct {
	explain.Prompt
	Before, After []api.Candidate
	Gone, Came    []api.Candidate
}

// A ranking caches what would be injected with the settings in force, because that stays the same
// while other settings are tried.
type ranking struct {
	mu     sync.Mutex
	of     string // settings and number of memories that it applies to
	before map[explain.Prompt][]api.Candidate
}

// showRanking shows the sliders, and what they would change for the last prompts.
func (s *Server) showRanking(r *http.Request) (view, error) {
	p, toml, err := s.readRanking(r)
	if err != nil {
		return view{}, err
	}
	prompts, err := s.lastPrompts(r.Context())
	if err != nil {
		return view{}, err
	}
	p.Asked = len(prompts)
	if len(p.Changed) > 0 {
		p.Prompts, err = s.comparePrompts(r.Context(), prompts, toml, p.Changed)
	}
	for _, c := range p.Prompts {
		if len(c.Gone)+len(c.Came) > 0 {
			p.Count++
		}
	}
	return view{Title: "Ranking", Main: p}, err
}

// readRanking reads the settings in force and those in the form.
func (s *Server) readRanking(r *http.Request) (p rankingPage, toml string, err error) {
	reply, err := ask(s, r.Context(), func(ctx context.Context, c *api.Client) (api.ConfigReply, error) { return c.Config(ctx) })
	if err != nil {
		return p, "", err
	}
	now, err := config.Parse("settings in force", reply.TOML)
	if err != nil {
		return p, "", fmt.Errorf("read settings: %w", err)
	}
	if err := r.ParseForm(); err != nil {
		return p, "", mistake{fmt.Errorf("read form: %w", err)}
	}
	p.Kind, p.Problem = now.Rank.Kind, reply.Problem
	p.Groups, err = readSliders(r.Form, now)
	p.Changed = changedSliders(p.Groups)
	return p, reply.TOML, err
}

func (s *Server) lastPrompts(ctx context.Context) ([]explain.Prompt, error) {
	list, err := ask(s, ctx, api.With((*api.Client).Timeline, api.Moments{Source: string(memory.Episodes), Limit: rankedTurns}))
	return explain.Prompts(list.Memories, rankedPrompts), err
}

// comparePrompts compares what would be injected with each prompt with the settings in force and with
// the changed ones.
func (s *Server) comparePrompts(ctx context.Context, prompts []explain.Prompt, toml string, changed []slider) ([]rankedPrompt, error) {
	tried := textOf(changed)
	health, err := ask(s, ctx, func(ctx context.Context, c *api.Client) (api.Health, error) { return c.Health(ctx) })
	if err != nil {
		return nil, err
	}
	s.ranking.dropOthers(fmt.Sprintf("%d\n%s", health.Memories, toml))
	out := make([]rankedPrompt, len(prompts))
	errs := make([]error, len(prompts))
	free := make(chan bool, atOnce)
	var working sync.WaitGroup
	for i, p := range prompts {
		free <- true
		working.Go(func() {
			out[i], errs[i] = s.comparePrompt(ctx, p, tried)
			<-free
		})
	}
	working.Wait()
	return out, errors.Join(errs...)
}

func (s *Server) comparePrompt(ctx context.Context, p explain.Prompt, tried string) (out rankedPrompt, err error) {
	out.Prompt = p
	var known bool
	if out.Before, known = s.ranking.findKnown(p); !known {
		if out.Before, err = s.injectedWith(ctx, p, ""); err != nil {
			return out, err
		}
		s.ranking.keepKnown(p, out.Before)
	}
	out.After, err = s.injectedWith(ctx, p, tried)
	out.Gone, out.Came = explain.Lacking(out.Before, out.After), explain.Lacking(out.After, out.Before)
	return out, err
}

// injectedWith returns what would be injected with a prompt in a new session, without memories of the
// prompt's own session.
func (s *Server) injectedWith(ctx context.Context, p explain.Prompt, settings string) ([]api.Candidate, error) {
	e, err := ask(s, ctx, api.With((*api.Client).Explain, api.Prompt{Prompt: p.Text, Cwd: p.Dir, Own: p.Session, Settings: settings}))
	out := []api.Candidate{}
	for _, c := range e.Candidates {
		if explain.Injected(c) {
			out = append(out, api.Candidate{ID: c.ID, Source: c.Source, Title: c.Title, Relevance: c.Relevance, Required: c.Required, Outcome: c.Outcome})
		}
	}
	return out, err
}

// dropOthers empties the cache if it applies to other settings or memories.
func (k *ranking) dropOthers(of string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of != of || k.before == nil {
		k.of, k.before = of, map[explain.Prompt][]api.Candidate{}
	}
}

func (k *ranking) findKnown(p explain.Prompt) ([]api.Candidate, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	list, ok := k.before[p]
	return list, ok
}

func (k *ranking) keepKnown(p explain.Prompt, list []api.Candidate) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.before[p] = list
}

// writeRanking writes the tried values to the user's config.toml.
func (s *Server) writeRanking(r *http.Request) (string, error) {
	p, _, err := s.readRanking(r)
	if err != nil {
		return "", err
	}
	if len(p.Changed) == 0 {
		s.undo.setNotice("Nothing was changed.")
		return "/ranking", nil
	}
	file, err := config.ReadFile(s.client.Home)
	if err != nil {
		return "", err
	}
	text, err := config.Edit(file.Path, file.Text, valuesOf(p.Changed))
	if err != nil {
		return "", mistake{err}
	}
	if err := file.Write(text); err != nil {
		return "", err
	}
	after, _, err := s.readRanking(r)
	if err != nil {
		return "", err
	}
	notice := "Written to " + file.Path + ". It applies from the next prompt on."
	if len(after.Changed) > 0 {
		notice += " But the daemon uses another " + after.Changed[0].Key + ": a variable of its environment overrides it."
	}
	s.undo.setNotice(notice)
	return "/ranking", nil
}
