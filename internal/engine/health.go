package engine

import (
	"errors"
	"strings"

	"recollect/internal/api"
	"recollect/internal/engine/follower"
	"recollect/internal/store"
)

// maxProblems is how many problems health names.
const maxProblems = 20

// Health adds to h what the engine says of itself.
func (e *Engine) Health(h *api.Health) {
	h.Memories, h.Sources = e.Store.Len(), e.Store.Counts()
	h.Waiting, h.Imports = e.upkeep.Revisits.Len(), int(e.imports.Load())
	h.Pending, h.Candidates = len(e.Store.PendingIDs()), len(e.Store.CandidateIDs())
	if e.settings.Current().Recall.Learn {
		h.Learned = e.habits.Load()
	}
	h.Paused, h.Incognito = e.pauseStates(), e.pauses.Incognito.Count()
	if err := e.pauses.Err(); err != nil {
		h.AddProblem(api.StateProblem, "", err.Error())
	}
	if err := e.guards.Err(); err != nil {
		h.AddProblem(api.StateProblem, "", err.Error())
	}
	h.Index, h.Indexed = e.indexing.Status(), e.index.Len()
	if err := e.indexing.Stopped(); err != nil {
		h.AddProblem(api.IndexProblem, "index: ", err.Error())
	}
	if err := e.index.InMemory(); err != nil {
		h.AddProblem(api.MemoryIndexProblem, "index: ", "kept in memory: "+strings.ReplaceAll(err.Error(), "\n", " "))
	}
	h.Past = pastSessions(e.upkeep.Backlog.Past())
	e.addSkipped(h)
	h.Indexing = progressOf(e.indexing.Work())
	v := e.vectors.Health()
	h.Embedder, h.EmbedderReady, h.Embedded, h.Embedding = v.State, v.Ready, v.Embedded, progressOf(v.Work)
	if v.Err != nil {
		h.AddProblem(api.EmbedderProblem, "embedder: ", v.Err.Error())
	}
	if err := e.upkeep.Refinement.Problem(); err != nil {
		h.AddProblem(api.ExtractorProblem, "", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if err := errors.Join(e.reader.Problem(), e.upkeep.Confirmation.Problem()); err != nil {
		h.AddProblem(api.ReaderProblem, "", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	e.Machines.AddProblems(h)
	e.addNewer(h)
	addProblems(h, api.RepositoryProblem, "", textsOf(e.repositories.Refused(), error.Error))
	addProblems(h, api.TeamProblem, "", e.Teams.Problems())
	h.TeamServer = e.Teams.ServerSummary()
	addProblems(h, api.ServerProblem, "team's server: ", e.Teams.ServerProblems())
	addProblems(h, api.LogProblem, "", textsOf(e.Store.Problems(), store.Problem.String))
}

// addNewer adds the files that a newer version wrote.
func (e *Engine) addNewer(h *api.Health) {
	for _, newer := range []func() error{
		e.capture.Forgotten.Newer, e.reminded.Newer, e.Machines.Newer, e.usage.Newer, e.usage.Verdicts.Newer, e.outcomes.Newer, e.tally.Newer, e.Projects.Newer, e.Projects.NewerMoves, e.upkeep.Retention.Newer,
		e.upkeep.Backlog.Newer, e.capture.Newer, e.capture.Skips.Newer, e.sessions.Newer, e.Teams.Newer,
	} {
		if err := newer(); err != nil {
			h.AddProblem(api.StateProblem, "", err.Error())
		}
	}
}

// addProblems adds problems of a kind, as far as there is room.
func addProblems(h *api.Health, kind api.ProblemKind, prefix string, texts []string) {
	for _, text := range texts[:min(len(texts), max(0, maxProblems-len(h.Problems)))] {
		h.AddProblem(kind, prefix, text)
	}
}

func textsOf[T any](all []T, text func(T) string) []string {
	var out []string
	for _, one := range all {
		out = append(out, text(one))
	}
	return out
}

// progressOf returns work as the protocol says it, nil if nothing is counted.
func progressOf(w follower.Work) *api.Progress {
	if w == (follower.Work{}) {
		return nil
	}
	return &api.Progress{Done: w.Done, All: w.All}
}
