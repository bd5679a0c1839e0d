// Package capture turns what happened in Claude Code into memories.
//
// A transcript is read turn by turn (claudecode.Turn) and each turn becomes an
// episode: what was asked, what was done, what came out, as a colleague would
// note it down. Nothing that is read is ever run, and no text is kept before
// it went through Clean. Markdown with front matter is the form in which
// memories are handed from one store to another.
package capture

import (
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

const (
	maxAsked  = 1200
	longReply = 200 // a reply of this length is worth keeping whatever was asked
)

// Episode makes the memory of a turn in project p: what was asked, what was
// done, what came out. It reports false when nothing is worth keeping: the
// prompt is no request, or neither it nor the answer says anything and nothing
// was done.
func Episode(t claudecode.Turn, p memory.Project) (memory.Memory, bool) {
	asked := squeeze(Clean(t.Prompt))
	if !claudecode.Typed(t.Prompt) || !claudecode.Typed(asked) {
		return memory.Memory{}, false
	}
	d := readDeeds(t.Actions, newProject(p, t.Cwd))
	did, reply := d.String(), final(t.Replies)
	if !worthKeeping(asked, did, reply) {
		return memory.Memory{}, false
	}
	m := memory.Memory{
		Source: memory.Episodes, Origin: memory.OriginAssistant,
		Session: t.Session, Turn: t.ID, Agent: t.Agent, OccurredAt: t.At,
		Title: title(asked), Text: note(asked, did, reply, t.Interrupted),
		Files: d.files(), Keywords: keywords(asked, reply, errorLines(t.Actions)),
	}
	m.SetHome(p)
	return m, m.Normalize() == nil
}

// title is what a prompt begins with: its first line, and the ones after it
// while they only announce what comes ("Fix this bug:").
func title(asked string) string {
	first, rest, more := strings.Cut(asked, "\n")
	first = strings.TrimSpace(first)
	if !more || first != "" && !strings.HasSuffix(first, ":") {
		return first
	}
	return strings.TrimSpace(first + " " + title(rest))
}

func worthKeeping(asked, did, reply string) bool {
	return did != "" || len(reply) >= longReply || !trivial(asked) && len(reply) >= len("No.") && !trivial(reply)
}

func note(asked, did, reply string, interrupted bool) string {
	lines := []string{"Asked: " + cutMiddle(asked, maxAsked)}
	if did != "" {
		lines = append(lines, "Did: "+did)
	}
	out := gist(reply)
	if interrupted {
		out = strings.TrimSpace("interrupted by the user. " + out)
	}
	if out != "" {
		lines = append(lines, "Outcome: "+out)
	}
	return strings.Join(lines, "\n")
}

// errorLines returns the last lines of what failed: there the error's name
// stands.
func errorLines(actions []claudecode.Action) string {
	var out []string
	for _, a := range actions {
		if a.Failed {
			output := strings.TrimSpace(Clean(a.Output))
			out = append(out, clip(output[strings.LastIndexByte(output, '\n')+1:], maxLine))
		}
	}
	return strings.Join(out, "\n")
}
