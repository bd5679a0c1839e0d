package transcript

import (
	"errors"

	"recollect/internal/agents/claudecode"
)

var errEnough = errors.New("the first turn is enough")

// First returns the first turn of the transcript at path, and false if none can be read. Whether the user took it
// back later is not looked at.
func First(path string) (turn claudecode.Turn, found bool) {
	f, err := Open(path)
	if err != nil {
		return turn, false
	}
	defer f.Close()
	first := func(t claudecode.Turn) error {
		turn = t
		return errEnough
	}
	if f.foreign != nil {
		_, err = f.Turns(0, first)
	} else {
		_, err = f.read(0, claudecode.Chain{}, first)
	}
	return turn, errors.Is(err, errEnough)
}
