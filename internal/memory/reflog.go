package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"

	"recollect/internal/system/regular"
)

// maxReflog is the number of bytes that are read at the end of a repository's log of HEAD.
const maxReflog = 1 << 20

// LastStep identifies the last change of HEAD in the repository at p's path, such as a commit or a
// checkout. It is a hash of the line that git logged. That contains author and second, so that no other
// repository has the same one, not even a clone. It is "" if git logged none.
func (p Project) LastStep() string {
	lines := p.headLog()
	if len(lines) == 0 {
		return ""
	}
	return stepOf(lines[len(lines)-1])
}

// Steps returns all steps of the repository at p's path, each as LastStep identified it at the time.
// Another repository with one of these steps is the same one or a copy.
func (p Project) Steps() map[string]bool {
	took := map[string]bool{}
	for _, line := range p.headLog() {
		took[stepOf(line)] = true
	}
	return took
}

// Whole reports whether the log of HEAD of the repository at p's path has all steps since the repository
// was made, so that a missing step was never taken there.
func (p Project) Whole() bool {
	lines := p.headLog()
	return len(lines) > 0 && bytes.HasPrefix(lines[0], []byte(fromNothing))
}

// fromNothing is the previous commit in the first step of a repository.
const fromNothing = "0000000000000000000000000000000000000000"

func stepOf(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:16])
}

// headLog returns the last lines of the log of HEAD.
func (p Project) headLog() [][]byte {
	if p.Path == "" {
		return nil
	}
	common := commonGitDir(p.Path)
	if common == "" {
		return nil
	}
	f, err := regular.Open(filepath.Join(common, "logs", "HEAD"))
	if err != nil {
		return nil // a repository without commits or without logs
	}
	defer f.Close()
	cut := false
	if fi, err := f.Stat(); err == nil && fi.Size() > maxReflog {
		_, err = f.Seek(-maxReflog, io.SeekEnd)
		cut = err == nil
	}
	b, err := io.ReadAll(io.LimitReader(f, maxReflog))
	if err != nil {
		return nil
	}
	lines := bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	if cut || len(lines[0]) == 0 {
		lines = lines[1:]
	}
	return lines
}
