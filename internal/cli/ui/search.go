package ui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"

	"recollect/internal/api"
	"recollect/internal/api/explain"
)

// shownCandidates is how many candidates are shown; a recall considers about a hundred.
const shownCandidates = 40

// A searchPage is the page about a prompt or a search.
type searchPage struct {
	Mode, Dir, Session, Own string
	Asked                   bool
	Explanation             api.Explanation
	Why                     string // why nothing is injected
	Past                    string // what the prompt asks about past work
	Problems                []string
	Candidates              []candidate
	More                    int
	Health                  api.Health
	Recent                  []happened // what just happened, the newest first
	After                   int64      // number after which there is news
	Proof                   proofPage  // if nothing did, what past sessions would have got
	Back                    string     // its address
}

// A candidate is an api.Candidate as it is shown.
type candidate struct {
	api.Candidate
	Parts    []part // of its relevance
	Factors  []part // of its score
	Meter    int    // relevance in percent
	Required int    // required relevance in percent
}

// A part is one of the numbers that another one is made of.
type part struct {
	Name  string
	Value string
	Share int // of the largest part, in percent
	Minus bool
}

// showSearch shows what would be injected with a prompt, or what a search finds, and why.
func (s *Server) showSearch(r *http.Request) (view, error) {
	q := r.URL.Query()
	p := searchPage{Back: "/?" + q.Encode(), Mode: cmp.Or(q.Get("mode"), "prompt"), Dir: q.Get("dir"), Session: q.Get("session"), Own: q.Get("own")}
	text := strings.TrimSpace(q.Get("q"))
	p.Asked = text != ""
	var err error
	switch {
	case !p.Asked:
		if p.Recent, p.After, err = s.readRecent(r.Context()); err != nil {
			break
		}
		if len(p.Recent) == 0 {
			p.Proof, _ = s.readProof() // its page says what is wrong with it
		}
		p.Health, err = ask(s, r.Context(), func(ctx context.Context, c *api.Client) (api.Health, error) { return c.Health(ctx) })
	case p.Mode == "search":
		p.Explanation, err = ask(s, r.Context(), func(ctx context.Context, c *api.Client) (api.Explanation, error) {
			found, err := c.Search(ctx, api.Search{Query: text, Cwd: cmp.Or(p.Dir, s.dir), Limit: shownCandidates, Explain: true})
			if err != nil || found.Explanation == nil {
				return api.Explanation{}, err
			}
			return *found.Explanation, nil
		})
	default:
		in := api.Prompt{Prompt: text, Cwd: p.Dir, SessionID: p.Session, Own: p.Own}
		if p.Session == "" {
			in.Cwd = cmp.Or(p.Dir, s.dir)
		}
		p.Explanation, err = ask(s, r.Context(), api.With((*api.Client).Explain, in))
	}
	p.fillIn()
	return view{Title: "Search", Main: p}, err
}

func (p *searchPage) fillIn() {
	e := p.Explanation
	p.Past = explain.Past(e)
	if e.Context == "" && p.Asked && p.Mode != "search" {
		p.Why = explain.WhyNothing(e)
	}
	for _, l := range explain.Lacks(e) {
		p.Problems = append(p.Problems, l.Part+": "+l.Why)
	}
	if problem := explain.Settings(e.Settings); problem != "" {
		p.Problems = append(p.Problems, problem)
	}
	if e.Silenced != "" {
		p.Problems = append(p.Problems, "nothing is injected: "+e.Silenced+". Otherwise:")
	}
	shown := e.Candidates[:min(shownCandidates, len(e.Candidates))]
	p.More = len(e.Candidates) - len(shown)
	for _, c := range shown {
		p.Candidates = append(p.Candidates, shownAs(c))
	}
}

func shownAs(c api.Candidate) candidate {
	return candidate{
		Candidate: c, Meter: toPercent(c.Relevance), Required: toPercent(c.Required),
		Parts: relevanceParts(explain.Parts(c)), Factors: scoreParts(c.Factors),
	}
}

func toPercent(share float64) int { return max(0, min(100, int(math.Round(100*share)))) }

// relevanceParts returns what each feature adds to the sum from which relevance is computed.
func relevanceParts(parts []explain.Part) []part {
	most := 0.05 // explain.Parts returns none below that, except the bias
	for _, p := range parts {
		most = max(most, math.Abs(p.Adds))
	}
	var out []part
	for _, p := range parts {
		out = append(out, part{
			Name: strings.ReplaceAll(p.Name, "_", " "), Value: strings.Replace(fmt.Sprintf("%+.2f", p.Adds), "-", "−", 1), Share: toPercent(math.Abs(p.Adds) / most), Minus: p.Adds < 0,
		})
	}
	return out
}

// scoreParts returns the factors of a score. Only those of a sum have weights.
func scoreParts(factors []api.Factor) []part {
	var out []part
	for _, f := range factors {
		value := fmt.Sprintf("%.3f", f.Value)
		if f.Weight != 1 {
			value += fmt.Sprintf(" × %.2g", f.Weight)
		}
		out = append(out, part{Name: strings.ReplaceAll(f.Name, "_", " "), Value: value, Share: toPercent(f.Value)})
	}
	return out
}
