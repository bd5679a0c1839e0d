package sessions

import (
	"os"
	"strings"
	"sync"

	"recollect/internal/agents/claudecode"
	"recollect/internal/config"
	"recollect/internal/recall"
)

// Sizes of the context windows of Claude's models, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// scarceShare is the share of the window below which memories are injected as a
// line each.
const scarceShare = 0.05

// A Window is how full a session's context is.
type Window struct {
	used int // tokens
	size int // tokens that there is room for
}

// left returns how many tokens there is room for still.
func (w Window) left() int { return max(0, w.size-w.used) }

// windowOf returns the window of a context. size is the setting, 0 where there is none.
func windowOf(u claudecode.Usage, size int) Window {
	switch {
	case size > 0:
	case strings.Contains(u.Model, "[1m]") || u.Tokens > usualWindow:
		size = largeWindow
	default:
		size = usualWindow
	}
	return Window{u.Tokens, size}
}

// Narrow gives req no more of the budget than its settings allow for what is
// left of the context.
func (w Window) Narrow(req *recall.Request) {
	b := &req.Settings.Budget
	most := allowance(*b, w.left())
	b.Tokens = min(b.Tokens, most)
	req.Settings.Tools.Tokens = min(req.Settings.Tools.Tokens, most)
	req.HeadingsOnly = float64(w.left()) < scarceShare*float64(w.size)
}

// allowance returns how many tokens a recall may inject with that many left, by
// the share of it and the most that this may come to.
func allowance(b config.Budget, left int) int {
	return min(b.Max, int(b.Share*float64(left)))
}

// maxWindows bounds the transcripts whose usage is known.
const maxWindows = 100

// Windows know how full contexts are, by transcript, until those grow. The zero
// value knows of none.
type Windows struct {
	mu     sync.Mutex
	byPath map[string]measured
}

type measured struct {
	size  int64
	usage claudecode.Usage
}

// Of returns the window of the context whose transcript lies at path; size is
// the setting. Without a transcript the context is empty.
func (u *Windows) Of(path string, size int) Window { return windowOf(u.usage(path), size) }

// usage returns how full the context of a transcript is. One that cannot be read counts
// as empty: at the first prompt there is none yet.
func (u *Windows) usage(path string) claudecode.Usage {
	fi, err := os.Stat(path)
	if path == "" || err != nil || !fi.Mode().IsRegular() {
		return claudecode.Usage{}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if known, ok := u.byPath[path]; ok && known.size == fi.Size() {
		return known.usage
	}
	usage, err := claudecode.ReadUsage(path)
	if err != nil {
		return claudecode.Usage{}
	}
	if u.byPath == nil || len(u.byPath) >= maxWindows {
		u.byPath = map[string]measured{}
	}
	u.byPath[path] = measured{fi.Size(), usage}
	return usage
}
