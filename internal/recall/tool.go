package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"recollect/internal/api"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/statement"
	"recollect/internal/recall/terms"
)

const (
	maxCallTerms = 40 // different words of a call that are searched
	maxBearing   = 16 // memories that are returned for one call
)

// A Bearing is a memory that matters to a tool call.
type Bearing struct {
	Memory     memory.Memory
	Confidence float64 // in (0, 1]
}

// A Call is a tool call as far as memories are found by it.
type Call struct {
	Words      string   // those that a memory which matters to it has some of
	Activities []string // or one of those
	Project    memory.Project
	Confidence func(*memory.Memory) float64 // the confidence that a memory matters to it, in [0, 1]
}

// Bearings returns the memories that matter to a tool call, by confidence, then by time. A command
// line is not prose: its structure decides among the memories that share its words or its
// activities, so words do not rank.
func (r *Recall) Bearings(ctx context.Context, call Call) ([]Bearing, error) {
	also, err := r.Index.Bearing(ctx, call.Activities, call.Project, toolCandidates)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	q := index.Query{Terms: callTerms(call.Words), Also: also, Filter: index.Filter{Sources: request.ToolSources}}
	hits, err := r.Index.Search(ctx, q, toolCandidates)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	var out []Bearing
	for _, h := range hits {
		m, err := r.Store.Get(h.ID)
		if err != nil || r.Store.SupersededBy(h.ID) != "" || r.isWrong(h.ID) {
			continue // deleted since it was indexed, replaced, or wrong
		}
		if confidence := call.Confidence(&m); confidence > 0 {
			out = append(out, Bearing{m, confidence})
		}
	}
	slices.SortFunc(out, func(a, b Bearing) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), b.Memory.When().Compare(a.Memory.When()), cmp.Compare(a.Memory.ID, b.Memory.ID))
	})
	return out[:min(len(out), maxBearing)], nil
}

// toolCandidates is how many memories that share words with a call are read.
const toolCandidates = 60

func callTerms(words string) []index.Term {
	var all []index.Term
	seen := map[string]bool{}
	for _, t := range index.Analyze(memory.Clip(words, terms.MaxAnalysed)) {
		if !seen[t.Text] && len(all) < maxCallTerms {
			seen[t.Text] = true
			all = append(all, index.Term{Text: t.Text, Weight: 1})
		}
	}
	return all
}

// A Warning is what is said before a tool call that is no memory, such as how often it failed.
type Warning struct {
	ID         string // the same for the same warning, which is said once a session
	Text       string // one line
	Confidence float64
}

// Advise returns what is to be injected before a tool call: the warning, unless it is nil, then the best
// memories only. What was injected into the session before still takes its place among them.
func Advise(req request.Request, warning *Warning, found []Bearing) request.Result {
	res := request.Result{Keys: map[string]string{}}
	res.Injected, res.Timestamp = []api.Injected{}, req.Now
	items := req.Settings.Tools.Items
	left := request.NewBudget(&req, items, req.Settings.Tools.Tokens)
	if warning != nil && items > 0 && req.Settings.Sources.Of(memory.Failures).Enabled {
		items--
		entry := block.Line(memory.Failures, warning.Text)
		known := request.IsInjected(req.Session.Injected, warning.ID, warning.ID)
		if !known && left.Spend(memory.Failures, entry) {
			res.AddWarning(warning.ID, warning.Confidence, entry)
		}
	}
	for _, b := range found {
		if items == 0 {
			break
		}
		if !mayAdvise(&req, b) {
			continue
		}
		items--
		if request.IsInjected(req.Session.Injected, b.Memory.ID, b.Memory.ContentKey()) {
			continue
		}
		if entry, _ := request.FitForm(&left, &b.Memory, &req); entry != "" {
			res.Add(&b.Memory, b.Confidence, entry, api.OutcomeInjected)
		}
	}
	res.Seal()
	return res
}

// FrameLine returns a block of one line that is what the user said.
func FrameLine(text string) string {
	return block.Frame([]string{block.Line(memory.Preferences, text)})
}

// mayAdvise reports whether a memory matters to the call with enough confidence and is not in the
// session's context already.
func mayAdvise(req *Request, b Bearing) bool {
	required := max(req.Settings.Tools.MinRelevance, req.Settings.Sources.Of(b.Memory.Source).MinRelevance)
	if !req.Applies(&b.Memory) {
		required += req.Settings.Project.OtherMargin
	}
	saysSomething := b.Memory.Source != memory.Journal || len(statement.Of(&b.Memory)) > 0
	return saysSomething && b.Confidence >= required && req.Settings.Sources.Of(b.Memory.Source).Enabled && !req.Session.Contains(&b.Memory)
}
