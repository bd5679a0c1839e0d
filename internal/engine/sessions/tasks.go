package sessions

import (
	"slices"
	"sync"
	"time"

	"recollect/internal/memory"
)

const (
	maxTasks = 100         // that wait for their sub-agents
	taskAge  = time.Minute // how long one waits
	maxTask  = 16 << 10    // bytes that are stored of one
)

// Tasks are the tasks of sub-agents that are about to start, in the order of the calls.
type Tasks struct {
	mu    sync.Mutex
	queue []task
}

type task struct {
	session, agent, text string
	at                   time.Time
}

// Put adds the task of a sub-agent of a type. When there are too many it drops the
// oldest.
func (t *Tasks) Put(session, agent, text string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(now)
	if len(t.queue) >= maxTasks {
		t.queue = slices.Delete(t.queue, 0, 1)
	}
	t.queue = append(t.queue, task{session, agent, memory.Clip(text, maxTask), now})
}

// Take removes and returns the oldest task of a session for a type of agent.
func (t *Tasks) Take(session, agent string, now time.Time) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(now)
	at := slices.IndexFunc(t.queue, func(k task) bool { return k.session == session && k.agent == agent })
	if at < 0 {
		return "", false
	}
	text := t.queue[at].text
	t.queue = slices.Delete(t.queue, at, at+1)
	return text, true
}

// drop forgets the tasks that nobody took.
func (t *Tasks) drop(now time.Time) {
	t.queue = slices.DeleteFunc(t.queue, func(k task) bool { return now.Sub(k.at).Abs() > taskAge })
}
