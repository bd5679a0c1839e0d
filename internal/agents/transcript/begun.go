package transcript

import (
	"errors"

	"recollect/internal/agents/claudecode"
)

var errEnough = errors.New("the first turn is enough")

// Begun returns the folder in which the session of the transcript at path began, and the session's id.
// Both are "" if no turn can be read.
func Begun(path string) (cwd, session string) {
	f, err := Open(path)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	first := func(t claudecode.Turn) error {
		cwd, session = t.Cwd, t.Session
		return errEnough
	}
	if f.foreign != nil {
		_, err = f.Turns(0, first)
	} else {
		_, err = f.read(0, claudecode.Chain{}, first) // it does not matter whether the turn was taken back later
	}
	if !errors.Is(err, errEnough) {
		return "", ""
	}
	return cwd, session
}
