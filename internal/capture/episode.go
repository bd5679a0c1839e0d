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

// episodes makes the memory of a turn: what was asked, what was done, what
// came out. There is none when nothing is worth keeping: the prompt is no
// request, or neither it nor the answer says anything and nothing was done.
func episodes(s *scene) []memory.Memory {
	if !s.typed() {
		return nil
	}
	d := readDeeds(s.Actions, s.project)
	did := d.String()
	if !worthKeeping(s.asked, did, s.reply) {
		return nil
	}
	m := s.memory(memory.Episodes, memory.OriginAssistant)
	m.Title, m.Text = title(s.asked), note(s.asked, did, s.reply, s.Interrupted)
	m.Files, m.Keywords = d.files(), keywords(s.asked, s.reply, errorLines(s.Actions))
	return []memory.Memory{m}
}

// maxAnnouncing bounds the lines of a title that only announce what comes, in
// bytes: more than any title may have.
const maxAnnouncing = 1000

// title is what a prompt begins with: its first line, and the ones after it
// while they only announce what comes ("Fix this bug:").
func title(asked string) string {
	var out []string
	size := 0
	for line := range strings.Lines(asked) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		out = append(out, line)
		if size += len(line); !strings.HasSuffix(line, ":") || size > maxAnnouncing {
			break
		}
	}
	return strings.Join(out, " ")
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

// maxErrorLine bounds the line that names an error, in bytes.
const maxErrorLine = 300

// errorLines returns the last lines of what failed: there the error's name
// stands.
func errorLines(actions []claudecode.Action) string {
	var out []string
	for _, a := range actions {
		if a.Failed {
			output := strings.TrimSpace(Clean(a.Output))
			out = append(out, clip(output[strings.LastIndexByte(output, '\n')+1:], maxErrorLine))
		}
	}
	return strings.Join(out, "\n")
}
