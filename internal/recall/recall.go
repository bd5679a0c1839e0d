// Package recall turns a prompt into context: it makes a query of the prompt, retrieves
// candidates, holds back those that do not matter to it, ranks the rest, and fits the best into
// a token budget.
//
// A request asks for the memories that matter to a prompt. Two retrievers, the index by words and
// the vectors by meaning, return hits; every memory among them is a candidate. Its features
// measure what the prompt and the memory have in common, and the model combines them into one
// number, the relevance. A candidate is held back, with a reason, or something that it says is
// injected. The explanation lists the outcome of each candidate and the steps to it.
//
// prompt.go is the path of a prompt: four stages, each a value that one function makes of the one
// before. A query says what is looked for (package terms reads it). Candidates are what has its words
// or is near it by meaning (find.go, meaning.go). The scored are those that are relevant enough
// (score.go, by package relevance; context.go adds the turns near them), unless the prompt is worth
// nothing (worth.go). The chosen are put in order (choose.go), with what matters to an activity and what replaced
// an outdated hit (amended.go), and what may not be injected is held back (gate.go). Then say.go chooses what
// they say (package statement divides them), fit.go fills the budget, and explain.go writes the explanation.
//
// past.go is the path of a prompt about past work, and of the start of a session (package orientation
// reads it). Beside them stand the other ways to ask: search.go, also for the training of the model, and
// tool.go for a tool call. Package request has what is asked and answered.
package recall

import (
	"cmp"
	"sync"
	"sync/atomic"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/index"
	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
	"recollect/internal/recall/terms"
	"recollect/internal/store"
	"recollect/internal/text/consolidate"
)

// Recall joins the store and the index. It is safe for concurrent use.
type Recall struct {
	Store *store.Store
	Index *index.Index
	// Wrong reports whether the owner said that a memory is wrong: it is not injected. Nil for none.
	Wrong func(id string) bool

	vectors  atomic.Pointer[vectors.Retriever]
	texts    sessions.Texts
	parts    relevance.PartsCache
	verdicts consolidate.Verdicts
	divided  dividedCache

	thesaurus atomic.Pointer[terms.Thesaurus]
	reading   sync.Mutex // held while a thesaurus is made
}

// synonymsOf returns the thesaurus of s, which is made once, in ten milliseconds. While
// that is under way, after the user's file changed, no other prompt waits for it: they have the one
// from before.
func (r *Recall) synonymsOf(s *config.Synonyms) *terms.Thesaurus {
	if t := r.thesaurus.Load(); t != nil && t.IsOf(s) {
		return t
	}
	if !r.reading.TryLock() {
		return cmp.Or(r.thesaurus.Load(), &terms.Thesaurus{})
	}
	defer r.reading.Unlock()
	t := terms.NewThesaurus(s)
	r.thesaurus.Store(t)
	return t
}

// UseVectors makes v the retriever by meaning; with nil, recall uses words alone. It may be called
// during recalls.
func (r *Recall) UseVectors(v *vectors.Retriever) { r.vectors.Store(v) }

// What recall is asked and answers, which the rooms below it know, too.
type (
	Request      = request.Request
	Session      = request.Session
	Filter       = request.Filter
	Result       = request.Result
	Instructions = request.Instructions
	Heard        = request.Heard
	Offer        = request.Offer
)

// The retrievers that a request may ask for alone.
const (
	Lexical = request.Lexical
	Vector  = request.Vector
)

// Scope returns a function that reports whether a memory is in w; here is the project of
// the user who asks.
func Scope(w api.Where, here memory.Project) func(*memory.Memory) bool { return request.Scope(w, here) }

// NewInstructions reads texts such as that of a CLAUDE.md.
func NewInstructions(texts ...string) Instructions { return request.NewInstructions(texts...) }

// ForgetTexts drops the lines and parts of memories that are held to compare them with prompts:
// nothing of what was forgotten may stay.
func (r *Recall) ForgetTexts() {
	r.parts.Forget()
	r.verdicts.Forget()
	r.texts.Forget()
	r.divided.forget()
}

// SaidWrong is the outcome of a candidate that the owner said is wrong.
const SaidWrong = "you said that it is wrong"

func (r *Recall) isWrong(id string) bool { return r.Wrong != nil && r.Wrong(id) }

// sessions reads what sessions came to.
func (r *Recall) sessions() *sessions.Reader {
	return &sessions.Reader{Store: r.Store, Index: r.Index, Wrong: r.isWrong, Texts: &r.texts, Verdicts: &r.verdicts}
}

// Brief returns the brief of a session, the zero Brief if nothing is known of it.
func (r *Recall) Brief(session string) brief.Brief {
	return r.sessions().Briefs([]string{session})[session]
}
