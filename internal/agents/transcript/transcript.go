// Package transcript finds transcripts on disk and reads their turns: those of Claude Code, and those of
// the agents that package agents knows. A transcript is the file of one session, or of one sub-agent of
// it. Package claudecode reads its records.
package transcript

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/system/regular"
)

const maxMeta = 1 << 20 // bytes of a sub-agent's meta file

// A File is an open transcript.
type File struct {
	*os.File
	session string // according to the path of the file
	agent   string // type of the sub-agent, or ""
	side    bool   // it belongs to a sub-agent
	foreign *foreign
	chain   *claudecode.Chain // of the whole transcript, once it has been read
	end     int64             // end of what is read, because a chain does not cover later records
}

// maxFile is the largest size of a transcript in bytes. All other captures have to wait while one is
// read.
const maxFile = 16 << 30

// Open opens the transcript at path, which must be a regular file.
func Open(path string) (*File, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	if fi, err := f.Stat(); err == nil && fi.Size() > maxFile {
		f.Close()
		return nil, fmt.Errorf("open transcript: %s: has more than %d GiB", path, maxFile>>30)
	}
	file := &File{File: f}
	file.session, file.agent, file.side = identify(path)
	if file.foreign, err = identifyAgent(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	return file, nil
}

// Turns reads the turns of the transcript at path from offset on, as File.Turns does.
func Turns(path string, offset int64, yield func(claudecode.Turn) error) (claudecode.Scan, error) {
	f, err := Open(path)
	if err != nil {
		return claudecode.Scan{}, err
	}
	defer f.Close()
	return f.Turns(offset, yield)
}

// Taken returns the turns that the user took back, with their sessions by their ids. It covers all turns
// if offset is 0, otherwise those that the records after offset reveal; offset is the start of the last
// known turn. Callers should forget what they learned from these turns.
func (f *File) Taken(offset int64) (map[string]string, error) {
	if f.foreign != nil || f.side {
		return nil, nil
	}
	if !lineBegins(f.File, offset) {
		offset = 0
	}
	chain, err := f.chainFrom(offset)
	for id, session := range chain.Taken {
		chain.Taken[id] = cmp.Or(session, f.session)
	}
	return chain.Taken, err
}

// chainFrom returns the chain of the records after offset, or the whole chain if that is loose.
func (f *File) chainFrom(offset int64) (claudecode.Chain, error) {
	if f.chain != nil {
		return *f.chain, nil
	}
	r, err := f.from(offset)
	if err != nil {
		return claudecode.Chain{}, err
	}
	chain, err := claudecode.ReadChain(r, offset)
	switch {
	case err != nil:
		return claudecode.Chain{}, err
	case chain.Loose:
		return f.chainFrom(0)
	case offset == 0:
		f.chain = &chain
	}
	return chain, nil
}

// Turns reads the turns from offset on, except those that the user took back. It starts at the beginning
// if offset belongs to another file: this one is shorter, or no line begins there. Turns of a sub-agent's
// file carry the agent's type.
func (f *File) Turns(offset int64, yield func(claudecode.Turn) error) (claudecode.Scan, error) {
	if f.foreign != nil {
		return f.foreign.turns(f, offset, yield)
	}
	if !lineBegins(f.File, offset) {
		offset = 0
	}
	var chain claudecode.Chain
	if !f.side {
		var err error
		if chain, err = f.chainFrom(offset); err != nil {
			return claudecode.Scan{}, err
		}
	}
	return f.read(offset, chain, yield)
}

// read reads the turns from offset on, except those that chain says were taken back.
func (f *File) read(offset int64, chain claudecode.Chain, yield func(claudecode.Turn) error) (claudecode.Scan, error) {
	r, err := f.from(offset)
	if err != nil {
		return claudecode.Scan{}, err
	}
	return claudecode.ReadChained(r, offset, chain, func(t claudecode.Turn) error {
		t.Session = cmp.Or(t.Session, f.session)
		if f.side {
			t.Sidechain, t.Agent = true, cmp.Or(f.agent, t.Agent)
		}
		return yield(t)
	})
}

// from returns a reader from offset to the end that the file had at the first call.
func (f *File) from(offset int64) (io.Reader, error) {
	if f.end == 0 {
		fi, err := f.Stat()
		if err != nil {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		f.end = fi.Size()
	}
	return io.NewSectionReader(f.File, offset, max(0, f.end-offset)), nil
}

// lineBegins reports whether a line begins at offset, or may begin there later.
func lineBegins(f *os.File, offset int64) bool {
	if offset <= 0 {
		return false
	}
	var before [1]byte
	_, err := f.ReadAt(before[:], offset-1)
	return err == nil && before[0] == '\n'
}

// identify returns the session of a transcript according to its path. For a sub-agent it also returns the
// type, which is in a file beside the transcript.
func identify(path string) (session, agent string, side bool) {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if !strings.HasPrefix(name, "agent-") {
		return name, "", false
	}
	if dir := filepath.Dir(path); filepath.Base(dir) == "subagents" {
		session = filepath.Base(filepath.Dir(dir))
	}
	meta := strings.TrimSuffix(path, ".jsonl") + ".meta.json"
	data, _ := regular.Read(meta, maxMeta) // if it is missing, the type is unknown
	return session, claudecode.AgentType(data), true
}

// Files lists what can be imported from root, sorted: root itself if it is a transcript or a Markdown
// file, else all transcripts and all Markdown files with front matter below it. It leaves out Claude
// Code's own memory, spilled tool results and prompt history. It reports folders that cannot be read
// together with what it found.
func Files(root string) ([]string, error) {
	wanted := func(path string, isRoot bool) bool {
		if !importable(filepath.Base(path)) {
			return false
		}
		return isRoot || IsFile(path) || hasFrontMatter(path)
	}
	paths, err := regular.Files(root, wanted, passedOver)
	if err != nil {
		return paths, fmt.Errorf("find transcripts: %w", err)
	}
	return paths, nil
}

// FilesOf lists the transcripts of an agent other than Claude Code below a folder, whatever their names are.
func FilesOf(agent, root string) ([]string, error) {
	paths, err := regular.Files(root, func(path string, _ bool) bool {
		return IsFile(path) || strings.EqualFold(filepath.Ext(path), ".json")
	}, passedOver)
	paths = slices.DeleteFunc(paths, func(path string) bool {
		f, err := Open(path)
		if err != nil {
			return true
		}
		defer f.Close()
		return f.Agent() != agent
	})
	if err != nil {
		return paths, fmt.Errorf("find transcripts: %w", err)
	}
	return paths, nil
}

func passedOver(folder string) bool {
	return folder == "memory" || folder == "tool-results" || folder == ".git"
}

func importable(name string) bool {
	return IsFile(name) && name != "history.jsonl" || strings.EqualFold(filepath.Ext(name), ".md")
}

// IsFile reports whether a file of this name is a transcript.
func IsFile(name string) bool { return strings.EqualFold(filepath.Ext(name), ".jsonl") }

// hasFrontMatter reports whether a Markdown file is meant as a memory. Others in a folder, such as a
// README, are not.
func hasFrontMatter(path string) bool {
	f, err := regular.Open(path)
	if err != nil {
		return true // the import will report the error
	}
	defer f.Close()
	line, err := regular.NewLines(f, 16).Next()
	return err == nil && strings.TrimSpace(strings.TrimPrefix(string(line.Text), "\ufeff")) == "---"
}

// AgentFolder returns the folder with the transcripts of a session's sub-agents.
func AgentFolder(path string) string {
	return filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents")
}
