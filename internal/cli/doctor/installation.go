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
	captureSince = 7 * 24 * time.Hour // the time whose failed captures are reported
)

// An installation is everything that the checks need to know.
type installation struct {
	home     string
	version  string // of this executable
	now      time.Time
	dir      string // in which doctor runs
	disabled bool   // by RECOLLECT_DISABLE
	hookErr  error  // why Claude Code cannot run the hook, or nil
	hookPath string

	folder    fs.FileInfo // home, before the daemon is started, which corrects its mode
	folderErr error
	foreign   []string // what in home is not trusted, because it belongs to another user
	writeErr  error
	sizes     map[string]int64 // of the parts of home, in bytes
	network   string           // name of its file system, if other machines may have it too
	free      int64            // bytes on its disk; negative if not known
	torn      []string         // files with line ends that a crash cut off
	sessions  int              // transcripts in Claude Code's folder

	died        *crash.Death  // how the last daemon did, nil if none did
	written     config.Config // the settings as doctor reads them
	settingsErr error         // mistakes in them
	daemonErr   error         // why the daemon does not answer, or nil
	health      api.Health
	stats       api.Stats     // since captureSince ago
	inForce     config.Config // the daemon's settings
	refused     string        // why it does not use newer ones
	projects    api.ProjectHomes
	secrets     api.Redacted // that are stored, or were before fixed
	fixed       bool         // they were taken out
}

// examineInstallation gathers what the checks need, the daemon's answers last.
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
	in.written, _, in.settingsErr = config.Load(home, os.Environ())
	in.daemonErr = a.Ask(ctx, func(ctx context.Context, c *api.Client) error { return in.askDaemon(ctx, c) })
	in.died = daemon.Died(home)
	return in, nil
}

// askDaemon asks the daemon. Its statistics wait until the store is open.
func (in *installation) askDaemon(ctx context.Context, c *api.Client) (err error) {
	if in.stats, err = c.Stats(ctx, in.now.Add(-captureSince)); err != nil {
		return err
	}
	if in.health, err = readyHealth(ctx, c); err != nil {
		return err
	}
	in.askServer(ctx, c)
	var older *api.StatusError // a daemon that does not know the question
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
		in.inForce = config.Default() // another version's, with settings that this one does not know
	}
	return nil
}

// askServer has the team's server asked, if one is used: the daemon learns only in a minute that a
// server hangs.
func (in *installation) askServer(ctx context.Context, c *api.Client) {
	if in.health.TeamServer == "" || len(in.problemsOf(api.ServerProblem)) > 0 {
		return
	}
	if state, err := c.TeamServer(ctx, api.TeamServer{Cwd: in.dir}); err == nil && !state.Connected && state.Problem != "" {
		in.health.AddProblem(api.ServerProblem, "team's server: ", state.Problem)
	}
}

// readyHealth returns the daemon's health once its index is ready, or else as it
// is after indexTimeout.
func readyHealth(ctx context.Context, c *api.Client) (api.Health, error) {
	return app.HealthOnce(ctx, c, indexTimeout, func(h api.Health) bool { return h.Index == api.IndexReady })
}

// errNotBuilt means that the placeholder script is where the hook executable
// should be, so it has to be built.
var errNotBuilt = errors.New("not built")

// tryHook runs the hook executable beside this one as Claude Code does, but
// switched off, and returns its path.
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

// The parts of the data folder, in the order in which they are reported. What
// belongs to no other part is state.
var homeParts = []string{"memories", "index", "vectors", "state"}

// sizesOf sums up the files of each part. Files that cannot be read, or vanish
// meanwhile, are not counted.
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
