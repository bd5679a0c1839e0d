package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/toolcall"
)

const (
	maxAsked  = 1200
	longReply = 200 // a reply of this length is worth keeping whatever was asked
)

// episodes makes the memory of a turn: what was asked, what was done, what
// came out. There is none when nothing is worth keeping: the prompt is no
// request, or neither it nor the answer says anything and nothing was done.
func episodes(s *Scene) []memory.Draft {
	if !s.Typed() {
		return nil
	}
	d := toolcall.ReadActions(s.Actions, s.Paths)
	did := d.String()
	if !worthStoring(s.Asked, did, s.Reply) {
		return nil
	}
	m := s.Draft(memory.Episodes, memory.OriginAssistant)
	m.Title, m.Text = prose.Title(s.Asked), summary(s.Asked, did, s.Reply, s.Interrupted)
	m.Files, m.Keywords = d.Files(), prose.Keywords(s.Asked, s.Reply, toolcall.ErrorLines(s.Actions))
	return []memory.Draft{m}
}

func worthStoring(asked, did, reply string) bool {
	return did != "" || len(reply) >= longReply || !prose.Trivial(asked) && len(reply) >= len("No.") && !prose.Trivial(reply)
}

func summary(asked, did, reply string, interrupted bool) string {
	lines := []string{"Asked: " + prose.CutMiddle(asked, maxAsked)}
	if did != "" {
		lines = append(lines, "Did: "+did)
	}
	out := prose.Highlights(reply)
	if interrupted {
		out = strings.TrimSpace("interrupted by the user. " + out)
	}
	if out != "" {
		lines = append(lines, "Outcome: "+out)
	}
	return strings.Join(lines, "\n")
}
