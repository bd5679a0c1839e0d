package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/config"
	"recollect/internal/daemon"
	"recollect/internal/daemon/lease"
	"recollect/internal/memory"
	"recollect/internal/store/backup"
)

const (
	largeHome = 2 << 30   // size of the data folder above which doctor warns, in bytes
	smallDisk = 200 << 20 // free bytes below which a compaction, which rewrites a log, may fail
)

// checks are all checks, in the order in which they are reported.
var checks = []struct {
	name        string
	needsDaemon bool // whether the check needs answers of the daemon
	run         func(*installation) finding
}{
	{"hooks", false, checkSwitch},
	{"plugin", false, checkHook},
	{"folder", false, checkFolder},
	{"agents", false, checkAgents},
	{"size", false, checkSize},
	{"keys", false, checkCredentials},
	{"restore", false, checkRestore},
	{"settings", false, checkSettings},
	{"project", false, checkRepository},
	{"team", false, checkTeam},
	{"server", true, checkServer},
	{"daemon", false, checkDaemon},
	{"memories", true, checkMemories},
	{"projects", true, checkProjects},
	{"index", true, checkIndex},
	{"embedder", true, checkEmbedder},
	{"extractor", true, checkExtractor},
	{"capture", true, checkCapture},
	{"sessions", true, checkSessions},
	{"prompts", true, checkPrompts},
	{"sync", true, checkSync},
	{"secrets", true, checkSecrets},
}

func checkSwitch(in *installation) finding {
	if in.disabled {
		return newWarning("unset RECOLLECT_DISABLE, here and in the env of Claude Code's settings.json", "RECOLLECT_DISABLE is set: if Claude Code has it too, the hooks do nothing")
	}
	return fineFinding("switched on")
}

func checkSecrets(in *installation) finding {
	s := in.secrets
	switch {
	case in.fixed && !s.Gone:
		return newWarning("recollect doctor --fix finishes it", "secrets were redacted (%s: %s), but are not gone from every file yet", app.CountMemories(s.Memories), app.CountKinds(s.Kinds))
	case in.fixed && s.Memories+s.Sessions+s.Lines > 0:
		return fineFinding("redacted: %s (%s), %s of sessions, %s of the daemon's log", app.CountMemories(s.Memories), app.CountKinds(s.Kinds),
			cli.Count(s.Sessions, "file", "files"), cli.Count(s.Lines, "line", "lines"))
	case !in.fixed && s.Memories > 0:
		return newWarning("recollect doctor --fix takes them out", "%s with secrets that an earlier version stored: %s", app.CountMemories(s.Memories), app.CountKinds(s.Kinds))
	}
	return fineFinding("no memory has a secret")
}

func checkHook(in *installation) finding {
	switch {
	case errors.Is(in.hookErr, errNotBuilt):
		return newProblem(filepath.Join(filepath.Dir(filepath.Dir(in.hookPath)), "scripts", "build"), "Claude Code's hook is not built: %s is a placeholder", in.hookPath)
	case errors.Is(in.hookErr, fs.ErrNotExist):
		return newProblem("claude plugin install recollect@recollect installs it; scripts/build builds it from source", "Claude Code's hook is missing: no %s", in.hookPath)
	case in.hookErr != nil:
		return newProblem("install the plugin for this platform, or build it here: see README.md", "the hook %s does not run: %v", in.hookPath, in.hookErr)
	}
	return fineFinding("the hook runs: %s", in.hookPath)
}

func checkFolder(in *installation) finding {
	switch {
	case errors.Is(in.folderErr, fs.ErrNotExist):
		return fineFinding("%s does not exist yet; the daemon creates it", in.home)
	case in.folderErr != nil:
		return newProblem("fix it, or set RECOLLECT_HOME to another folder", "%v", in.folderErr)
	case !in.folder.IsDir():
		return newProblem("move it away, or set RECOLLECT_HOME to a folder", "%s is not a folder", in.home)
	case len(in.foreign) > 0:
		return newProblem("look at them, then delete them, and what is named *.foreign; what is yours after all: recollect daemon stop, then chown it and give it its name back",
			"others could write to %s, and what belongs to another user is not used: %s", in.home, severalLines(in.foreign))
	case in.writeErr != nil:
		return newProblem(fmt.Sprintf("chmod u+rwx %q, or set RECOLLECT_HOME to another folder", in.home), "it is not writable: %v", in.writeErr)
	case openToOthers(in.folder):
		return newProblem(fmt.Sprintf("chmod 700 %q", in.home), "%s is open to other users: %v", in.home, in.folder.Mode().Perm())
	}
	if in.network != "" {
		return newWarning(app.FolderEach, "%s is on a file system that other machines may use (%s), of which only one at a time is served", in.home, in.network)
	}
	return fineFinding("%s is writable, and closed to other users", in.home)
}

