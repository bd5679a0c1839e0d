package ui

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"recollect/internal/proof"
)

// shownFindings is how many examples of a count are shown.
const shownFindings = 50

// A proofPage has the report of the last recollect prove, nil if there was none.
type proofPage struct {
	*proof.Stored
	Kinds []kindCounts
	Total proof.Tally
}

// A kindCounts has the counts of a kind, each with its examples.
type kindCounts struct {
	Kind proof.Kind
	proof.Tally
	Found, Knew []example // what came up again; of that, what would have been known
	More        int       // times that something came up again and is not shown
}

// An example is a finding, for all in which the same came up again.
type example struct {
	proof.Finding
	Times int
}

// showProof shows what the last recollect prove came to.
func (s *Server) showProof(*http.Request) (view, error) {
	p, err := s.readProof()
	return view{Title: "Proof", Main: p}, err
}

func (s *Server) readProof() (p proofPage, err error) {
	p.Stored, err = proof.Load(s.client.Home)
	if errors.Is(err, fs.ErrNotExist) {
		return proofPage{}, nil
	}
	if err != nil {
		return proofPage{}, err
	}
	p.Total = p.Report.Total()
	for _, kind := range proof.Kinds {
		k := kindCounts{Kind: kind, Tally: p.Report.Kinds[kind]}
		k.More = k.Again.High
		for _, f := range p.Report.Findings {
			if f.Kind == kind {
				k.add(f)
			}
		}
		if k.Again.High > 0 {
			p.Kinds = append(p.Kinds, k)
		}
	}
	return p, nil
}

// add adds a finding, as long as there is room.
func (k *kindCounts) add(f proof.Finding) {
	var isShown bool
	if k.Found, isShown = addExample(k.Found, f); isShown {
		k.More--
	}
	if f.IsKnown() {
		k.Knew, _ = addExample(k.Knew, f)
	}
}

func addExample(all []example, f proof.Finding) (out []example, isShown bool) {
	i := slices.IndexFunc(all, func(e example) bool { return e.What == f.What })
	switch {
	case i >= 0:
		all[i].Times++
	case len(all) == shownFindings:
		return all, false
	default:
		all = append(all, example{f, 1})
	}
	return all, true
}
