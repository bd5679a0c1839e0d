package proof

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/system/crash"
)

// A Source is the transcript of a session.
type Source struct {
	Path    string    `json:"path"`
	Session string    `json:"session"`
	Begun   time.Time `json:"begun"`
	Ended   time.Time `json:"ended"`
}

// errNoTurns means that a file is no session of a user.
var errNoTurns = errors.New("it has no prompt with a time")

// isSession reports whether a file is the transcript of a session, and not of a sub-agent in one.
func isSession(path string) bool {
	return transcript.IsFile(path) && !strings.HasPrefix(filepath.Base(path), "agent-")
}

// findSources returns the sessions among paths in the order in which they began, and how many files it
// could not read. It calls unread with why, and progress after each file.
func findSources(ctx context.Context, paths []string, unread func(error), progress func(done, all int)) ([]Source, int, error) {
	var found []Source
	left := 0
	for i, path := range paths {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		src, err := readSource(ctx, path)
		switch {
		case errors.Is(err, errNoTurns):
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err != nil:
			left++
			unread(err)
		default:
			found = append(found, src)
		}
		progress(i+1, len(paths))
	}
	slices.SortFunc(found, func(a, b Source) int {
		if c := a.Begun.Compare(b.Begun); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return found, left, nil
}

// readSource reads when a session was.
func readSource(ctx context.Context, path string) (src Source, err error) {
	src.Path = path
	err = readTurns(ctx, path, func(t claudecode.Turn) error {
		if t.At.IsZero() || t.Sidechain {
			return nil
		}
		if src.Session == "" {
			src.Session = t.Session
		}
		if src.Begun.IsZero() || t.At.Before(src.Begun) {
			src.Begun = t.At
		}
		if t.End.After(src.Ended) {
			src.Ended = t.End
		}
		return nil
	})
	if err == nil && src.Begun.IsZero() {
		err = errNoTurns
	}
	return src, err
}

// readTurns reads the turns of a transcript. What makes the reader panic is an error.
func readTurns(ctx context.Context, path string, yield func(claudecode.Turn) error) error {
	err := crash.Catch(func() error {
		_, err := transcript.Turns(path, 0, func(t claudecode.Turn) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return yield(t)
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
