package daemon

import (
	"os"
	"path/filepath"
	"time"
)

// orphanedExit is how long without requests until a daemon ends whose plugin was removed. Sessions
// that began with the plugin may still send prompts.
const orphanedExit = 10 * time.Second

// orphanMark is the file with which Claude Code marks the folder of a plugin's version that was
// uninstalled or updated, and that it deletes later.
const orphanMark = ".orphaned_at"

// markDepth is how many folders above the executable the mark may be: npm installs it below
// node_modules/@scope/package/bin.
const markDepth = 6

// idleExit returns how long without requests the daemon goes on.
func (d *Daemon) idleExit() time.Duration {
	limit := time.Duration(d.settings.Current().Daemon.IdleExit)
	if orphaned(d.executable) {
		limit = min(limit, orphanedExit)
	}
	return limit
}

// orphaned reports whether the plugin that an executable is part of was removed.
func orphaned(executable string) bool {
	if executable == "" {
		return false
	}
	if _, err := os.Stat(executable); os.IsNotExist(err) {
		return true
	}
	for dir, n := filepath.Dir(executable), 0; n < markDepth; dir, n = filepath.Dir(dir), n+1 {
		if _, err := os.Lstat(filepath.Join(dir, orphanMark)); err == nil {
			return true
		}
	}
	return false
}
