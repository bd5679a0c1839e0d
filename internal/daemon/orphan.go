package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/system/regular"
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
	if orphaned(d.executable) || d.plugin.uninstalled() {
		limit = min(limit, orphanedExit)
	}
	return limit
}

// pluginPrefix begins the key of this plugin in Claude Code's list, before the marketplace.
const pluginPrefix = "recollect@"

// maxInstalled is the largest list of plugins that is read, in bytes.
const maxInstalled = 4 << 20

// An installation is this plugin in Claude Code's list of those that are installed. A plugin from a
// folder runs there, where Claude Code changes nothing when it is uninstalled.
type installation struct {
	list string // path of the list; "" if there is no home folder
	seen bool   // it was in the list once
}

// newInstallation returns the installation in Claude Code's configuration folder.
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

// uninstalled reports whether the plugin was in the list, and is not any more. Who starts a daemon
// without the plugin never had it there.
func (i *installation) uninstalled() bool {
	text, err := regular.Read(i.list, maxInstalled)
	if err != nil {
		return false
	}
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := json.Unmarshal(text, &list); err != nil || list.Plugins == nil {
		return false // another form, or only half written
	}
	for name := range list.Plugins {
		if strings.HasPrefix(name, pluginPrefix) {
			i.seen = true
			return false
		}
	}
	return i.seen
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
