package memory

import "strings"

// The tags of decisions say how they were taken.
const (
	TagPlan     = "plan"
	TagAnswer   = "answer"
	TagCommit   = "commit"
	TagDecision = "decision"
	TagRecap    = "recap"   // of what was decided so far
	TagAssumed  = "assumed" // by Claude, which no user confirmed
)

// What the tags of a team's memory begin with: its kind, who shared it, and each name in it of
// which nothing is left in the repository.
const (
	TagKind = "kind:"
	TagBy   = "by:"
	TagGone = "gone:"
)

// TagWithdrawn marks the tombstone of what only a turn taught that the user took back: the same may be
// learned again.
const TagWithdrawn = "withdrawn"

// TagModel marks what a model found in a turn, of any source.
const TagModel = "model"

// How the titles of preferences and decisions begin. What follows is what was
// said.
const (
	TitleWants   = "The user wants: "
	TitleSaid    = "The user said: "
	TitleDecided = "Decided: " // of decisions stored by version 0.1
)

// What stands in the title of a failure behind the call, before the error, and before its fix.
const (
	TitleFails = "` fails: "
	TitleFix   = ". Fix: "
)

// OnTopic is how the text of a thought begins that says what it is about.
func OnTopic(topic string) string { return "On “" + topic + topicEnd }

const topicEnd = "”: "

// WithoutTopic returns a text without what OnTopic put before it.
func WithoutTopic(text string) string {
	if about, rest, ok := strings.Cut(text, topicEnd); ok && strings.HasPrefix(about, "On “") {
		return rest
	}
	return text
}

// TitleAsked is what stands in the title of a decision before the question that
// it answers, which a bracket closes.
const TitleAsked = " (asked: "

// TitleTopic is what stands in the title of a decision before the matter that
// it is about, which a bracket closes.
const TitleTopic = " (on: "
