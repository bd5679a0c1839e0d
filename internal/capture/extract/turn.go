// Package extract makes memories of what happened in a turn: what was asked
// and done, what failed, what was decided, wished for and left to do.
//
// A Turn is a turn of Claude Code as extractors see it, cleaned. An extractor makes
// memories of one source from a turn, looks at nothing else, and gives the same for
// the same turn.
package extract

import (
	"slices"
	"strings"
	"sync"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/instruction"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// A Turn is a turn as extractors see it.
type Turn struct {
	claudecode.Turn
	Asked string         // the prompt, cleaned
	Reply string         // the reply that says how it came out, cleaned
	Paths toolcall.Paths // makes paths relative

	asked      *sentence.Text                // the prompt, as it is read
	replies    []*sentence.Text              // what Claude said, each cleaned when it is first asked for
	statements []sentence.Sentence           // the sentences that a human typed, none of a sub-agent's prompt
	decisions  []statements.Decision         // what each of them decides, the zero value if nothing
	short      bool                          // they are few: a longer prompt describes a task
	project    memory.Project                // that the memories belong to
	todos      TodoList                      // the session's to-do list at the end of the turn
	concluded  func() conclusion             // what its reasoning came to
	settled    func() []dialogue.Decision    // what the prompt settles of what Claude said before
	recap      func() (dialogue.Recap, bool) // what Claude summed up
	before     *Turn                         // the turn before in the same conversation, nil at its beginning
}

// An extractor makes memories of one source from a turn. It changes nothing,
// looks at nothing else, and gives the same for the same turn.
type extractor func(*Turn) []memory.Draft

// extractors make all that a turn teaches, what most depends on first.
var extractors = []extractor{
	episodes,
	failures,
	conventions,
	journal,
	preferences,
	goals,
	thinking,
}

// maxActions bounds how many of a turn's tool calls are looked at, the last
// ones: far more than a turn has, because some are compared with each other.
const maxActions = 2000

// NewTurn returns a turn as extractors see it. before is the turn
// before in the same conversation, nil at its beginning.
func NewTurn(t claudecode.Turn, project memory.Project, before *Turn) *Turn {
	if before != nil {
		before.before = nil // one turn back is enough
	}
	if n := len(t.Actions); n > maxActions {
		t.Actions = t.Actions[n-maxActions:]
	}
	t = withoutAnswers(withoutRepetition(t), before)
	asked := sentence.Read(prose.Squeeze(clean.Text(t.Prompt)))
	s := &Turn{
		Turn: t, Asked: asked.Said(), asked: asked, project: project, Paths: toolcall.NewPaths(project, t.Cwd), before: before,
	}
	for _, reply := range t.Replies {
		s.replies = append(s.replies, sentence.ReadLater(func() string { return clean.Text(reply) }))
	}
	s.Reply = s.finalReply()
	s.concluded, s.settled, s.recap = sync.OnceValue(s.conclude), sync.OnceValue(s.settle), sync.OnceValues(s.readRecap)
	s.todos.Session = s.Session
	if before != nil {
		s.todos = before.todos.Copy()
	}
	s.todos.Read(s.Actions)
	if s.inOwnWords() {
		s.short = asked.OwnLength() <= shortPrompt
		s.statements = statements.SplitAnnounced(asked.Statements(), s.short)
		s.decisions = make([]statements.Decision, len(s.statements))
		for i, say := range s.statements {
			if d, ok := s.decisionIn(say); ok {
				s.decisions[i] = d
			}
		}
	}
	return s
}

// withoutAnswers returns a turn without the answers to questions for a password: of the user to the
// turn before, and of Claude to the user. Each looks like any word where it stands alone.
func withoutAnswers(t claudecode.Turn, before *Turn) claudecode.Turn {
	if before != nil {
		t.Prompt = withoutAnswer(before.Reply, t.Prompt)
	}
	for i, reply := range t.Replies {
		t.Replies[i] = withoutAnswer(t.Prompt, reply)
	}
	return t
}

// withoutAnswer returns what was said after a text without the answer to a question that ends it.
func withoutAnswer(before, said string) string {
	if !strings.HasSuffix(strings.TrimRight(before, " \t\n*_`"), "?") {
		return said
	}
	return clean.Answer(before, said)
}

// Drafts returns all that a turn teaches.
func (s *Turn) Drafts() []memory.Draft {
	var out []memory.Draft
	for _, extract := range extractors {
		out = append(out, extract(s)...)
	}
	for i := range out {
		out[i].Tags = append(out[i].Tags, s.CheckpointTags()...)
	}
	return s.weighSuggestions(slices.DeleteFunc(out, wantsObedience))
}

// shownCommit is how many digits of a commit's name are stored.
const shownCommit = 12

// CheckpointTags returns the tags with the branch and the commit of a turn that comes from a checkpoint.
func (s *Turn) CheckpointTags() []string {
	if !s.Saved {
		return nil
	}
	var tags []string
	if branch := prose.Clip(clean.Text(s.Branch), toolcall.MaxCommand); branch != "" {
		tags = append(tags, memory.TagOnBranch+branch)
	}
	if isName := strings.Trim(s.Commit, "0123456789abcdef") == ""; isName && len(s.Commit) >= shownCommit {
		tags = append(tags, memory.TagAtCommit+s.Commit[:shownCommit])
	}
	return tags
}

// wantsObedience reports whether what would be a goal, pattern or decision is not the user's,
// but text that wants to be obeyed. A plan is the user's, who approved it, and so is most of a
// recap.
func wantsObedience(m memory.Draft) bool {
	text := m.Title + "\n" + m.Body()
	switch {
	case m.Origin == memory.OriginUser, slices.Contains(m.Tags, memory.TagPlan):
		return false
	case slices.Contains(m.Tags, memory.TagRecap):
		return instruction.Fetches(text)
	}
	mayOrder := slices.Contains([]memory.Source{memory.Goals, memory.Patterns, memory.Journal}, m.Source)
	return mayOrder && instruction.In(text)
}

// DraftsOf returns all that the turns of a transcript teach, in order, as
// capture takes it from them, before anything is merged with what is known.
func DraftsOf(turns []claudecode.Turn, project memory.Project) []memory.Draft {
	var out []memory.Draft
	before := map[string]*Turn{}
	for _, t := range turns {
		s := NewTurn(t, project, before[t.Agent])
		before[t.Agent] = s
		out = append(out, s.Drafts()...)
	}
	return out
}

// Read returns the prompt, as it is read.
func (s *Turn) Read() *sentence.Text { return s.asked }

// Said returns what Claude said, reply by reply, cleaned.
func (s *Turn) Said() []*sentence.Text { return s.replies }

// Draft begins a memory of what happened in s.
func (s *Turn) Draft(src memory.Source, origin string) memory.Draft {
	m := memory.Draft{Memory: memory.Memory{
		Source: src, Origin: origin,
		Session: s.Session, Turn: s.ID, Agent: s.Agent, Client: s.Client, OccurredAt: s.At,
	}}
	m.SetHome(s.project)
	return m
}

// shortReply is the length, in bytes, below which a reply is likely to be only
// a last word.
const shortReply = 60

// finalReply returns the reply that says how a turn came out: the last one, or the
// one before where the last is only a word or two.
func (s *Turn) finalReply() string {
	var last string
	for i := len(s.replies) - 1; i >= max(0, len(s.replies)-2); i-- {
		reply := prose.Squeeze(s.replies[i].Said())
		if len(reply) >= shortReply {
			return reply
		}
		if last == "" {
			last = reply
		}
	}
	return last
}
