package request

import (
	"fmt"
	"maps"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
)

// A Result is a recollection and how it came about.
type Result struct {
	api.Recollection
	Keys           map[string]string // content keys of the injected memories, by id
	Passed         []string          // memories that passed the gates, or were injected before or rank no better than at the prompt before, in order of rank
	Left           int               // memories that passed the gates but did not fit the budget
	Words          []string          // stems of the prompt that say what it is about and that some memory has
	Asked          string            // the prompt without what is pasted into it
	FromLastPrompt bool              // the query has the words of the prompt before
	Explanation    api.Explanation
	Offered        []Offer  // if that was asked for: nothing is injected then
	Entries        []string // that the context is made of
}

// An Offer is a statement that may be injected, if a reader chooses it.
type Offer struct {
	ID    string // of its memory
	Text  string
	Entry string // as it is injected
}

// NewResult returns a result that injects nothing yet.
func NewResult(req *Request) Result {
	res := Result{Explanation: NewExplanation(req), Keys: map[string]string{}}
	res.Injected, res.Timestamp = []api.Injected{}, req.Now
	return res
}

// NewExplanation returns an explanation with what is known before the search.
func NewExplanation(req *Request) api.Explanation {
	return api.Explanation{
		Prompt:    memory.Clip(req.Prompt, 500),
		Settings:  req.Settings.Problem(),
		Project:   req.Project,
		Share:     1,
		Ranker:    req.Settings.Rank.Kind,
		Threshold: req.Settings.Rank.Threshold,
		Budget:    req.Settings.Budget.Tokens,

		Retrievers: []api.Retriever{},
		Terms:      []api.Term{},
		Candidates: []api.Candidate{},
	}
}

// Add records a memory that is injected as an entry of its own. Of a failure's heading it records
// that alone: its error, its cause and often its fix are still to be injected.
func (res *Result) Add(m *memory.Memory, score float64, entry, outcome string) {
	res.Entries = append(res.Entries, entry)
	res.Injected = append(res.Injected, injectedOf(m, score, entry))
	id, key := m.ID, m.ContentKey()
	if outcome == api.OutcomeHeading && m.Source == memory.Failures {
		id, key = headingKey(m)
	}
	res.Keys[id] = key
}

// AddEntry records an injected entry of several memories.
func (res *Result) AddEntry(e brief.Entry, score float64) {
	res.Entries = append(res.Entries, e.Text)
	for i, m := range e.Memories {
		res.Injected = append(res.Injected, injectedOf(m, score, e.Parts[i].Text))
	}
	for _, line := range e.Lines {
		id, key := lineKey(line.Line)
		res.Keys[id] = key
	}
}

// AddStatements records that statements of a memory were injected as one entry.
func (res *Result) AddStatements(m *memory.Memory, score float64, entry string, all []block.Statement) {
	res.Entries = append(res.Entries, entry)
	for _, s := range all {
		id, key := textKey(m, s.Text)
		res.Keys[id] = key
	}
	for i := range res.Injected {
		if have := &res.Injected[i]; have.ID == m.ID {
			have.Text += "\n" + entry
			return
		}
	}
	res.Injected = append(res.Injected, injectedOf(m, score, entry))
}

// IsEmpty reports whether nothing is injected or offered.
func (res *Result) IsEmpty() bool { return len(res.Injected)+len(res.Offered) == 0 }

// AddWarning adds what is said of a failure that is no memory.
func (res *Result) AddWarning(id string, score float64, entry string) {
	res.Entries = append(res.Entries, entry)
	res.Injected = append(res.Injected, api.Injected{ID: id, Source: memory.Failures, Text: entry, Score: score})
	res.Keys[id] = id
}

// injectedOf returns what is said of an injected memory.
func injectedOf(m *memory.Memory, score float64, entry string) api.Injected {
	return api.Injected{
		ID:         m.ID,
		Source:     m.Source,
		Text:       entry,
		Importance: m.Importance,
		Score:      score,
	}
}

// NoRoom is the outcome of a memory that only the budget held back.
const NoRoom = "no room in the budget"

// FitForm returns the longest form of m that fits the budget and says something, of which it spends
// the cost, and the outcome. It is "" if none fits.
func FitForm(b *block.Budget, m *memory.Memory, req *Request) (entry, outcome string) {
	if entry := block.Whole(m, req.Project); !req.HeadingsOnly && b.Spend(m.Source, entry) {
		return entry, api.OutcomeInjected
	}
	if entry := block.Heading(m, req.Project); block.TellsAlone(m) && b.Spend(m.Source, entry) {
		return entry, api.OutcomeHeading
	}
	return "", NoRoom
}

// NewBudget returns what a block of so many entries and tokens may hold.
func NewBudget(req *Request, entries, tokens int) block.Budget {
	sources := make(map[memory.Source]int, len(memory.Sources))
	for _, src := range memory.Sources {
		sources[src] = req.Settings.Sources.Of(src).Tokens
	}
	return block.NewBudget(entries, tokens, sources)
}

// Follow narrows a request to what may be injected in one block with the result of Orient.
func (req *Request) Follow(start Result) {
	injected := maps.Clone(start.Keys)
	maps.Copy(injected, req.Session.Injected)
	req.Session.Injected = injected
	left := block.MaxTokens - block.Tokens(start.Context)
	req.Settings.Budget.Tokens = min(req.Settings.Budget.Tokens, left)
	req.Settings.Tools.Tokens = min(req.Settings.Tools.Tokens, left)
}

// With returns a result for a prompt or a call with what Orient returned in front of it.
func (res Result) With(more Result) Result {
	more.Entries = slices.Concat(res.Entries, more.Entries)
	more.Injected = slices.Concat(res.Injected, more.Injected)
	keys := maps.Clone(res.Keys)
	maps.Copy(keys, more.Keys)
	more.Keys, more.Notice = keys, res.Notice
	more.Seal()
	return more
}

// Seal puts the entries into their frame. It counts what that costs to the memories in equal parts, so that their
// tokens together are those of the context, whoever adds them up.
func (res *Result) Seal() {
	res.Context = block.Frame(res.Entries)
	frame := block.Tokens(res.Context)
	for i := range res.Injected {
		b := &res.Injected[i]
		b.Tokens = block.Tokens(b.Text)
		frame -= b.Tokens
	}
	for i := range res.Injected {
		part := frame / (len(res.Injected) - i)
		res.Injected[i].Tokens += part
		frame -= part
	}
}

// Close seals a result, and adds the notice for the user if the
// settings ask for one.
func (res *Result) Close(req *Request) {
	res.Seal()
	if req.Settings.Orientation.Notice {
		res.Notice = notice(res.Entries, block.Tokens(res.Context))
	}
}

// mostNamed is how much a notice has of what one line says, in units.
const mostNamed = 72

// notice returns one line for the user that says what was injected: what the first entry says, and how many
// others there are. Without any entry it is empty.
func notice(entries []string, tokens int) string {
	if len(entries) == 0 {
		return ""
	}
	more := ""
	if n := len(entries) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("recollect: %s%s (%d tokens)", block.Says(entries[0], mostNamed), more, tokens)
}
