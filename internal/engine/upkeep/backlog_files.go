package upkeep

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/agents/transcript"
	"recollect/internal/system/trust"
)

// A pastFile is a file to import.
type pastFile struct {
	Path     string    `json:"path"`
	Modified time.Time `json:"modified"`
}

// compare orders files as they are imported: the newest first.
func (f pastFile) compare(other pastFile) int {
	return cmp.Or(other.Modified.Compare(f.Modified), strings.Compare(f.Path, other.Path))
}

// pastFiles returns what is left to import, the newest first: files of this user that were not
// written since the import began. They are returned with an error too.
func pastFiles(p Past) ([]pastFile, error) {
	fi, err := os.Stat(p.Folder)
	if err != nil || !trust.Ours(fi) {
		return nil, nil // no session was written yet, or it is not ours to read
	}
	paths, err := transcript.Files(p.Folder)
	var files []pastFile
	for _, path := range paths {
		fi, err := os.Lstat(path)
		if err != nil || !fi.Mode().IsRegular() || !trust.Ours(fi) {
			continue
		}
		if filepath.Base(path) == filepath.Base(p.Except) || fi.ModTime().After(p.Begun) {
			continue
		}
		f := pastFile{path, fi.ModTime().UTC()}
		if p.Last.Path == "" || p.Last.compare(f) < 0 {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, pastFile.compare)
	return files, err
}

// sessionsAmong counts the files that are no sub-agent's.
func sessionsAmong(files []pastFile) (n int) {
	for _, f := range files {
		if transcript.IsFile(f.Path) && !strings.HasPrefix(filepath.Base(f.Path), "agent-") {
			n++
		}
	}
	return n
}
