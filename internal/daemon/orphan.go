package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/system/regular"
)

// orphanedExit is the idle time after which a daemon ends if its plugin was removed. Sessions that
// began with the plugin may still send prompts.
const orphanedExit = 10 * time.Second

// orphanMark is a file that Claude Code puts into the folder of a plugin when the plugin is uninstalled
// or updated. It deletes the folder later.
const orphanMark = ".orphaned_at"

// markDepth is the number of folders above the executable that may have the mark: npm installs the
// executable below node_modules/@scope/package/bin.
const markDepth = 6

// idleExit returns the idle time after which the daemon ends.
func (d *Daemon) idleExit() time.Duration {
	limit := time.Duration(d.settings.Current().Daemon.IdleExit)
	if isOrphaned(d.executable) || d.plugin.uninstalled() {
		limit = min(limit, orphanedExit)
	}
	return limit
}

// pluginPrefix begins the key of this plugin in Claude Code's list, before the marketplace.
const pluginPrefix = "recollect@"

// maxInstalled is the largest list of plugins that is read, in bytes.
const maxInstalled = 4 << 20

// An installation finds this plugin in Claude Code's list of installed plugins. A plugin that runs from
// a folder of its own gets no orphanMark: only the list shows that it was uninstalled.
type installation struct {
	list string // path of the list; "" if there is no home folder
	seen bool   // the plugin was in the list once
}

func newInstallation() *installation {
	config := os.Getenv("CLAUDE_CONFIG_DIR")
	if config == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return &installation{}
		}
		config = filepath.Join(home, ".claude")
	}
	return &installation{list: filepath.Join(config, "plugins", "installed_plugins.json")}
}

// uninstalled reports whether the plugin was in the list and no longer is. It never was if the user
// runs the daemon without the plugin.
func (i *installation) uninstalled() bool {
	text, err := regular.Read(i.list, maxInstalled)
	if err != nil {
		return false
	}
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := json.Unmarshal(text, &list); err != nil || list.Plugins == nil {
		return false // an unknown format, or half written
	}
	for name := range list.Plugins {
		if strings.HasPrefix(name, pluginPrefix) {
			i.seen = true
			return false
		}
	}
	return i.seen
}

// isOrphaned reports whether an executable, or the plugin that it belongs to, was removed.
func isOrphaned(executable string) bool {
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
