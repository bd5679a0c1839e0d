package unpack

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"recollect/internal/system/git"
	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// Where Entire keeps checkpoints in a repository: on a branch, also as another machine pushed it, and as refs
// of their own.
var checkpointRefs = []string{
	"+refs/heads/entire/*:refs/entire/heads/*", "+refs/remotes/origin/entire/*:refs/entire/origin/*", "+refs/entire/checkpoints/*:refs/entire/checkpoints/*",
}

const (
	checkpointTranscript = "full.jsonl"    // a large one is continued in full.jsonl.001 and so on
	checkpointMetadata   = "metadata.json" // beside it
	maxMetadata          = 1 << 20
)

// unpackCheckpoints reads the transcripts in the checkpoints of a repository. A checkpoint has the whole
// session up to it, so only the longest one of each session is read.
func (w *writer) unpackCheckpoints(ctx context.Context, repository string) error {
	repository, err := filepath.Abs(repository)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(w.dir, "checkpoints-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	refs, own, err := fetchCheckpoints(ctx, repository, work)
	if err != nil {
		return err
	}
	if len(refs) == 0 {
		return fmt.Errorf("%s: has no checkpoints of Entire", repository)
	}
	commits, err := readCommits(ctx, filepath.Join(work, viewName))
	if err != nil {
		w.skip(fmt.Errorf("the commits of the checkpoints: %w", err))
	}
	all := map[string]*session{}
	for _, ref := range refs {
		if _, err := own.Run(ctx, "checkout", "--quiet", "--force", "--detach", ref); err != nil {
			w.skip(err)
			continue
		}
		if err := w.collect(own.Dir, all); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if err := w.writeSession(id, all[id], commits, repository); err != nil {
			return err
		}
	}
	return nil
}

const viewName = "view" // in the folder that is worked in

// fetchCheckpoints copies the checkpoints of a repository into one of our own, and returns their refs.
func fetchCheckpoints(ctx context.Context, repository, work string) ([]string, git.Copy, error) {
	own, view := git.Copy{Dir: filepath.Join(work, "own")}, filepath.Join(work, viewName)
	if err := os.Mkdir(own.Dir, 0o700); err != nil {
		return nil, own, err
	}
	if err := own.Init(ctx, "none"); err != nil {
		return nil, own, err
	}
	if err := git.View(view, repository); err != nil {
		return nil, own, err
	}
	fetch := append([]string{"fetch", "--quiet", "--no-tags", "--depth=1", "file://" + view}, checkpointRefs...)
	if _, err := own.ReachView(ctx, fetch...); err != nil {
		return nil, own, err
	}
	refs, err := own.Run(ctx, "for-each-ref", "--format=%(refname)", "refs/entire")
	return strings.Fields(refs), own, err
}

// trailer is the line of a commit's message that names the checkpoint with what led to it.
var trailer = regexp.MustCompile(`(?m)^Entire-Checkpoint: *([0-9A-Za-z]+)`)

// readCommits returns the commits that checkpoints are about, by the checkpoint's id: of several the first that was made.
func readCommits(ctx context.Context, view string) (map[string]string, error) {
	printed, err := git.ReadView(ctx, view, "log", "--exclude=entire/*", "--branches", "--exclude=origin/entire/*", "--remotes", "--grep=^Entire-Checkpoint:", "--format=%H%n%B%x00")
	if err != nil {
		return nil, err
	}
	commits := map[string]string{}
	for message := range strings.SplitSeq(printed, "\x00") { // the newest first
		commit, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
		for _, named := range trailer.FindAllStringSubmatch(message, -1) {
			commits[named[1]] = commit
		}
	}
	return commits, nil
}

// A session is what checkpoints have of one.
type session struct {
	longest checkpoint
	all     []checkpoint
}

// A checkpoint is a copy of the transcript of a session.
type checkpoint struct {
	id     string
	parts  []string
	size   int64
	branch string // of the repository, when it was made
}

// collect finds the checkpoints in a work tree, and moves the longest of each session out of it.
func (w *writer) collect(tree string, all map[string]*session) error {
	return filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != checkpointTranscript || !d.Type().IsRegular() {
			return err
		}
		id, c := readCheckpoint(path)
		if all[id] == nil {
			all[id] = &session{}
		}
		s := all[id]
		s.all = append(s.all, c)
		if c.size > s.longest.size {
			s.longest, err = c.moved(w.dir)
		}
		return err
	})
}