func checkSize(in *installation) finding {
	var total int64
	var parts []string
	for _, part := range homeParts {
		total += in.sizes[part]
		parts = append(parts, part+" "+app.FormatMebibytes(in.sizes[part]))
	}
	text := fmt.Sprintf("%s MiB: %s", app.FormatMebibytes(total), strings.Join(parts, ", "))
	if in.free >= 0 {
		text += fmt.Sprintf("; %s MiB free on the disk", app.FormatMebibytes(in.free))
	}
	switch yearAgo := in.now.AddDate(-1, 0, 0).Format(time.DateOnly); {
	case in.free >= 0 && in.free < smallDisk:
		return newWarning(fmt.Sprintf("free space on the disk of %q, or set RECOLLECT_HOME to a folder on another disk", in.home), "%s", text)
	case total > largeHome:
		return newWarning("recollect forget --source episodes --before "+yearAgo+" lists old turns and asks before deleting them; [capture.keep] in config.toml does so daily", "%s", text)
	}
	return fineFinding("%s", text)
}

func checkRestore(in *installation) finding {
	switch interrupted, done := backup.Left(in.home); {
	case interrupted:
		return newWarning("if none is running, recollect doctor --fix removes what it has unpacked", "a restore was interrupted before it changed anything")
	case done:
		return newWarning("if the memories are right, delete that folder", "what a restore replaced is still in %s", backup.Replaced(in.home))
	}
	return fineFinding("none is unfinished")
}

func checkSettings(in *installation) finding {
	if in.settingsErr == nil {
		if former := config.Retired(in.home, os.Environ()); len(former) > 0 {
			return newWarning("recollect config check says where; take them out", "%d of them are no settings any more and change nothing", len(former))
		}
		return fineFinding("no mistakes")
	}
	lines := strings.Split(in.settingsErr.Error(), "\n")
	return newProblem("recollect config check lists all mistakes; until they are fixed, the last good settings stay in force", "%s", severalLines(lines))
}

// checkRepository checks the .recollect.toml of this folder's repository, and of others
// that the daemon has seen.
func checkRepository(in *installation) finding {
	var here config.Repositories
	is, refused := here.At(in.dir)
	lines := in.problemsOf(api.RepositoryProblem)
	for _, err := range refused {
		if !slices.Contains(lines, err.Error()) {
			lines = append(lines, err.Error())
		}
	}
	switch {
	case len(lines) > 0:
		return newWarning("correct the file named: it may have off = true, capture = false, recall = false, team = false, and globs to ignore", "%s", severalLines(lines))
	case is.NoCapture && is.NoRecall:
		return fineFinding("its .recollect.toml switches recollect off here")
	case is.NoCapture:
		return fineFinding("its .recollect.toml wants nothing learned here")
	case is.NoRecall:
		return fineFinding("its .recollect.toml wants nothing injected here")
	}
	return fineFinding("nothing in this folder is switched off by a .recollect.toml")
}

func checkTeam(in *installation) finding {
	if left := in.problemsOf(api.TeamProblem); len(left) > 0 {
		return newWarning("recollect team review in that repository lists them; delete or mend them there", "left out: %s", severalLines(left))
	}
	return fineFinding("no file that a team shared is left out")
}

func checkServer(in *installation) finding {
	if wrong := in.problemsOf(api.ServerProblem); len(wrong) > 0 {
		return newWarning("recollect team server shows how it stands", "%s", severalLines(wrong))
	}
	return fineFinding("%s", cmp.Or(in.health.TeamServer, "no project was joined on a server of a team"))
}

// severalLines returns the first line and the number of the others.
func severalLines(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%s, and %d more", lines[0], len(lines)-1)
}

func checkSync(in *installation) finding {
	bad := in.problemsOf(api.SyncProblem)
	switch cause := in.causeOf(api.SyncProblem); {
	case cause == api.NoKey:
		return newProblem(app.NeedsKey, "%s", severalLines(bad))
	case cause == api.DeletionsHeld:
		return newProblem("recollect sync --accept-deletions, or --undo-deletions to keep the memories", "%s", severalLines(bad))
	case len(bad) > 0:
		return newProblem("recollect sync tries again", "%s", severalLines(bad))
	case in.inForce.Sync.Target == "":
		return fineFinding("off: sync.target is not set")
	}
	return fineFinding("with sync.target, in the background")
}

