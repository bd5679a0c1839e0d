package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

const (
	largeHome = 2 << 30   // bytes of the data folder from which on it is worth a look
	smallDisk = 200 << 20 // bytes below which compaction, which writes a log anew, may not fit
)

// indexReady is how the daemon says that its index has all memories.
const indexReady = "ready"

// checks are all there are, in the order they are told. Those that ask need an
// answer of the daemon.
var checks = []struct {
	name string
	asks bool
	look func(*patient) finding
}{
	{"hooks", false, lookAtSwitch},
	{"plugin", false, lookAtHook},
	{"folder", false, lookAtFolder},
	{"size", false, lookAtSize},
	{"settings", false, lookAtSettings},
	{"daemon", false, lookAtDaemon},
	{"memories", true, lookAtMemories},
	{"index", true, lookAtIndex},
	{"embedder", true, lookAtEmbedder},
	{"extractor", true, lookAtExtractor},
	{"capture", true, lookAtCapture},
	{"sessions", true, lookAtSessions},
}

func lookAtSwitch(p *patient) finding {
	if p.disabled {
		return warning("unset RECOLLECT_DISABLE, here and in the env of Claude Code's settings.json", "RECOLLECT_DISABLE is set: where Claude Code has it too, the hooks do nothing")
	}
	return fine("not switched off")
}

func lookAtHook(p *patient) finding {
	switch {
	case errors.Is(p.hook, errNotBuilt):
		return problem(filepath.Join(filepath.Dir(filepath.Dir(p.hookPath)), "scripts", "build"), "Claude Code's hook is not built: a script stands in place of %s", p.hookPath)
	case errors.Is(p.hook, fs.ErrNotExist):
		return problem("claude plugin install recollect@recollect brings both; from the source, scripts/build makes them", "Claude Code's hook is not beside this executable: no %s", p.hookPath)
	case p.hook != nil:
		return problem("install the plugin for this platform, or build it here: README.md, Install", "the hook %s does not run: %v", p.hookPath, p.hook)
	}
	return fine("the hook runs: %s", p.hookPath)
}

func lookAtFolder(p *patient) finding {
	switch {
	case errors.Is(p.folderErr, fs.ErrNotExist):
		return fine("%s, which the daemon makes", p.home)
	case p.folderErr != nil:
		return problem("mend it, or set RECOLLECT_HOME to another folder", "%v", p.folderErr)
	case !p.folder.IsDir():
		return problem("move it aside, or set RECOLLECT_HOME to a folder", "%s is not a folder", p.home)
	case p.writeErr != nil:
		return problem(fmt.Sprintf("chmod u+rwx %q, or set RECOLLECT_HOME to another folder", p.home), "it cannot be written to: %v", p.writeErr)
	case openToOthers(p.folder):
		return problem(fmt.Sprintf("chmod 700 %q", p.home), "%s is open to other users: %v", p.home, p.folder.Mode().Perm())
	}
	return fine("%s, writable, closed to others", p.home)
}

func lookAtSize(p *patient) finding {
	var whole int64
	var parts []string
	for _, part := range homeParts {
		whole += p.sizes[part]
		parts = append(parts, part+" "+mebibytes(p.sizes[part]))
	}
	said := fmt.Sprintf("%s MiB: %s", mebibytes(whole), strings.Join(parts, ", "))
	if p.free >= 0 {
		said += fmt.Sprintf("; %s MiB free on the disk", mebibytes(p.free))
	}
	switch yearAgo := p.now.AddDate(-1, 0, 0).Format(time.DateOnly); {
	case p.free >= 0 && p.free < smallDisk:
		return warning(fmt.Sprintf("free space on the disk of %q, or set RECOLLECT_HOME to a folder on another", p.home), "%s", said)
	case whole > largeHome:
		return warning("recollect forget --source episodes --before "+yearAgo+" shows what is old, and asks; capture.keep in config.toml does so by itself", "%s", said)
	}
	return fine("%s", said)
}

// mebibytes tells a size with as many digits as matter.
func mebibytes(n int64) string {
	mib := float64(n) / (1 << 20)
	if mib < 10 {
		return fmt.Sprintf("%.1f", mib)
	}
	return fmt.Sprintf("%.0f", mib)
}

func lookAtSettings(p *patient) finding {
	if p.mistakes == nil {
		return fine("no mistakes")
	}
	lines := strings.Split(p.mistakes.Error(), "\n")
	return problem("recollect config check names all mistakes; until they are mended the last good settings are in force", "%s", several(lines))
}

// several tells the first of some lines and how many more there are.
func several(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%s, and %d more", lines[0], len(lines)-1)
}

