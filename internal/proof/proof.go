// Package proof replays past sessions in the order in which they happened, and counts what they met again that an
// earlier session had known, and what of it a memory would have said in time.
//
// What was met again is read from the transcripts alone, whatever the memory is: so several can be compared, and
// none at all is one of them. A Memory is asked at the start of each session, at each prompt and before each
// tool call, and has learned nothing but the sessions that had ended before this one began.
//
// Nothing is counted as a point where it is a range. A match is strict or loose: the low end has what matches
// strictly, the high end what matches at all. Each rule is a function named in the table of kinds.
package proof

import (
	"context"
	"encoding/json"
	"time"
)

// A Kind says what a session met again.
type Kind string

// The kinds.
const (
	Failure    Kind = "failure"    // a command failed as before
	Correction Kind = "correction" // the user said a rule again, after Claude had done or said something
	Rule       Kind = "rule"       // the user said a rule again, before
	Question   Kind = "question"   // the user asked again
	Search     Kind = "search"     // Claude looked for a file again
)

// Kinds are all kinds, in the order of a report.
var Kinds = []Kind{Failure, Correction, Rule, Question, Search}

// A Match says how surely two things are the same.
type Match string

// The matches: none at all, by the looser rule, by the strict one.
const (
	NoMatch Match = ""
	Loose   Match = "loose"
	Strict  Match = "strict"
)

// better returns the surer match.
func (m Match) better(other Match) Match {
	if m == Strict || other == NoMatch {
		return m
	}
	return other
}

// A Finding is something that a session met again.
type Finding struct {
	Kind    Kind      `json:"kind"`
	Project string    `json:"project"`
	Session string    `json:"session"`
	Turn    string    `json:"turn"`
	At      time.Time `json:"at"`
	Before  time.Time `json:"before"` // when the earlier session met it
	What    string    `json:"what"`   // the command with its error, the rule, the question, or the file
	Answer  string    `json:"answer"` // what was known of it: a fix, an answer, or a search; "" of a rule
	Match   Match     `json:"match"`  // that it is the same
	Known   Match     `json:"known,omitempty"`
	Said    string    `json:"said,omitempty"`    // the line in which it would have been said
	Seconds float64   `json:"seconds,omitempty"` // until the session had the answer itself; 0 if the transcript does not show it
	Tokens  int       `json:"tokens,omitempty"`  // that the model wrote and newly read until then
}

// A Replayed is what came of one session.
type Replayed struct {
	Path        string    `json:"path"`
	Session     string    `json:"session"`
	Project     string    `json:"project"`
	Begun       time.Time `json:"begun"`
	Prompts     int       `json:"prompts"`
	Calls       int       `json:"calls"`       // tool calls at which the memory was asked
	SaidAt      int       `json:"said_at"`     // prompts at which it said something
	CallsAt     int       `json:"calls_at"`    // calls at which it did
	Tokens      int       `json:"tokens"`      // that it said, of four characters each
	Failures    int       `json:"failures"`    // commands that failed, each way once
	Corrections int       `json:"corrections"` // rules that the user said after Claude had answered
	Findings    []Finding `json:"findings"`
}

// An Event is a moment at which a memory may say something.
type Event struct {
	Event      string          `json:"event"` // start, compact, prompt, tool
	At         time.Time       `json:"at"`
	Session    string          `json:"session"`
	Cwd        string          `json:"cwd"`
	Transcript string          `json:"transcript"` // a copy, as long as it was then
	Prompt     string          `json:"prompt,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
}

// The events.
const (
	AtStart   = "start"
	AtCompact = "compact" // the context was cut down to a summary
	AtPrompt  = "prompt"
	AtTool    = "tool"
)

// A Memory is what is asked.
type Memory interface {
	// Learn hands it transcripts of sessions that have ended, in the order in which they did. One that it
	// has may come again.
	Learn(ctx context.Context, transcripts []string) error
	// Say returns what it would inject, "" for nothing.
	Say(ctx context.Context, at Event) (string, error)
}
