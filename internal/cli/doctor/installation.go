package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/cli/setup"
	"recollect/internal/config"
	"recollect/internal/daemon"
	"recollect/internal/daemon/lease"
	"recollect/internal/system/crash"
	"recollect/internal/system/regular"
)

const (
	hookTimeout  = 5 * time.Second    // for the hook to start and end, which takes milliseconds
	indexTimeout = 2 * time.Second    // for the index to open; a rebuild takes longer
	captureSince = 7 * 24 * time.Hour // how far back failed captures are reported
)

// An installation has everything that the checks look at.
type installation struct {
	home     string
	version  string // of this executable
	now      time.Time
	dir      string // working directory of doctor
	disabled bool   // whether RECOLLECT_DISABLE is set
	hookErr  error  // why Claude Code cannot run the hook, or nil
	hookPath string

	folder    fs.FileInfo // of home, before the daemon corrects its mode
	folderErr error
	foreign   []string // files in home that belong to another user or were set aside
	writeErr  error
	sizes     map[string]int64 // of the parts of home, in bytes
	network   string           // name of home's file system, if other machines may use it too
	free      int64            // free bytes on the disk of home; negative if unknown
	torn      []string         // files with incomplete lines that a crash left
	sessions  int              // transcripts in Claude Code's folder
	silent    []program        // programs of Claude Code in which no prompt reached the hook

	died        *crash.Death  // how the last daemon died, nil if it did not
	written     config.Config // settings in the file
	settingsErr error         // mistakes in the file
	daemonErr   error         // why the daemon does not answer, or nil
	health      api.Health
	stats       api.Stats     // since captureSince ago
	inForce     config.Config // the daemon's settings
	refused     string        // why the daemon does not use newer settings
	projects    api.ProjectHomes
	secrets     api.Redacted // stored secrets, or those that were removed
	fixed       bool         // the secrets were removed
}

// examineInstallation collects what the checks look at. It asks the daemon last.
func examineInstallation(ctx context.Context, a *app.App) (*installation, error) {
	home, err := api.Home()
	if err != nil {
		return nil, err
	}
	in := &installation{home: home, dir: app.WorkingDir(), version: a.Version, now: time.Now(), disabled: os.Getenv("RECOLLECT_DISABLE") != ""}
	in.hookPath, in.hookErr = tryHook(ctx)
	if in.folder, in.folderErr = os.Stat(home); in.folderErr == nil {
		in.foreign, in.writeErr = daemon.Foreign(home), tryWrite(home)
		in.network = lease.Network(home)
	}
	in.sizes, in.free = sizesOf(home), freeSpace(home)
	in.torn = tornFiles(home)
	in.sessions = countSessions()
	in.silent = silentPrograms(home, in.now)
	in.written, _, in.settingsErr = config.Load(home, os.Environ())
	in.daemonErr = a.Ask(ctx, func(ctx context.Context, c *api.Client) error { return in.askDaemon(ctx, c) })
	in.died = daemon.Died(home)
	return in, nil
}

// askDaemon collects the daemon's answers. It begins with the statistics, which wait until the store is
// open.
func (in *installation) askDaemon(ctx context.Context, c *api.Client) (err error) {
	if in.stats, err = c.Stats(ctx, in.now.Add(-captureSince)); err != nil {
		return err
	}
	if in.health, err = readyHealth(ctx, c); err != nil {
		return err
	}
	in.askServer(ctx, c)
	var older *api.StatusError // an older daemon does not know the question
	if in.secrets, err = c.Redact(ctx, api.Redact{DryRun: true}); err != nil && !errors.As(err, &older) {
		return err
	}
	if in.projects, err = c.ProjectHomes(ctx); err != nil && !errors.As(err, &older) {
		return err
	}
	settings, err := c.Config(ctx)
	if err != nil {
		return err
	}
	in.refused = settings.Problem
	if in.inForce, err = config.Parse("the daemon's settings", settings.TOML); err != nil {
		in.inForce = config.Default() // the daemon of another version may have other settings
	}
	return nil
}

// askServer has the daemon ask the team's server, if one is used. On its own, the daemon notices only
// after a minute that a server hangs.
func (in *installation) askServer(ctx context.Context, c *api.Client) {
	if in.health.TeamServer == "" || len(in.problemsOf(api.ServerProblem)) > 0 {
		return
	}
	if state, err := c.TeamServer(ctx, api.TeamServer{Cwd: in.dir}); err == nil && !state.Connected && state.Problem != "" {
		in.health.AddProblem(api.ServerProblem, "team's server: ", state.Problem)
	}
}

// readyHealth returns the daemon's health as soon as its index is ready, or as it
// is after indexTimeout.
func readyHealth(ctx context.Context, c *api.Client) (api.Health, error) {
	return app.HealthOnce(ctx, c, indexTimeout, func(h api.Health) bool { return h.Index == api.IndexReady })
}

// errNotBuilt means that there is a placeholder script instead of the hook
// executable, which has to be built.
var errNotBuilt = errors.New("not built")

// tryHook runs the hook executable beside this one as Claude Code does, but with
// RECOLLECT_DISABLE, and returns its path.
func tryHook(ctx context.Context) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	path := filepath.Join(filepath.Dir(self), setup.HookName())
	if setup.IsScript(path) {
		return path, errNotBuilt
	}
	ctx, cancel := context.WithTimeout(ctx, hookTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(os.Environ(), "RECOLLECT_DISABLE=1")
	out, err := cmd.CombinedOutput()
	if err == nil && len(out) > 0 {
		err = fmt.Errorf("it printed %.60q", out)
	}
	return path, err
}

// tryWrite writes a file to dir and removes it.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("ok\n")
	return errors.Join(err, f.Close())
}

// homeParts are the parts of the data folder, in the order in which they are
// reported. Files that belong to no other part are state.
var homeParts = []string{"memories", "index", "vectors", "state"}

// sizesOf returns the size of each part, in bytes, without files that cannot be
// read or disappear meanwhile.
func sizesOf(home string) map[string]int64 {
	sizes := map[string]int64{}
	filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if fi, err := e.Info(); err == nil {
			sizes[partOf(home, path)] += fi.Size()
		}
		return nil
	})
	return sizes
}

func partOf(home, path string) string {
	for _, part := range homeParts[:len(homeParts)-1] {
		if in, err := filepath.Rel(filepath.Join(home, part), path); err == nil && filepath.IsLocal(in) {
			return part
		}
	}
	return homeParts[len(homeParts)-1]
}

func tornFiles(home string) []string {
	return regular.Ending(filepath.Join(home, "memories"), ".torn")
}

// countSessions counts the transcripts in Claude Code's folder.
func countSessions() int {
	dir, err := app.ClaudeDir()
	if err != nil {
		return 0
	}
	return len(app.TranscriptsIn(dir))
}
