package memory

import (
	"slices"
	"strings"
)

// The tags of decisions say how the decision was made.
const (
	TagPlan     = "plan"
	TagAnswer   = "answer"
	TagCommit   = "commit"
	TagDecision = "decision"
	TagRecap    = "recap"   // summarizes earlier decisions
	TagAssumed  = "assumed" // by Claude alone; no user confirmed it
)

// Prefixes of the tags of a team's memory: its kind, who shared it, and each name in it that no longer
// exists in the repository.
const (
	TagKind = "kind:"
	TagBy   = "by:"
	TagGone = "gone:"
)

// Prefixes of the tags of a memory that was imported with the branch and the commit of its turn.
const (
	TagOnBranch = "branch:"
	TagAtCommit = "commit:"
)

// TagWithdrawn marks the tombstone of a memory that only a turn taught which the user took back. The same
// may be learned again.
const TagWithdrawn = "withdrawn"

// TagNoStatement marks a memory that states nothing: no cause, decision, rule, number, fix or result. It is
// found by search and never injected.
const TagNoStatement = "no-statement"

// MarkUnlessStated marks m, if it states nothing, so that it is never injected.
func (m *Memory) MarkUnlessStated() {
	if len(m.Statements) == 0 {
		m.Tags, m.Importance = append(m.Tags, TagNoStatement), Low
	}
}

// ForgetStatements leaves out what m stated before its words were edited: they are the user's now.
func (m *Memory) ForgetStatements() {
	if m.Statements = nil; m.StatesNothing() {
		m.Tags, m.Importance = slices.DeleteFunc(slices.Clone(m.Tags), func(tag string) bool { return tag == TagNoStatement }), ""
	}
}

// StatesNothing reports whether m was marked as stating nothing when it was written.
func (m *Memory) StatesNothing() bool { return slices.Contains(m.Tags, TagNoStatement) }

// TagModel marks what a model found in a turn, of any source.
const TagModel = "model"

// Prefixes of the titles of preferences and decisions. The statement follows.
const (
	TitleWants   = "The user wants: "
	TitleSaid    = "The user said: "
	TitleDecided = "Decided: " // in decisions stored by version 0.1
)

// Parts of the title of a failure: before the error and before its fix.
const (
	TitleFails = "` fails: "
	TitleFix   = ". Fix: "
)

// OnTopic returns the beginning of a thought's text that names its topic.
func OnTopic(topic string) string { return "On “" + topic + topicEnd }

const topicEnd = "”: "

// WithoutTopic returns a text without the beginning that OnTopic returned.
func WithoutTopic(text string) string {
	if about, rest, ok := strings.Cut(text, topicEnd); ok && strings.HasPrefix(about, "On “") {
		return rest
	}
	return text
}

// TitleAsked precedes the question that a decision answers in its title. A bracket closes it.
const TitleAsked = " (asked: "

// TitleTopic precedes the topic of a decision in its title. A bracket closes it.
const TitleTopic = " (on: "