func checkDaemon(in *installation) finding {
	const restart = "recollect daemon stop; the next hook or command starts a new one"
	h := in.health
	var foreign *api.ForeignError
	var hung *app.HungError
	var held *lease.HeldError
	switch other := in.otherProblems(); {
	case errors.As(in.daemonErr, &foreign):
		return newProblem(app.OwnFolder, "it was not asked: %v", foreign)
	case errors.As(in.daemonErr, &hung):
		return newProblem(app.ForceStop, "%v", hung)
	case errors.As(in.daemonErr, &held):
		return newProblem("end it there, with recollect daemon stop, or "+app.FolderEach, "it does not run here: %v", held)
	case errors.Is(in.daemonErr, lease.ErrNoLocks):
		return newProblem(app.FolderEach, "it does not run: %v", in.daemonErr)
	case in.daemonErr != nil && in.diedLately():
		return newProblem(reportDeath(in.home), "it does not answer: %v; the last one died: %s", in.daemonErr, in.died.Reason())
	case in.daemonErr != nil:
		return newProblem("recollect daemon run shows why", "it does not answer: %v", in.daemonErr)
	case in.refused != "" && in.settingsErr == nil:
		return newProblem(restart, "it was started with mistakes in its settings: %s", severalLines(strings.Split(in.refused, "\n")))
	case api.Older(h.Version, in.version):
		return newWarning(restart, "version %s is running; this is %s", h.Version, in.version)
	case api.Older(in.version, h.Version):
		return newWarning("use the newer version, or update this one", "version %s is running; this is the older %s", h.Version, in.version)
	case len(other) > 0:
		return newProblem("see "+filepath.Join(in.home, "daemon.log"), "%s", severalLines(other))
	case in.diedLately():
		return newWarning(reportDeath(in.home), "version %s, pid %d, up %s; one before it died on %s: %s", h.Version, h.PID, h.Uptime, in.died.At.Format(time.DateTime), in.died.Reason())
	}
	return fineFinding("version %s, pid %d, up %s", h.Version, h.PID, h.Uptime)
}

// reportedFor is how long doctor reports that a daemon died.
const reportedFor = 7 * 24 * time.Hour

// diedLately reports whether a daemon of this version died less than reportedFor ago.
func (in *installation) diedLately() bool {
	return in.died != nil && in.died.Version == in.version && in.now.Sub(in.died.At) < reportedFor
}

// reportDeath returns the hint for a daemon that died.
func reportDeath(home string) string {
	return "please report it, with " + daemon.DiedPath(home) + ", which has its log; the next version may mend it"
}

// checkedKinds are the kinds of problems that have a check of their own.
var checkedKinds = []api.ProblemKind{
	api.SettingsProblem, api.IndexProblem, api.MemoryIndexProblem, api.EmbedderProblem, api.ExtractorProblem, api.StateProblem,
	api.RepositoryProblem, api.TeamProblem, api.SyncProblem, api.ServerProblem, api.LogProblem, api.CaptureProblem,
}

func (in *installation) problemsOf(kind api.ProblemKind) []string {
	return in.problemsWhere(func(k api.ProblemKind) bool { return k == kind })
}

// causeOf returns the cause of the first problem of a kind, "" if it has none.
func (in *installation) causeOf(kind api.ProblemKind) api.Cause {
	i := slices.IndexFunc(in.health.Details, func(p api.Problem) bool { return p.Kind == kind })
	if i < 0 {
		return ""
	}
	return in.health.Details[i].Cause
}

// otherProblems returns the problems without a check of their own, such as
// those of an older daemon, which have no kind.
func (in *installation) otherProblems() []string {
	if in.health.Details == nil {
		return in.health.Problems
	}
	return in.problemsWhere(func(k api.ProblemKind) bool { return !slices.Contains(checkedKinds, k) })
}

func (in *installation) problemsWhere(match func(api.ProblemKind) bool) []string {
	var out []string
	for _, d := range in.health.Details {
		if match(d.Kind) {
			out = append(out, d.Text)
		}
	}
	return out
}

