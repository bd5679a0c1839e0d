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

// attempts is how often a sync is tried if another machine pushes first.
const attempts = 5

var errForestalled = errors.New("push: other machines forestalled it each time")

// branch is the branch of a repository that has the segments.
const branch = "recollect"

// gitAddress returns the address of a target for git, and reports whether the target is a repository.
func gitAddress(to string) (string, bool) {
	for scheme, plain := range map[string]string{"git+ssh://": "ssh://", "git+file://": "file://", "git+https://": "https://"} {
		if rest, ok := strings.CutPrefix(to, scheme); ok {
			return plain + rest, true
		}
	}
	return to, filepath.IsAbs(to) && strings.HasSuffix(to, ".git")
}

// A repository is a local copy of a git repository in which the segments are files. Each attempt begins
// with the content of the git repository, and drops what was not pushed.
type repository struct {
	dir     string
	address string
}

// copyOf returns the local copy of a target.
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
		if s.Dead != dead || anew || len(s.old) > 0 { // the history of the copy may contain forgotten or unencrypted memories
			if err := os.RemoveAll(r.dir); err != nil {
				return done, err
			}
		}
		return done, s.save()
	}
	return api.Synced{}, errForestalled
}

// leaveGit is Leave for a git repository. The history of the repository still has the segments.
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

// pull gives the copy the content of the repository. If git fails in the copy, where a killed git may
// have left locks and incomplete files, it makes a new copy.
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

// maxContent is the most that all files of a repository may have, in bytes: a few kilobytes of objects
// can describe terabytes.
const maxContent = 4 << 30

// checkSize returns an error if the files that were fetched exceed maxContent.
func (r repository) checkSize(ctx context.Context) error {
	list, err := git.Copy{Dir: r.dir}.Run(ctx, "ls-tree", "-r", "-l", "--full-tree", "FETCH_HEAD")
	if err != nil {
		return err
	}
	total := int64(0)
	for line := range strings.Lines(list) {
		fields := strings.Fields(line) // mode, type, object, size, path
		if len(fields) < 4 || fields[1] != "blob" {
			continue // a submodule, which is not fetched
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
	// These attributes override those in the repository: git runs no filter and changes no byte.
	return durable.WriteFile(filepath.Join(r.dir, ".git", "info", "attributes"), []byte("* -text -filter -ident -working-tree-encoding\n"), 0o600)
}

// push commits and pushes the content of the copy. It returns false if another machine has pushed first.
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

// commit commits the index, and returns false if it equals the last commit. It does not run git status,
// which would read the repository's settings for submodules.
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

// reach runs a git command that connects to the repository. It inserts the repository's address before
// the last argument. It reaches a repository on a disk through a view of it.
func (r repository) reach(ctx context.Context, args ...string) (string, error) {
	own, last := git.Copy{Dir: r.dir}, len(args)-1
	with := func(address string) []string { return append(slices.Clone(args[:last]), address, args[last]) }
	if !git.IsLocal(r.address) {
		return own.Reach(ctx, with(r.address)...)
	}
	view := strings.TrimSuffix(r.dir, ".git") + ".view"
	err := git.View(view, r.address)
	defer os.RemoveAll(view) // it has only links
	if err != nil {
		return "", err
	}
	return own.ReachView(ctx, with(view)...)
}
