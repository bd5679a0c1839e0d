package daemon

import (
	"os"
	"strings"
	"sync"

	"recollect/internal/claudecode"
	"recollect/internal/config"
	"recollect/internal/recall"
)

// Sizes of the context windows of Claude's models, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// scarceShare is the share of the window below which memories are told in a line.
const scarceShare = 0.05

// A room is how full a session's context is.
type room struct {
	used   int // tokens
	window int // tokens that there is room for
}

// left returns how many tokens there is room for still.
func (r room) left() int { return max(0, r.window-r.used) }

// roomOf returns the room of a context from what is known of it. window is the
// setting.
func roomOf(u claudecode.Usage, window int) room {
	switch {
	case window > 0:
	case strings.Contains(u.Model, "[1m]") || u.Tokens > usualWindow:
		window = largeWindow
	default:
		window = usualWindow
	}
	return room{u.Tokens, window}
}

// narrow gives req no more of the budget than its settings allow for what is
// left of the context.
func (r room) narrow(req *recall.Request) {
	b := &req.Settings.Budget
	most := allowance(*b, r.left())
	b.Tokens = min(b.Tokens, most)
	req.Settings.Tools.Tokens = min(req.Settings.Tools.Tokens, most)
	req.Short = float64(r.left()) < scarceShare*float64(r.window)
}

// allowance returns how many tokens a recall may tell with that many left, by
// the share of it and the most that this may come to.
func allowance(b config.Budget, left int) int {
	return min(b.Max, int(b.Share*float64(left)))
}

// narrow makes req fit what is left of the context whose transcript lies at
// path. Without one the context is empty.
func (d *Daemon) narrow(req *recall.Request, path string) {
	roomOf(d.usages.of(path), req.Settings.Budget.Window).narrow(req)
}

// maxUsages bounds the transcripts whose usage is known.
const maxUsages = 100

// usages know how full contexts are, by transcript, until those grow.
type usages struct {
	mu     sync.Mutex
	byPath map[string]measured
}

type measured struct {
	size  int64
	usage claudecode.Usage
}

// of returns how full the context of a transcript is. One that cannot be read
// is taken for empty: it is not there yet at the first prompt.
func (u *usages) of(path string) claudecode.Usage {
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
	if u.byPath == nil || len(u.byPath) >= maxUsages {
		u.byPath = map[string]measured{}
	}
	u.byPath[path] = measured{fi.Size(), usage}
	return usage
}