func readCheckpoint(path string) (session string, c checkpoint) {
	folder := filepath.Dir(path)
	c.id = filepath.Base(filepath.Dir(filepath.Dir(folder))) + filepath.Base(filepath.Dir(folder))
	metadata, err := regular.Read(filepath.Join(folder, checkpointMetadata), maxMetadata)
	if err == nil {
		session = gjson.GetBytes(metadata, "session_id").Str
		c.branch = gjson.GetBytes(metadata, "branch").Str
		c.id = cmp.Or(gjson.GetBytes(metadata, "checkpoint_id").Str, c.id)
	}
	if session == "" {
		session = c.id + "-" + filepath.Base(folder)
	}
	parts, err := filepath.Glob(path + ".[0-9]*")
	if err != nil {
		parts = nil
	}
	slices.Sort(parts)
	for _, part := range append([]string{path}, parts...) {
		if fi, err := os.Lstat(part); err == nil && fi.Mode().IsRegular() {
			c.parts = append(c.parts, part)
			c.size += fi.Size()
		}
	}
	return session, c
}

// moved moves the parts into one file, because the work tree changes with the next ref.
func (c checkpoint) moved(dir string) (checkpoint, error) {
	f, err := os.CreateTemp(dir, "checkpoint-")
	if err != nil {
		return c, err
	}
	for _, part := range c.parts {
		if err := appendFile(f, part); err != nil {
			f.Close()
			return c, err
		}
	}
	c.parts = []string{f.Name()}
	return c, f.Close()
}

func appendFile(to io.Writer, path string) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}

// writeSession writes a transcript for this machine: the session ran in this repository, wherever the
// folder was on the machine where it ran, and on the branch of the checkpoint if it names none itself. What is
// first in a checkpoint led to its commit.
func (w *writer) writeSession(id string, s *session, commits map[string]string, repository string) (err error) {
	from, err := regular.Open(s.longest.parts[0])
	if err != nil {
		return err
	}
	defer os.Remove(s.longest.parts[0])
	defer from.Close()
	path := filepath.Join(w.dir, fileName(id)+".jsonl")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := to.Close(); err == nil {
			err = closeErr
		}
	}()
	lines, out := bufio.NewReader(from), bufio.NewWriter(to)
	slices.SortStableFunc(s.all, func(a, b checkpoint) int { return cmp.Compare(a.size, b.size) })
	m, at := mover{to: repository}, int64(0)
	for {
		line, readErr := lines.ReadBytes('\n')
		for len(s.all) > 1 && at >= s.all[0].size {
			s.all = s.all[1:]
		}
		at += int64(len(line))
		m.checkpoint, m.commit = s.all[0], commits[s.all[0].id]
		if _, err := out.Write(m.move(line)); err != nil {
			return err
		}
		if errors.Is(readErr, io.EOF) {
			break
		}
		if readErr != nil {
			return readErr
		}
	}
	w.files = append(w.files, path)
	return out.Flush()
}

// A mover changes the records of a session so that it ran in another folder.
type mover struct {
	from, to   string // the folders; from is that of the first record
	checkpoint checkpoint
	commit     string // "" if it is not known
}

// move returns a record as of this machine. It leaves lines alone that are no records of Claude Code.
func (m *mover) move(line []byte) []byte {
	if !nesting.ValidJSONBytes(line) {
		return line
	}
	folder := gjson.GetBytes(line, "cwd")
	if folder.Type != gjson.String {
		return line
	}
	if m.from == "" {
		m.from = folder.Str
	}
	rest, inside := strings.CutPrefix(folder.Str, m.from)
	if !inside || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		rest = ""
	}
	moved, err := sjson.SetBytes(bytes.TrimRight(line, "\r\n"), "cwd", m.to+filepath.FromSlash(strings.ReplaceAll(rest, `\`, "/")))
	if err == nil && m.checkpoint.branch != "" && gjson.GetBytes(line, "gitBranch").Str == "" {
		moved, err = sjson.SetBytes(moved, "gitBranch", m.checkpoint.branch)
	}
	if err == nil {
		moved, err = sjson.SetBytes(moved, "checkpoint", map[string]string{"id": m.checkpoint.id, "commit": m.commit})
	}
	if err != nil {
		return line
	}
	return append(moved, '\n')
}
