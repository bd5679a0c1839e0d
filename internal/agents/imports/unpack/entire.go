package unpack

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	longest := map[string]checkpoint{}
	for _, ref := range refs {
		if _, err := own.Run(ctx, "checkout", "--quiet", "--force", "--detach", ref); err != nil {
			w.skip(err)
			continue
		}
		if err := w.collect(own.Dir, longest); err != nil {
			return err
		}
	}
	sessions := make([]string, 0, len(longest))
	for session := range longest {
		sessions = append(sessions, session)
	}
	slices.Sort(sessions)
	for _, session := range sessions {
		if err := w.writeCheckpoint(session, longest[session], repository); err != nil {
			return err
		}
	}
	return nil
}

// fetchCheckpoints copies the checkpoints of a repository into one of our own, and returns their refs.
func fetchCheckpoints(ctx context.Context, repository, work string) ([]string, git.Copy, error) {
	own, view := git.Copy{Dir: filepath.Join(work, "own")}, filepath.Join(work, "view")
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

// A checkpoint is a copy of the transcript of a session.
type checkpoint struct {
	parts  []string
	size   int64
	branch string // of the repository, when it was made
}

// collect finds the checkpoints in a work tree, and moves the longest of each session out of it.
func (w *writer) collect(tree string, longest map[string]checkpoint) error {
	return filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != checkpointTranscript || !d.Type().IsRegular() {
			return err
		}
		session, c := readCheckpoint(path)
		if c.size <= longest[session].size {
			return nil
		}
		if longest[session], err = c.moved(w.dir); err != nil {
			return err
		}
		return nil
	})
}

func readCheckpoint(path string) (session string, c checkpoint) {
	folder := filepath.Dir(path)
	metadata, err := regular.Read(filepath.Join(folder, checkpointMetadata), maxMetadata)
	if err == nil {
		session = gjson.GetBytes(metadata, "session_id").Str
		c.branch = gjson.GetBytes(metadata, "branch").Str
	}
	if session == "" {
		session = filepath.Base(filepath.Dir(filepath.Dir(folder))) + filepath.Base(filepath.Dir(folder)) + "-" + filepath.Base(folder)
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

// writeCheckpoint writes a transcript for this machine: the session ran in this repository, wherever the
// folder was on the machine where it ran, and on the branch of the checkpoint if it names none itself.
func (w *writer) writeCheckpoint(session string, c checkpoint, repository string) (err error) {
	from, err := regular.Open(c.parts[0])
	if err != nil {
		return err
	}
	defer os.Remove(c.parts[0])
	defer from.Close()
	path := filepath.Join(w.dir, fileName(session)+".jsonl")
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
	m := mover{to: repository, branch: c.branch}
	for {
		line, readErr := lines.ReadBytes('\n')
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
	from, to string // the folders; from is that of the first record
	branch   string
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
	if err == nil && m.branch != "" && gjson.GetBytes(line, "gitBranch").Str == "" {
		moved, err = sjson.SetBytes(moved, "gitBranch", m.branch)
	}
	if err != nil {
		return line
	}
	return append(moved, '\n')
}
