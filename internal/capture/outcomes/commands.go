package outcomes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// kinds are what a project's commands are for, by the words of the ways in which they are called.
var kinds = []struct {
	name  string
	words map[string]bool
}{
	{"build", prose.WordSet("build compile assemble")},
	{"test", prose.WordSet("test tests pytest jest vitest rspec ctest phpunit e2e")},
	{"lint", prose.WordSet("lint eslint ruff clippy biome golangci-lint rubocop flake8")},
	{"typecheck", prose.WordSet("typecheck type-check tsc mypy pyright vet")},
	{"deploy", prose.WordSet("deploy")},
}

// kindOf returns what a command is for, "" for nothing that is to be known. Who runs a part of the tests, or has
// things corrected, does something else.
func kindOf(r toolcall.Run) string {
	if r.Failed || r.Way == "" || r.Narrows() {
		return ""
	}
	words := strings.Fields(headOf(r.Way))
	if len(words) > 0 && (words[0] == "git" || words[0] == "gh") {
		return "" // its words are names of branches and tags
	}
	for _, w := range slices.Backward(words) {
		stem, _, _ := strings.Cut(w[strings.LastIndexByte(w, '/')+1:], ":") // "test:ci"
		for _, k := range kinds {
			if k.words[stem] {
				return k.name
			}
		}
	}
	return ""
}

// leastSessions is in how many sessions a command has to have passed.
const leastSessions = 2

// Commands returns what is known of the commands that build, test, check and deploy a project: of each kind the
// one that passed in the most sessions. ok is false where none did in two.
func (l *Log) Commands(p memory.Project) (d memory.Draft, ok bool) {
	if l == nil {
		return d, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	passed := map[string]map[string]map[string]bool{} // sessions, by kind and line
	for t := range l.turnsIn(p) {
		for _, r := range t.Runs {
			kind := kindOf(r)
			if kind == "" {
				continue
			}
			if passed[kind] == nil {
				passed[kind] = map[string]map[string]bool{}
			}
			if passed[kind][r.Line] == nil {
				passed[kind][r.Line] = map[string]bool{}
			}
			passed[kind][r.Line][t.Session] = true
		}
	}
	var lines []string
	for _, k := range kinds {
		if line := mostUsed(passed[k.name]); line != "" {
			lines = append(lines, k.name+" `"+line+"`")
		}
	}
	return describe(d, p, lines), len(lines) > 0
}

// mostUsed returns the line that passed in the most sessions, "" if none did in enough.
func mostUsed(sessions map[string]map[string]bool) string {
	best := ""
	for line, in := range sessions {
		n, most := len(in), len(sessions[best])
		if n > most || n == most && line < best {
			best = line
		}
	}
	if len(sessions[best]) < leastSessions {
		return ""
	}
	return best
}

const commandsTitle = "Commands that pass here"

// describe makes the memory of the commands of a project.
func describe(d memory.Draft, p memory.Project, lines []string) memory.Draft {
	d.Source, d.Origin, d.Confidence = memory.Registry, memory.OriginTool, 0.9
	d.SetHome(p)
	if d.Title = commandsTitle + ": " + strings.Join(lines, ", "); len(d.Title) > memory.MaxTitle {
		d.Title, d.Text = commandsTitle, strings.Join(lines, "\n")
	}
	sum := sha256.Sum256([]byte(d.Title + d.Text))
	d.Evidence = "what passed in two sessions or more (" + hex.EncodeToString(sum[:4]) + ")"
	d.Subject = []string{"commands"}
	return d
}
