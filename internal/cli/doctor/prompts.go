package doctor

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/daemon"
)

const (
	promptsSince  = 7 * 24 * time.Hour // how far back sessions are looked at
	leastSessions = 2                  // in one program, before it is named
)

// A program is one in which Claude Code runs, such as a terminal or an editor, with the sessions that a human
// began in it since recollect is used.
type program struct {
	name     string
	sessions int
	reached  int // of them, those with a prompt that the hook saw
}

// silentPrograms returns the programs with sessions of the last days, of whose prompts the hook saw none.
func silentPrograms(home string, now time.Time) []program {
	dir, err := app.ClaudeDir()
	if err != nil {
		return nil
	}
	since := now.Add(-promptsSince)
	if began := daemon.FirstServed(home); began.After(since) {
		since = began
	}
	found := map[string]program{}
	for _, path := range app.TranscriptsIn(dir) {
		if fi, err := os.Stat(path); err != nil || fi.ModTime().Before(since) {
			continue
		}
		first, ok := transcript.First(path)
		isHuman := ok && !first.Program && first.Entry != ""
		if !isHuman || first.At.Before(since) || isIncognito(home, first.Session) {
			continue
		}
		p := found[first.Entry]
		p.name = first.Entry
		p.sessions++
		if app.SawPrompt(home, first.Session) {
			p.reached++
		}
		found[first.Entry] = p
	}
	silent := slices.SortedFunc(maps.Values(found), func(a, b program) int { return strings.Compare(a.name, b.name) })
	return slices.DeleteFunc(silent, func(p program) bool { return p.reached > 0 || p.sessions < leastSessions })
}

func isIncognito(home, session string) bool {
	_, err := os.Stat(api.IncognitoPath(home, session))
	return err == nil
}

func checkPrompts(in *installation) finding {
	if len(in.silent) == 0 {
		return fineFinding("the hook sees them in every program of Claude Code that was used in the last days")
	}
	var names []string
	for _, p := range in.silent {
		names = append(names, fmt.Sprintf("%s (%s)", p.name, cli.Count(p.sessions, "session", "sessions")))
	}
	return newWarning("memories come with the first tool call instead; if no hook runs there at all, install the plugin there, or ask Claude to call memory_recall",
		"the hook sees none in %s", strings.Join(names, ", "))
}
