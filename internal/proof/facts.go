package proof

import (
	"time"

	"recollect/internal/capture/toolcall"
)

// Facts are what a session leaves to compare later ones with. They are written to the journal.
type facts struct {
	Turns     []uint64    `json:"turns,omitempty"` // hashes of the ids
	Failures  []failed    `json:"failures,omitempty"`
	Rules     []statement `json:"rules,omitempty"`
	Questions []statement `json:"questions,omitempty"`
	Searches  []search    `json:"searches,omitempty"`
}

// A failed command, with what passed in its place.
type failed struct {
	Project string       `json:"project"`
	ID      string       `json:"id"`
	Run     toolcall.Run `json:"run"`
	At      time.Time    `json:"at"`
}

// A statement of the user: a rule, or a question with what the answer may be recognized by.
type statement struct {
	Project string         `json:"project"` // "" for all
	Text    string         `json:"text"`
	Words   []string       `json:"words"`
	Signs   map[string]int `json:"signs,omitempty"`
	Answer  string         `json:"answer,omitempty"`
	At      time.Time      `json:"at"`
}

// A search that led to a file.
type search struct {
	Project string    `json:"project"`
	File    string    `json:"file"`
	Query   string    `json:"query"`
	Words   []string  `json:"words"`
	At      time.Time `json:"at"`
}

// maxPerProject bounds what is compared of one project, the last of each kind.
const maxPerProject = 5000

// A ledger has the facts of the sessions that had ended, by project.
type ledger struct {
	failures  map[string][]failed // by project and id
	rules     map[string][]statement
	questions map[string][]statement
	searches  map[string][]search // by project and file
}

func newLedger() *ledger {
	return &ledger{map[string][]failed{}, map[string][]statement{}, map[string][]statement{}, map[string][]search{}}
}

func (l *ledger) add(f facts) {
	for _, x := range f.Failures {
		push(l.failures, x.Project+"\x00"+x.ID, x)
	}
	for _, x := range f.Rules {
		push(l.rules, x.Project, x)
	}
	for _, x := range f.Questions {
		push(l.questions, x.Project, x)
	}
	for _, x := range f.Searches {
		push(l.searches, x.Project+"\x00"+x.File, x)
	}
}

func push[T any](lists map[string][]T, key string, x T) {
	list := append(lists[key], x)
	lists[key] = list[max(0, len(list)-maxPerProject):]
}