func lookAtDaemon(p *patient) finding {
	const again = "recollect daemon stop; the next hook or command starts another"
	h := p.health
	var foreign *api.ForeignError
	switch other := p.others(); {
	case errors.As(p.failure, &foreign):
		return problem(ownFolder, "it is not asked: %v", foreign)
	case p.failure != nil:
		return problem("recollect daemon run shows why", "it does not answer: %v", p.failure)
	case p.refused != "" && p.mistakes == nil:
		return problem(again, "the settings it was started with have mistakes: %s", several(strings.Split(p.refused, "\n")))
	case api.Older(h.Version, p.version):
		return warning(again, "version %s runs, this is %s", h.Version, p.version)
	case api.Older(p.version, h.Version):
		return warning("use that one, or bring this one up to date", "version %s runs, this is the older %s", h.Version, p.version)
	case len(other) > 0:
		return problem("look at "+filepath.Join(p.home, "daemon.log"), "%s", several(other))
	}
	return fine("version %s, pid %d, up %s", h.Version, h.PID, h.Uptime)
}

// checked are the kinds of problems that have a check of their own.
var checked = []api.ProblemKind{api.SettingsProblem, api.EmbedderProblem, api.ExtractorProblem, api.LogProblem}

// problems are those of the daemon that are of a kind.
func (p *patient) problems(kind api.ProblemKind) []string {
	return p.problemsThat(func(k api.ProblemKind) bool { return k == kind })
}

// others are the problems that no check of their own reports. An older daemon
// does not say of what kind its problems are.
func (p *patient) others() []string {
	if p.health.Details == nil {
		return p.health.Problems
	}
	return p.problemsThat(func(k api.ProblemKind) bool { return !slices.Contains(checked, k) })
}

func (p *patient) problemsThat(are func(api.ProblemKind) bool) []string {
	var out []string
	for _, d := range p.health.Details {
		if are(d.Kind) {
			out = append(out, d.Text)
		}
	}
	return out
}

func lookAtMemories(p *patient) finding {
	logs := filepath.Join(p.home, "memories")
	if bad := p.problems(api.LogProblem); len(bad) > 0 {
		return problem("recollect daemon stop, then mend or delete what it names in "+logs, "not readable: %s", several(bad))
	}
	if len(p.torn) > 0 {
		return warning("look at it, and delete it", "a crash cut off the end of what was written last: %s", several(p.torn))
	}
	return fine("%d, all readable", p.health.Memories)
}

func lookAtIndex(p *patient) finding {
	switch h := p.health; {
	case h.Index == indexReady:
		return fine("%s, %d memories", h.Index, h.Indexed)
	case strings.HasPrefix(h.Index, "stopped"):
		return problem(fmt.Sprintf("recollect daemon stop, then rm -r %q: it is made anew", filepath.Join(p.home, "index")), "%s", h.Index)
	default:
		return warning("recollect status shows how far it is; what is indexed is found meanwhile", "%s", h.Index)
	}
}

func lookAtEmbedder(p *patient) finding {
	h := p.health
	if bad := p.problems(api.EmbedderProblem); len(bad) > 0 {
		return problem(`mend it, or set kind = "builtin" under [embedder] in `+p.settingsFile(), "%s: %s", h.Embedder, several(bad))
	}
	if h.Embedder == config.EmbedderOff {
		return fine("off: words answer alone")
	}
	return fine("%s, %d memories", h.Embedder, h.Embedded)
}

func (p *patient) settingsFile() string {
	path, _ := config.Paths(p.home)
	return path
}

func lookAtExtractor(p *patient) finding {
	if bad := p.problems(api.ExtractorProblem); len(bad) > 0 {
		return warning(`mend it, or set extractor = "rules" under [capture] in `+p.settingsFile(), "what the rules find stands, a model adds nothing: %s", several(bad))
	}
	return fine("%s", p.inForce.Capture.Extractor)
}

func lookAtCapture(p *patient) finding {
	days := captureSince / (24 * time.Hour)
	if s := p.stats; s.CaptureFailed > 0 {
		return warning("the lines with msg=capture in "+filepath.Join(p.home, "daemon.log")+" say why", "%d of %d captures failed in the last %d days", s.CaptureFailed, s.CaptureFailed+s.Captured, days)
	}
	return fine("%d in the last %d days, none failed", p.stats.Captured, days)
}

func lookAtSessions(p *patient) finding {
	episodes := cmp.Or(p.stats.Sources[memory.Episodes], &api.SourceStats{}).Memories
	switch {
	case p.sessions > 0 && episodes == 0:
		return warning("recollect import", "Claude Code has kept %d, and none is remembered", p.sessions)
	case p.sessions == 0:
		return fine("Claude Code has kept none yet")
	}
	return fine("Claude Code has kept %d, of which %d turns are remembered", p.sessions, episodes)
}
