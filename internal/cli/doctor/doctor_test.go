package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/config"
	"recollect/internal/daemon/lease"
	"recollect/internal/memory"
	"recollect/internal/system/crash"
)

// healthy is an installation in which every check is fine.
func healthy(t *testing.T) *installation {
	t.Helper()
	home := t.TempDir()
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Stat(home)
	if err != nil {
		t.Fatal(err)
	}
	return &installation{
		home: home, folder: folder, version: "1.2.3", now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC), hookPath: "/opt/recollect/bin/recollect-hook",
		sizes: map[string]int64{"memories": 1 << 20}, free: 50 << 30, sessions: 2, inForce: config.Default(),
		health: api.Health{Version: "1.2.3", Index: api.IndexReady, Embedder: "builtin, ready", Memories: 7, Indexed: 7, Embedded: 7},
		stats:  api.Stats{Captured: 3, Sources: map[memory.Source]*api.SourceStats{memory.Episodes: {Memories: 4}}},
	}
}

func TestChecks(t *testing.T) {
	caused := func(cause api.Cause, text string) func(*installation) {
		return func(in *installation) { in.health.AddProblemOf(api.SyncProblem, cause, text) }
	}
	problems := func(kind api.ProblemKind, lines ...string) func(*installation) {
		return func(in *installation) {
			for _, line := range lines {
				in.health.AddProblem(kind, "", line)
			}
		}
	}
	tests := []struct {
		name   string
		damage func(*installation)
		check  string // the one that finds something
		state  string
		says   []string // in its text or its hint
	}{
		{"nothing", func(*installation) {}, "", "", nil},
		{"switched off", func(in *installation) { in.disabled = true }, "hooks", stateWarning, []string{"unset RECOLLECT_DISABLE"}},
		{"no hook", func(in *installation) { in.hookErr = fs.ErrNotExist }, "plugin", stateProblem, []string{"claude plugin install"}},
		{"a hook for another machine", func(in *installation) { in.hookErr = errors.New("exec format error") }, "plugin", stateProblem, []string{"exec format error", "install the plugin"}},
		{"a hook that is not built", func(in *installation) { in.hookErr = errNotBuilt }, "plugin", stateProblem, []string{filepath.FromSlash("/opt/recollect/scripts/build")}},
		{"no folder yet", func(in *installation) { in.folder, in.folderErr = nil, fs.ErrNotExist }, "", "", nil},
		{"a folder that cannot be read", func(in *installation) { in.folder, in.folderErr = nil, fs.ErrPermission }, "folder", stateProblem, []string{"permission denied", "RECOLLECT_HOME"}},
		{"a folder that cannot be written to", func(in *installation) { in.writeErr = errors.New("read-only file system") }, "folder", stateProblem, []string{"read-only", "RECOLLECT_HOME"}},
		{"what another user made there", func(in *installation) { in.foreign = []string{"config.toml.foreign", "usage.jsonl"} }, "folder", stateProblem, []string{"config.toml.foreign, and 1 more", "chown"}},
		{"an index in memory", problems(api.MemoryIndexProblem, "kept in memory: no space left on device"), "index", stateWarning, []string{"no space left on device", "daemon stop"}},
		{"a daemon that hangs", func(in *installation) { in.daemonErr = &app.HungError{PID: 4711} }, "daemon", stateProblem, []string{"process 4711, does not answer", "daemon stop --force"}},
		{"a large folder", func(in *installation) { in.sizes["vectors"] = 2 << 30 }, "size", stateWarning, []string{"2049 MiB: memories 1.0", "vectors 2048", "--before 2025-07-01"}},
		{"a folder that other machines have mounted", func(in *installation) { in.network = "fuse.sshfs" }, "folder", stateWarning, []string{"fuse.sshfs", "recollect sync TARGET"}},
		{"another machine's daemon", func(in *installation) {
			in.daemonErr = &lease.HeldError{Dir: in.home, Holder: lease.Holder{Host: "desk"}, Age: 3 * time.Second}
		}, "daemon", stateProblem, []string{"desk, whose daemon was there 3s ago", "recollect daemon stop"}},
		{"no locks", func(in *installation) { in.daemonErr = fmt.Errorf("lock /x: %w", lease.ErrNoLocks) }, "daemon", stateProblem, []string{"locks do not hold", "RECOLLECT_HOME"}},
		{"a full disk", func(in *installation) { in.free = 199 << 20 }, "size", stateWarning, []string{"199 MiB free", "free space"}},
		{"a disk whose free space is not known", func(in *installation) { in.free = -1 }, "", "", nil},
		{"mistakes in the settings", func(in *installation) {
			in.settingsErr = errors.New("config.toml:3: x is not a setting\nconfig.toml:4: y is not a setting")
		}, "settings", stateProblem, []string{"config.toml:3", "and 1 more", "recollect config check"}},
		{"mistakes that the daemon knows too", func(in *installation) {
			in.settingsErr, in.refused = errors.New("config.toml:3: x is not a setting"), "config.toml:3: x is not a setting"
			in.health.AddProblem(api.SettingsProblem, "", in.refused)
		}, "settings", stateProblem, nil},
		{"a variable that the daemon was started with", func(in *installation) {
			in.refused = "RECOLLECT_BUDGET_ITEMS: must be a number"
			in.health.AddProblem(api.SettingsProblem, "", in.refused)
		}, "daemon", stateProblem, []string{"RECOLLECT_BUDGET_ITEMS", "recollect daemon stop"}},
		{"an older daemon", func(in *installation) { in.health.Version = "1.2.2" }, "daemon", stateWarning, []string{"1.2.2 is running", "recollect daemon stop"}},
		{"a newer daemon", func(in *installation) { in.health.Version = "1.3.0" }, "daemon", stateWarning, []string{"1.3.0 is running"}},
		{"something that this version does not know", problems("moon", "the moon is full"), "daemon", stateProblem, []string{"the moon is full", "daemon.log"}},
		{"a daemon that names no kinds", func(in *installation) { in.health.Problems = []string{"the moon is full"} }, "daemon", stateProblem, []string{"the moon is full"}},
		{"unreadable lines", problems(api.LogProblem, "inbox.jsonl:2: no JSON", "inbox.jsonl:9: no JSON"), "memories", stateProblem, []string{"inbox.jsonl:2", "and 1 more", "recollect daemon stop"}},
		{"a crash", func(in *installation) { in.torn = []string{"inbox.jsonl.torn"} }, "memories", stateWarning, []string{"inbox.jsonl.torn", "delete it"}},
		{"an index that is being filled", func(in *installation) { in.health.Index = "indexing, 5 of 7" }, "index", stateWarning, []string{"5 of 7", "recollect status"}},
		{"an index that stopped", problems(api.IndexProblem, "input/output error"), "index", stateProblem, []string{"input/output error", "rm -r"}},
		{"an embedder that fails", problems(api.EmbedderProblem, "connection refused"), "embedder", stateProblem, []string{"connection refused", `kind = "builtin"`}},
		{"no embedder", func(in *installation) { in.health.Embedder = "off" }, "", "", nil},
		{"an extractor that fails", problems(api.ExtractorProblem, "refine /a/b.jsonl: extractor ollama: out of memory"), "extractor", stateWarning, []string{"out of memory", `extractor = "rules"`}},
		{"turns that are left out", func(in *installation) {
			in.health.Skipped = 2
			problems(api.CaptureProblem, "/a/b.jsonl: the turn at line 7 of session s1: panic: index out of range", "/a/b.jsonl: the turn at line 9 of session s1: panic: nil")(in)
		}, "capture", stateWarning, []string{"2 turns", "line 7 of session s1", "and 1 more", "next version"}},
		{"a daemon that died", func(in *installation) { in.died = died(in.now.Add(-time.Hour), "1.2.3") }, "daemon", stateWarning, []string{"2026-07-01 11:00:00", "panic: boom, in handoff.settle (read.go:94)", "daemon.died", "pid"}},
		{"a daemon that died long ago", func(in *installation) { in.died = died(in.now.AddDate(0, 0, -8), "1.2.3") }, "", "", nil},
		{"a daemon of another version that died", func(in *installation) { in.died = died(in.now.Add(-time.Hour), "1.2.2") }, "", "", nil},
		{"a daemon that dies at its start", func(in *installation) {
			in.died, in.daemonErr = died(in.now, "1.2.3"), errors.New("start daemon: it ended with exit status 2")
		}, "daemon", stateProblem, []string{"exit status 2", "panic: boom", "daemon.died"}},
		{"failed captures", func(in *installation) { in.stats.CaptureFailed = 2 }, "capture", stateWarning, []string{"2 of 5", "daemon.log"}},
		{"nothing imported", func(in *installation) { in.stats.Sources = nil }, "sessions", stateWarning, []string{"2 in Claude", "recollect import"}},
		{"a target that cannot be reached", problems(api.SyncProblem, "sync /mnt/desk: no such file or directory"), "sync", stateProblem, []string{"/mnt/desk", "recollect sync"}},
		{"a target that is encrypted", caused(api.NoKey, "sync /mnt/desk: it is encrypted"), "sync", stateProblem, []string{"it is encrypted", "recollect sync --key"}},
		{"deletions that wait", caused(api.DeletionsHeld, "9 memories would be deleted here"), "sync", stateProblem, []string{"9 memories", "--accept-deletions"}},
		{"secrets of an earlier version", func(in *installation) {
			in.secrets = api.Redacted{Memories: 3, Kinds: map[string]int{"password": 2, "jwt": 1}}
		}, "secrets", stateWarning, []string{"3 memories", "1 jwt, 2 password", "doctor --fix"}},
		{"secrets taken out", func(in *installation) { in.secrets, in.fixed = api.Redacted{Memories: 3, Gone: true}, true }, "", "", nil},
		{"secrets that are still in a file", func(in *installation) { in.secrets, in.fixed = api.Redacted{Memories: 3}, true }, "secrets", stateWarning, []string{"not gone"}},
		{"nothing to import", func(in *installation) { in.stats.Sources, in.sessions = nil, 0 }, "", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := healthy(t)
			tt.damage(in)
			want := tt.check
			for _, f := range in.runChecks() {
				if (f.State == stateOK) != (f.Hint == "") {
					t.Errorf("%s: %s, with the hint %q", f.Check, f.State, f.Hint)
				}
				if f.State == stateOK {
					continue
				}
				if f.Check != want || f.State != tt.state {
					t.Errorf("%s: %s: %s; want %q: %s", f.Check, f.State, f.Text, want, tt.state)
					continue
				}
				want = ""
				for _, says := range tt.says {
					if !strings.Contains(f.Text+"\n"+f.Hint, says) {
						t.Errorf("it says %q, hint %q; want %q", f.Text, f.Hint, says)
					}
				}
			}
			if want != "" {
				t.Errorf("%s found nothing", want)
			}
		})
	}
}

// died is a daemon that died at a time.
func died(at time.Time, version string) *crash.Death {
	return &crash.Death{At: at, Version: version, Trace: "panic: boom\n\ngoroutine 7 [running]:\nhandoff.settle(0x1)\n\thandoff/read.go:94 +0x1\n"}
}

// Without a daemon, the checks that need its answers are left out.
func TestChecksWithoutDaemon(t *testing.T) {
	in := healthy(t)
	in.daemonErr, in.health = api.ErrNoDaemon, api.Health{}
	found := in.runChecks()
	last := found[len(found)-1]
	if last.Check != "daemon" || last.State != stateProblem || last.Hint != "recollect daemon run shows why" {
		t.Errorf("the last finding is %+v", last)
	}
	if err := errorOf(found); err == nil || err.Error() != "there is a problem: daemon" {
		t.Errorf("problems() = %v", err)
	}
}
