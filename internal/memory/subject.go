package memory

import "strings"

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

// TagWithdrawn marks the tombstone of a memory that only a turn taught which the user took back. The same
// may be learned again.
const TagWithdrawn = "withdrawn"

// TagModel marks a memory of any source that a model found in a turn.
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
