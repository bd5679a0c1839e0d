package transcript

import (
	"errors"

	"recollect/internal/claudecode"
)

var errEnough = errors.New("the first turn is enough")

// Begun returns the folder in which the session of the transcript at path
// began, and the session's id: nothing where no turn can be read.
func Begun(path string) (cwd, session string) {
	_, err := Turns(path, 0, func(t claudecode.Turn) error {
		cwd, session = t.Cwd, t.Session
		return errEnough
	})
	if !errors.Is(err, errEnough) {
		return "", ""
	}
	return cwd, session
}
