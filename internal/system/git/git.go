// Package git runs git for all other packages. A repository may name programs in its settings and hooks,
// and whoever can write to it chooses them. So git never uses the settings of a foreign repository: it
// works in a repository of our own, asks another machine, or accesses a repository on a disk through a
// View, which has no foreign settings.
//
// git never asks a question and always has a deadline.
package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// localIn is the deadline of git on this machine, remoteIn with another machine.
	localIn  = 5 * time.Minute
	remoteIn = 15 * time.Minute
	// nameIn is the deadline for reading a setting.
	nameIn = 3 * time.Second
	// endIn is how long the programs that git started may outlive it.
	endIn = 2 * time.Second
	// maxPrinted is the largest size of git's output, in bytes.
	maxPrinted = 16 << 20
)

// settings apply to every run of git, whatever the user's own settings are.
var settings = []string{
	"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.symlinks=false", "core.autocrlf=false", "core.alternateRefsCommand=true",
	"core.askPass=", "credential.interactive=false", "protocol.allow=never", "protocol.ext.allow=never",
	"commit.gpgSign=false", "push.gpgSign=false", "push.recurseSubmodules=no", "submodule.recurse=false", "fetch.recurseSubmodules=false",
	"diff.ignoreSubmodules=all", "core.bigFileThreshold=16m", "gc.auto=0", "maintenance.auto=false", "user.name=recollect", "user.email=recollect@localhost",
}

// A Copy is a repository of our own, with its work tree.
type Copy struct{ Dir string }

// Init makes an empty copy whose branch has the given name.
func (c Copy) Init(ctx context.Context, branch string) error {
	s := start{dir: c.Dir, limit: localIn}
	_, err := s.run(ctx, "init", "--quiet", "--template=", "--initial-branch="+branch, "--", c.Dir)
	return err
}

// Run runs git in the copy, without the user's settings, and returns what it printed.
func (c Copy) Run(ctx context.Context, args ...string) (string, error) {
	s := start{dir: c.Dir, limit: localIn}
	return s.run(ctx, append(c.place(), args...)...)
}

// Reach is Run for commands that contact another machine, by ssh or https, in the way that the user's
// settings say.
func (c Copy) Reach(ctx context.Context, args ...string) (string, error) {
	s := start{dir: c.Dir, limit: remoteIn, own: true, protocols: "ssh:https"}
	return s.run(ctx, append(c.place(), args...)...)
}

// ReachView is Run for commands that contact a View.
func (c Copy) ReachView(ctx context.Context, args ...string) (string, error) {
	s := start{dir: c.Dir, limit: localIn, protocols: "file"}
	return s.run(ctx, append(c.place(), args...)...)
}

// ReadView runs a command that only reads in a View, and returns what it printed.
func ReadView(ctx context.Context, view string, args ...string) (string, error) {
	s := start{dir: view, limit: localIn}
	return s.run(ctx, append([]string{"--git-dir=" + view}, args...)...)
}

// place returns the options that name the repository, so that git does not search the folders above.
func (c Copy) place() []string {
	return []string{"--git-dir=" + filepath.Join(c.Dir, ".git"), "--work-tree=" + c.Dir}
}

// UserName returns the user's name in git's settings for a folder, or "". It reads the repository's own
// settings file, but none that it includes.
func UserName(ctx context.Context, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, nameIn)
	defer cancel()
	for _, scope := range [][]string{{"--local", "--no-includes"}, {"--global", "--includes"}, {"--system", "--includes"}} {
		s := start{dir: dir, limit: nameIn, own: true}
		name, err := s.run(ctx, slices.Concat([]string{"config"}, scope, []string{"--get", "user.name"})...)
		if name = strings.TrimSpace(name); err == nil && name != "" {
			return name, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("ask git for user.name: no answer within %s", nameIn)
		}
	}
	return "", nil
}

// A start says how git is started.
type start struct {
	dir       string
	limit     time.Duration
	own       bool   // the user's own settings apply
	protocols string // protocols allowed for other repositories, as git lists them
}

// run runs git and returns its output.
func (s start) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.limit, fmt.Errorf("no answer within %s", s.limit))
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", s.args(args)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.dir, s.environment(), endIn
	endGroup(cmd)
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		} else if out.err != nil { // git died because of it
			err = out.err
		}
		return "", fmt.Errorf("git %s: %w: %s", verb(args), err, LastLines(said.String()))
	}
	return out.String(), nil
}

// args puts the settings before the arguments, except for a git config command, which must not see them.
func (s start) args(args []string) []string {
	var all []string
	for _, setting := range settings {
		if args[0] == "config" {
			break
		}
		all = append(all, "-c", setting)
	}
	return append(all, args...)
}

// verb returns the git command among the arguments.
func verb(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}

// userVariables are the variables by which users say how git reaches other machines, and where their settings
// are.
var userVariables = []string{
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_HTTP_PROXY_AUTHMETHOD",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
}

// environment returns the environment of the process without variables that would make git use another
// repository, other settings or programs, ask a question or write elsewhere.
func (s start) environment() []string {
	var kept []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		ours := name == "GIT_EXEC_PATH" || s.own && slices.Contains(userVariables, name)
		if ours || !strings.HasPrefix(name, "GIT_") {
			kept = append(kept, v)
		}
	}
	if !s.own {
		kept = append(kept, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1")
	}
	return append(kept, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_ALLOW_PROTOCOL="+s.protocols, "LC_ALL=C")
}

// A bounded collects the output of a program up to a limit. It does not embed the buffer, because copying
// to an embedded buffer would bypass Write.
type bounded struct {
	text bytes.Buffer
	err  error // set once the limit is exceeded
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxPrinted {
		b.err = fmt.Errorf("it prints more than %d MiB", maxPrinted>>20)
		return 0, b.err
	}
	return b.text.Write(p)
}

func (b *bounded) String() string { return b.text.String() }

// maxSaid is the number of bytes of a program's output that an error quotes.
const maxSaid = 400

// LastLines returns the end of a program's output, in one line.
func LastLines(said string) string {
	said = strings.Join(strings.Fields(said), " ")
	return said[max(0, len(said)-maxSaid):]
}
