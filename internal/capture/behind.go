package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/transcript"
	"recollect/internal/system/regular"
)

// Behind lists the transcripts that were captured before, or are expected, and are not
// as they were left, and those of their sub-agents that were not captured yet, sorted.
func (c *Capture) Behind() []string {
	behind := c.Skips.outdatedPaths()
	for _, path := range c.offsets.paths() {
		if c.offsets.behind(path) {
			behind = append(behind, path)
		}
		behind = append(behind, c.AgentsBehind(path)...)
	}
	slices.Sort(behind)
	return slices.Compact(behind)
}

// AgentsBehind lists the transcripts of the sub-agents of the session whose transcript is at path that are
// not as they were left, or were not captured yet.
func (c *Capture) AgentsBehind(path string) []string {
	agents, err := os.ReadDir(transcript.AgentFolder(path))
	if err != nil {
		return nil // it has none
	}
	var behind []string
	for _, agent := range agents {
		if path := filepath.Join(transcript.AgentFolder(path), agent.Name()); transcript.IsFile(path) && c.offsets.behind(path) {
			behind = append(behind, path)
		}
	}
	return behind
}

// HasRead reports whether a transcript was captured or expected before.
func (c *Capture) HasRead() bool { return len(c.offsets.paths()) > 0 }

// Expect records that a session has its transcript at path, where there may be no file yet,
// so that Behind lists it even if nothing else is heard of the session.
func (c *Capture) Expect(path string) error {
	if !filepath.IsAbs(path) {
		return nil
	}
	path = filepath.Clean(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := os.Stat(c.offsets.file(path)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return c.offsets.write(offset{Path: path})
}

// paths lists the transcripts that have an offset.
func (o offsets) paths() []string {
	files, err := os.ReadDir(o.dir)
	if err != nil {
		return nil // not there yet
	}
	var paths []string
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), offsetPrefix) || !strings.HasSuffix(file.Name(), ".json") {
			continue
		}
		if was, ok := o.read(filepath.Join(o.dir, file.Name())); ok && was.Path != "" {
			paths = append(paths, was.Path)
		}
	}
	return paths
}

// behind reports whether path is not as it was left.
func (o offsets) behind(path string) bool {
	f, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	fi, err := f.Stat()
	return err == nil && fi.Size() != o.load(f, path).End
}
