//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	clientVersion = "2.1.332"

	// apiKey is not a real key, but the client insists on one.
	apiKey = "recollect-e2e-not-a-key-000000000000"

	installTimeout = 3 * time.Minute
	runTimeout     = time.Minute
)

// errNoClient means that the client is neither in the cache nor available from the registry. Callers skip
// the test, unless the tests have to run.
var errNoClient = errors.New("no Claude Code client")

// installClient returns the client's executable. If necessary, it installs the npm package into the
// user's cache.
func installClient(ctx context.Context) (string, error) {
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	if path := findClient(dir); path != "" {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	// Renamed when complete, so that an interrupted installation is not used.
	temp, err := os.MkdirTemp(filepath.Dir(dir), "install")
	if err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", temp, "--ignore-scripts", "--no-audit", "--no-fund",
		"--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "@anthropic-ai/claude-code@"+clientVersion)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: npm install: %w: %s", errNoClient, err, bytes.TrimSpace(out))
	}
	if findClient(temp) == "" {
		return "", fmt.Errorf("%w: npm has none for this platform", errNoClient)
	}
	if err := os.Rename(temp, dir); err != nil && findClient(dir) == "" {
		return "", fmt.Errorf("keep client: %w", err)
	}
	return findClient(dir), nil
}

func cacheDir() (string, error) {
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find cache: %w", err)
		}
		cache = filepath.Join(home, ".cache")
	}
	return filepath.Join(cache, "recollect-e2e", "client-"+clientVersion), nil
}

// findClient searches for the platform's executable below dir. The package's own install script would
// only link it.
func findClient(dir string) string {
	paths, _ := filepath.Glob(filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
	for _, path := range paths {
		if fi, err := os.Stat(path); err == nil && fi.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// A client runs Claude Code in a home and a project of its own.
type client struct {
	binary  string
	home    string
	project string
	plugin  string // folder of the plugin for each session; "" for none
	apiURL  string
	extra   []string // additional variables, NAME=value, after the others
}

// A result is the outcome of one run of a command.
type result struct {
	stdout, stderr string
	status         int
}

// prompt runs one prompt in print mode. It allows Bash and Write, so that scripted tool calls run.
func (c *client) prompt(ctx context.Context, prompt string, args ...string) (result, error) {
	all := append([]string{"-p", prompt, "--allowedTools", "Bash,Write"}, args...)
	if c.plugin != "" {
		all = append(all, "--plugin-dir", c.plugin)
	}
	return c.run(ctx, c.binary, all...)
}

// run runs a command with the client's environment in the project.
func (c *client) run(ctx context.Context, name string, args ...string) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var stdout, stderr strings.Builder
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.project, c.environment(), &stdout, &stderr
	// A daemon that wrongly keeps our pipes open must not make the test hang.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String(), status: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return r, fmt.Errorf("run %s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, r.stderr)
	}
	return r, nil
}

// environment returns the complete environment of the client. The proxies are the discard port, where
// nothing listens.
func (c *client) environment() []string {
	const nowhere = "http://127.0.0.1:9"
	temp := filepath.Join(c.home, "tmp")
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + c.home, "CLAUDE_CONFIG_DIR=" + c.config(), "RECOLLECT_HOME=" + c.data(),
		"TMPDIR=" + temp, "CLAUDE_CODE_TMPDIR=" + temp,
		"USER=dev", "SHELL=/bin/sh", "TERM=dumb", "LANG=C.UTF-8",
		"ANTHROPIC_BASE_URL=" + c.apiURL, "ANTHROPIC_API_KEY=" + apiKey,
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "NO_PROXY=127.0.0.1,localhost",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL=1",
		"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_GROWTHBOOK=1", "DO_NOT_TRACK=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_UPDATES=1",
	}, c.extra...)
}

// config returns the client's configuration folder.
func (c *client) config() string { return filepath.Join(c.home, ".claude") }

// data returns recollect's data folder.
func (c *client) data() string { return filepath.Join(c.home, ".recollect") }
