package main

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
	"recollect/internal/config"
)

const (
	hookIn       = 5 * time.Second // for the hook to start and end: it takes milliseconds
	settleIn     = 2 * time.Second // for the index to open: one that is filled anew takes longer
	settleEvery  = 20 * time.Millisecond
	captureSince = 7 * 24 * time.Hour // whose failures count
)

// A patient is all that the checks look at.
type patient struct {
	home     string
	version  string // of this executable
	now      time.Time
	disabled bool  // by RECOLLECT_DISABLE
	hook     error // why Claude Code cannot run the hook, or nil
	hookPath string

	folder    fs.FileInfo // of home before the daemon was asked, which mends it at its start
	folderErr error
	writeErr  error
	sizes     map[string]int64 // of the parts of home, in bytes
	free      int64            // on its disk, in bytes; negative where that is not known
	torn      []string         // files with what a crash cut off
	sessions  int              // that Claude Code has kept

	mistakes error // in the settings
	failure  error // why the daemon does not answer, or nil
	health   api.Health
	stats    api.Stats     // of the time since captureSince
	inForce  config.Config // the daemon's settings
	refused  string        // why newer ones are not in force
}

// patient gathers what there is to look at, the daemon's answers last.
func (a *app) patient(ctx context.Context) (*patient, error) {
	home, err := api.Home()
	if err != nil {
		return nil, err
	}
	p := &patient{home: home, version: a.version, now: time.Now(), disabled: os.Getenv("RECOLLECT_DISABLE") != ""}
	p.hookPath, p.hook = tryHook(ctx)
	if p.folder, p.folderErr = os.Stat(home); p.folderErr == nil {
		p.writeErr = tryWrite(home)
	}
	p.sizes, p.free = sizesOf(home), freeSpace(home)
	p.torn = tornFiles(home)
	p.sessions = keptSessions()
	_, _, p.mistakes = config.Load(home, os.Environ())
	p.failure = a.ask(ctx, func(ctx context.Context, c *api.Client) error { return p.ask(ctx, c) })
	return p, nil
}

// ask asks the daemon. Its statistics wait until the store is open.
func (p *patient) ask(ctx context.Context, c *api.Client) (err error) {
	if p.stats, err = c.Stats(ctx, p.now.Add(-captureSince)); err != nil {
		return err
	}
	if p.health, err = settled(ctx, c); err != nil {
		return err
	}
	settings, err := c.Config(ctx)
	if err != nil {
		return err
	}
	p.refused = settings.Problem
	if p.inForce, err = config.Parse("the daemon's settings", settings.TOML); err != nil {
		p.inForce = config.Default() // it is of another version, with settings that we do not know
	}
	return nil
}

// settled returns the daemon's health once its index is ready, or what it is
// after settleIn.
func settled(ctx context.Context, c *api.Client) (api.Health, error) {
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	late := time.NewTimer(settleIn)
	defer late.Stop()
	for {
		h, err := c.Health(ctx)
		if err != nil || h.Index == indexReady {
			return h, err
		}
		select {
		case <-late.C:
			return h, nil
		case <-ctx.Done():
			return h, ctx.Err()
		case <-tick.C:
		}
	}
}

// errNotBuilt says that a script stands where the hook executable should:
// build it.
var errNotBuilt = errors.New("not built")

// tryHook runs the hook executable beside this one as Claude Code does, but
// told to do nothing, and returns where it is.
func tryHook(ctx context.Context) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	path := filepath.Join(filepath.Dir(self), hookName)
	if isScript(path) {
		return path, errNotBuilt
	}
	ctx, cancel := context.WithTimeout(ctx, hookIn)
	defer cancel()
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(os.Environ(), "RECOLLECT_DISABLE=1")
	out, err := cmd.CombinedOutput()
	if err == nil && len(out) > 0 {
		err = fmt.Errorf("it printed %.60q", out)
	}
	return path, err
}

// isScript reports a script like the one in git that stands where nothing is
// built.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var begin [2]byte
	n, _ := f.Read(begin[:])
	return string(begin[:n]) == "#!"
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

// The parts of the data folder, in the order they are told; what belongs to no
// other is state.
var homeParts = []string{"memories", "index", "vectors", "state"}

// sizesOf sums up the files of each part. What cannot be read, or goes
// meanwhile, counts nothing.
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
	paths, err := filepath.Glob(filepath.Join(home, "memories", "*.torn"))
	if err != nil {
		return nil // the folder's name has brackets
	}
	return paths
}

// keptSessions counts the transcripts that Claude Code has.
func keptSessions() int {
	dir, err := claudeDir()
	if err != nil {
		return 0
	}
	paths, err := filepath.Glob(filepath.Join(dir, "projects", "*", "*.jsonl"))
	if err != nil {
		return 0 // likewise
	}
	return len(paths)
}
