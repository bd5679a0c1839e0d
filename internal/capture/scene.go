package capture

import (
	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// A scene is a turn as extractors see it.
type scene struct {
	claudecode.Turn
	asked   string         // the prompt, cleaned
	remarks []remark       // the sentences that a human typed, none of a sub-agent's prompt
	reply   string         // the reply that tells how it came out, cleaned
	home    memory.Project // that the memories belong to
	project project        // makes paths relative
	before  *scene         // the turn before in the same conversation, nil at its beginning
}

// An extractor makes memories of one source from a turn. It changes nothing,
// looks at nothing else, and gives the same for the same scene.
type extractor func(*scene) []memory.Memory

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

func newScene(t claudecode.Turn, home memory.Project, before *scene) *scene {
	if before != nil {
		before.before = nil // one turn back is enough
	}
	if n := len(t.Actions); n > maxActions {
		t.Actions = t.Actions[n-maxActions:]
	}
	s := &scene{
		Turn: t, asked: squeeze(Clean(t.Prompt)), reply: final(t.Replies),
		home: home, project: newProject(home, t.Cwd), before: before,
	}
	if s.byUser() {
		s.remarks = said(s.asked)
	}
	return s
}

// extract returns all that a turn teaches.
func (s *scene) extract() []memory.Memory {
	var out []memory.Memory
	for _, extract := range extractors {
		out = append(out, extract(s)...)
	}
	return out
}

// Extract returns all that the turns of a transcript teach, in order, as
// capture takes it from them, before anything is merged with what is known.
func Extract(turns []claudecode.Turn, home memory.Project) []memory.Memory {
	var out []memory.Memory
	before := map[string]*scene{}
	for _, t := range turns {
		s := newScene(t, home, before[t.Agent])
		before[t.Agent] = s
		out = append(out, s.extract()...)
	}
	return out
}

// memory begins a memory of what happened in s.
func (s *scene) memory(src memory.Source, origin string) memory.Memory {
	m := memory.Memory{
		Source: src, Origin: origin,
		Session: s.Session, Turn: s.ID, Agent: s.Agent, OccurredAt: s.At,
	}
	m.SetHome(s.home)
	return m
}

// typed reports whether a human asked, in their own words.
func (s *scene) typed() bool {
	return claudecode.Typed(s.Prompt) && claudecode.Typed(s.asked)
}

// byUser reports whether it was not Claude who asked, of a sub-agent.
func (s *scene) byUser() bool { return !s.Sidechain && s.Agent == "" && s.typed() }
