package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"recollect/internal/api"
	"recollect/internal/durable"
)

// attempts is how often a push is tried that another machine has forestalled.
const attempts = 5

var errForestalled = errors.New("push: other machines forestalled it each time")

// branch is the one of a repository that has the segments.
const branch = "recollect"

// gitAddress returns what git calls the repository of a target, and false if it is none.
func gitAddress(to string) (string, bool) {
	for scheme, plain := range map[string]string{"git+ssh://": "ssh://", "git+file://": "file://", "git+https://": "https://"} {
		if rest, ok := strings.CutPrefix(to, scheme); ok {
			return plain + rest, true
		}
	}
	return to, filepath.IsAbs(to) && strings.HasSuffix(to, ".git")
}

// A repository is a copy of a git repository, in which the segments are files. Nothing is kept in it
// that was not pushed: before each attempt it becomes what the other one has.
type repository struct {
	dir     string
	address string
}

// syncGit is syncFolder for a git repository.
func (m *Machine) syncGit(ctx context.Context, to, address string, anew bool) (api.Synced, error) {
	r := repository{dir: stateFile(m.Home, to) + ".git", address: address}
	var received, deleted int
	for range attempts {
		if err := r.pull(ctx); err != nil {
			return api.Synced{}, err
		}
		s, err := m.openState(to)
		if err != nil {
			return api.Synced{}, err
		}
		f, err := openFolder(r.dir)
		if err != nil {
			return api.Synced{}, err
		}
		dead := s.Dead
		done, err := m.sync(ctx, f, s, anew)
		err = errors.Join(err, f.root.Close())
		received, deleted = received+done.Received, deleted+done.Deleted
		done.Received, done.Deleted = received, deleted
		if err != nil {
			return done, err
		}
		pushed, err := r.push(ctx, m.Writer)
		if err != nil {
			return done, err
		}
		if !pushed {
			continue
		}
		if s.Dead != dead || anew || len(s.old) > 0 { // git would keep the words of what was forgotten, or what was not encrypted
			if err := os.RemoveAll(r.dir); err != nil {
				return done, err
			}
		}
		return done, s.save()
	}
	return api.Synced{}, errForestalled
}

// leaveGit is Leave for a git repository. Its history keeps what was there.
func (m *Machine) leaveGit(ctx context.Context, to, address string) error {
	r := repository{dir: stateFile(m.Home, to) + ".git", address: address}
	for range attempts {
		if err := r.pull(ctx); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(r.dir, top, m.Writer)); err != nil {
			return err
		}
		if pushed, err := r.push(ctx, m.Writer); err != nil {
			return err
		} else if pushed {
			return os.RemoveAll(r.dir)
		}
	}
	return errForestalled
}

var errUnreachable = errors.New("repository cannot be reached")

// pull makes the copy what the repository has. If git fails in the copy, as one that was killed may
// have left locks and halves there, the copy is made anew.
func (r repository) pull(ctx context.Context) error {
	err := r.mirror(ctx)
	if err == nil || ctx.Err() != nil || errors.Is(err, errUnreachable) {
		return err
	}
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	return r.mirror(ctx)
}

func (r repository) mirror(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(r.dir, ".git", "HEAD")); errors.Is(err, fs.ErrNotExist) {
		if err := os.RemoveAll(r.dir); err != nil {
			return err
		}
		if err := os.MkdirAll(r.dir, 0o700); err != nil {
			return err
		}
		if _, err := r.git(ctx, "init", "--quiet", "--initial-branch="+branch); err != nil {
			return err
		}
		// What the repository says of its files has no say: no filter is run, and no byte is changed.
		if err := durable.WriteFile(filepath.Join(r.dir, ".git", "info", "attributes"), []byte("* -text -filter -ident -working-tree-encoding\n"), 0o600); err != nil {
			return err
		}
	}
	heads, err := r.git(ctx, "ls-remote", "--heads", "--", r.address, "refs/heads/"+branch)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if strings.TrimSpace(heads) == "" { // nobody has pushed yet
		_, err := r.git(ctx, "update-ref", "-d", "refs/heads/"+branch)
		return errors.Join(err, os.RemoveAll(filepath.Join(r.dir, top)))
	}
	for _, args := range [][]string{
		{"fetch", "--quiet", "--depth=1", "--", r.address, "refs/heads/" + branch},
		{"reset", "--quiet", "--hard", "FETCH_HEAD"},
		{"clean", "--quiet", "-ffdx"},
	} {
		if _, err := r.git(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// push sends what was written to the copy, and returns false if another machine has pushed meanwhile.
func (r repository) push(ctx context.Context, writer string) (bool, error) {
	if _, err := r.git(ctx, "add", "--all", "--force", "--", "."); err != nil {
		return false, err
	}
	changed, err := r.git(ctx, "status", "--porcelain")
	if err != nil || strings.TrimSpace(changed) == "" {
		return err == nil, err
	}
	if _, err := r.git(ctx, "commit", "--quiet", "--message=memories of "+writer); err != nil {
		return false, err
	}
	_, err = r.git(ctx, "push", "--quiet", "--", r.address, "HEAD:refs/heads/"+branch)
	if err == nil {
		return true, nil
	}
	if said := err.Error(); strings.Contains(said, "rejected") || strings.Contains(said, "cannot lock ref") || strings.Contains(said, "failed to update ref") {
		return false, nil
	}
	return false, err
}

// git runs git in the copy and returns what it printed. Nothing is asked, nothing of the user's
// settings is run, and a link of the repository becomes a file that is none of ours.
func (r repository) git(ctx context.Context, args ...string) (string, error) {
	set := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.symlinks=false", "-c", "core.autocrlf=false", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false",
		"-c", "protocol.ext.allow=never", "-c", "user.name=recollect", "-c", "user.email=recollect@localhost", "-c", "gc.auto=0",
	}
	cmd := exec.CommandContext(ctx, "git", append(set, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(environment(), "GIT_TERMINAL_PROMPT=0", "SSH_ASKPASS_REQUIRE=never", "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, lastLines(errs.String()))
	}
	return out.String(), nil
}

// environment is that of the process without what would have git use another repository.
func environment() []string {
	var kept []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_COMMON_DIR":
		default:
			kept = append(kept, v)
		}
	}
	return kept
}

// maxSaid is how much of what a program says is in an error, in bytes.
const maxSaid = 400

func lastLines(said string) string {
	said = strings.Join(strings.Fields(said), " ")
	return said[max(0, len(said)-maxSaid):]
}
