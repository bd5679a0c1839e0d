package machines

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/api"
	"recollect/internal/system/durable"
	"recollect/internal/system/git"
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

// copyOf returns the copy of the repository of a target.
func (m *Machine) copyOf(to, address string) repository {
	return repository{dir: stateFile(m.Home, to) + ".git", address: address}
}

// syncGit is syncFolder for a git repository.
func (m *Machine) syncGit(ctx context.Context, to, address string, anew bool) (api.Synced, error) {
	r := m.copyOf(to, address)
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
	r := m.copyOf(to, address)
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
	own := git.Copy{Dir: r.dir}
	if _, err := os.Stat(filepath.Join(r.dir, ".git", "HEAD")); errors.Is(err, fs.ErrNotExist) {
		if err := r.begin(ctx); err != nil {
			return err
		}
	}
	heads, err := r.reach(ctx, "ls-remote", "--heads", "--", "refs/heads/"+branch)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if strings.TrimSpace(heads) == "" { // nobody has pushed yet
		_, err := own.Run(ctx, "update-ref", "-d", "refs/heads/"+branch)
		return errors.Join(err, os.RemoveAll(filepath.Join(r.dir, top)))
	}
	if _, err := r.reach(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--", "refs/heads/"+branch); err != nil {
		return err
	}
	if err := r.checkSize(ctx); err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	for _, args := range [][]string{{"reset", "--quiet", "--hard", "FETCH_HEAD"}, {"clean", "--quiet", "-ffdx"}} {
		if _, err := own.Run(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// maxContent is how much the files of a repository may have in all, in bytes. A few kilobytes of
// objects can name terabytes.
const maxContent = 4 << 30

// checkSize returns an error if what was fetched would not fit. What git prints is bounded, and so
// are the files.
func (r repository) checkSize(ctx context.Context) error {
	list, err := git.Copy{Dir: r.dir}.Run(ctx, "ls-tree", "-r", "-l", "--full-tree", "FETCH_HEAD")
	if err != nil {
		return err
	}
	total := int64(0)
	for line := range strings.Lines(list) {
		fields := strings.Fields(line) // mode, type, object, size, path
		if len(fields) < 4 || fields[1] != "blob" {
			continue // a submodule, of which nothing is read
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if total += size; err != nil || size > maxContent || total > maxContent {
			return fmt.Errorf("its files have more than %d GiB", maxContent>>30)
		}
	}
	return nil
}

// begin makes an empty copy.
func (r repository) begin(ctx context.Context) error {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.dir, ".git", "info"), 0o700); err != nil {
		return err
	}
	if err := (git.Copy{Dir: r.dir}).Init(ctx, branch); err != nil {
		return err
	}
	// What the repository says of its files has no say: no filter is run, and no byte is changed.
	return durable.WriteFile(filepath.Join(r.dir, ".git", "info", "attributes"), []byte("* -text -filter -ident -working-tree-encoding\n"), 0o600)
}

// push sends what was written to the copy, and returns false if another machine has pushed meanwhile.
func (r repository) push(ctx context.Context, writer string) (bool, error) {
	own := git.Copy{Dir: r.dir}
	if _, err := own.Run(ctx, "add", "--all", "--force", "--", "."); err != nil {
		return false, err
	}
	changed, err := r.commit(ctx, "memories of "+writer)
	if err != nil || !changed {
		return err == nil, err
	}
	_, err = r.reach(ctx, "push", "--quiet", "--no-verify", "--", "HEAD:refs/heads/"+branch)
	if err == nil {
		return true, nil
	}
	if said := err.Error(); strings.Contains(said, "rejected") || strings.Contains(said, "cannot lock ref") || strings.Contains(said, "failed to update ref") {
		return false, nil
	}
	return false, err
}

// commit records the work tree, and returns false if it is that of the last commit. It asks for no
// status, for which git would read what the repository says of its submodules.
func (r repository) commit(ctx context.Context, message string) (changed bool, err error) {
	own := git.Copy{Dir: r.dir}
	tree, err := own.Run(ctx, "write-tree")
	if err != nil {
		return false, err
	}
	args := []string{"commit-tree", "-m", message}
	if last, err := own.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{tree}"); err == nil {
		if last == tree {
			return false, nil
		}
		args = append(args, "-p", "HEAD")
	} else if list, err := own.Run(ctx, "ls-files"); err != nil || list == "" {
		return false, err
	}
	commit, err := own.Run(ctx, append(args, strings.TrimSpace(tree))...)
	if err != nil {
		return false, err
	}
	_, err = own.Run(ctx, "update-ref", "HEAD", strings.TrimSpace(commit))
	return err == nil, err
}

// reach runs a command of git that asks the repository, whose address is put before the last
// argument. One on a disk is reached through a view of it.
func (r repository) reach(ctx context.Context, args ...string) (string, error) {
	own, last := git.Copy{Dir: r.dir}, len(args)-1
	at := func(address string) []string { return append(slices.Clone(args[:last]), address, args[last]) }
	if !git.IsLocal(r.address) {
		return own.Reach(ctx, at(r.address)...)
	}
	view := strings.TrimSuffix(r.dir, ".git") + ".view"
	err := git.View(view, r.address)
	defer os.RemoveAll(view) // of links alone
	if err != nil {
		return "", err
	}
	return own.ReachView(ctx, at(view)...)
}
