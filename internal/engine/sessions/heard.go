package sessions

import (
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/agents/claudecode"
	"recollect/internal/recall"
	"recollect/internal/text/prose"
)

// What is known of what sessions said.
const (
	mostListened = 32        // sessions
	atOnce       = 256 << 10 // bytes of a transcript that are read at a prompt
	longestReply = 4 << 10   // bytes of the last reply that are kept
)

// Listener knows what was said in sessions, by transcript. The zero value knows nothing. It is safe for
// concurrent use.
type Listener struct {
	mu     sync.Mutex
	byPath *lru.Cache[string, *listened]
}

type listened struct {
	mu     sync.Mutex
	offset int64
	heard  recall.Heard
	reply  string // the last one
}

// Of returns what was said before an offset in the transcript of a session, which lies at path.
func (l *Listener) Of(path string, end int64) *recall.Heard {
	if path == "" {
		return nil
	}
	s := l.get(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offset, _ = claudecode.ReadSpoken(path, s.offset, end, atOnce, func(by claudecode.Speaker, text string) {
		switch by {
		case claudecode.BySummary:
			s.heard.Forget()
		case claudecode.ByUser:
			s.heard.Prompts++
		case claudecode.ByClaude:
			s.reply = strings.Clone(prose.CutMiddle(text, longestReply))
		}
		s.heard.Add(text, uint8(by))
	})
	return &s.heard
}

// LastReply returns what Claude said last in a session, as far as Of has read its transcript, cut in the middle if it is
// long.
func (l *Listener) LastReply(path string) string {
	s := l.get(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply
}

func (l *Listener) get(path string) *listened {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byPath == nil {
		l.byPath, _ = lru.New[string, *listened](mostListened)
	}
	s, ok := l.byPath.Get(path)
	if !ok {
		s = &listened{}
		l.byPath.Add(path, s)
	}
	return s
}