func checkMemories(in *installation) finding {
	if bad := in.problemsOf(api.LogProblem); len(bad) > 0 {
		return newProblem("recollect daemon stop, then make the logs named readable, and fix or delete the lines named, in "+filepath.Join(in.home, "memories"), "not readable: %s", severalLines(bad))
	}
	if newer := in.problemsOf(api.StateProblem); len(newer) > 0 {
		return newWarning("update recollect, or delete the files named, in "+in.home, "not used: %s", severalLines(newer))
	}
	if len(in.torn) > 0 {
		return newWarning("look at the file, then delete it", "a crash cut off the end of the last write, which is now in %s", severalLines(in.torn))
	}
	return fineFinding("%d, all readable", in.health.Memories)
}

// checkProjects counts projects whose folder is gone. That is no problem, as they may have
// been deleted, but their memories may belong to another folder now.
func checkProjects(in *installation) finding {
	gone := 0
	for _, h := range in.projects.Projects {
		if h.Gone && h.Remote == "" {
			gone++
		}
	}
	if gone == 0 {
		return fineFinding("%d", len(in.projects.Projects))
	}
	return fineFinding("%d, of %d the folder is gone: recollect project list; if it was moved: recollect project move", len(in.projects.Projects), gone)
}

func checkIndex(in *installation) finding {
	if bad := in.problemsOf(api.IndexProblem); len(bad) > 0 {
		return newProblem(fmt.Sprintf("recollect daemon stop, then rm -r %q: it is rebuilt", filepath.Join(in.home, "index")), "stopped: %s", severalLines(bad))
	}
	if bad := in.problemsOf(api.MemoryIndexProblem); len(bad) > 0 {
		fix := fmt.Sprintf("make %q writable and free space on its disk, then recollect daemon stop", filepath.Join(in.home, "index"))
		return newWarning(fix, "%s, %s: %s", in.health.Index, app.CountMemories(in.health.Indexed), severalLines(bad))
	}
	if in.health.Index != api.IndexReady {
		return newWarning("recollect status shows the progress; what is indexed can be found already", "%s", in.health.Index)
	}
	return fineFinding("%s, %s", in.health.Index, app.CountMemories(in.health.Indexed))
}

func checkEmbedder(in *installation) finding {
	h := in.health
	if bad := in.problemsOf(api.EmbedderProblem); len(bad) > 0 {
		return newProblem(`fix it, or set kind = "builtin" under [embedder] in `+in.settingsFile(), "%s: %s", h.Embedder, severalLines(bad))
	}
	if h.Embedder == config.EmbedderOff {
		return fineFinding("off: memories are found by words alone")
	}
	return fineFinding("%s, %s", h.Embedder, app.CountMemories(h.Embedded))
}

func (in *installation) settingsFile() string {
	path, _ := config.Paths(in.home)
	return path
}

func checkExtractor(in *installation) finding {
	if bad := in.problemsOf(api.ExtractorProblem); len(bad) > 0 {
		return newWarning(`fix it, or set extractor = "rules" under [capture] in `+in.settingsFile(), "the rules work, but the model adds nothing: %s", severalLines(bad))
	}
	return fineFinding("%s", in.inForce.Capture.Extractor)
}

func checkCapture(in *installation) finding {
	if left := in.problemsOf(api.CaptureProblem); len(left) > 0 {
		return newWarning("please report it, with the lines of daemon.log about it; the next version tries again",
			"this version cannot read %s: %s", cli.Count(in.health.Skipped, "turn", "turns"), severalLines(left))
	}
	days := captureSince / (24 * time.Hour)
	if s := in.stats; s.CaptureFailed > 0 {
		return newWarning("the lines with msg=capture in "+filepath.Join(in.home, "daemon.log")+" say why",
			"%d of %s failed in the last %d days", s.CaptureFailed, cli.Count(s.CaptureFailed+s.Captured, "capture", "captures"), days)
	}
	return fineFinding("%d in the last %d days, none failed", in.stats.Captured, days)
}

func checkSessions(in *installation) finding {
	episodes := cmp.Or(in.stats.Sources[memory.Episodes], &api.SourceStats{}).Memories
	switch {
	case in.sessions > 0 && episodes == 0:
		return newWarning("recollect import", "%d in Claude Code's folder, and none is remembered", in.sessions)
	case in.sessions == 0:
		return fineFinding("none in Claude Code's folder yet")
	}
	return fineFinding("%d in Claude Code's folder; %s remembered", in.sessions, cli.Count(episodes, "turn is", "turns are"))
}
