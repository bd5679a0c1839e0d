package extract

import (
	"strings"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Bounds of what a title says, in bytes.
const (
	maxAnswer = 60 // of a prompt that may only answer a question
	maxPut    = 90 // of the question that it answers
	minTitled = 3  // words of a prompt that says by itself what it is about
)

// titleOf says what a turn was about, in the user's words: what was asked, of an
// answer the question too, of "go on" what was gone on with. A prompt of a few words tells less than the
// error that it shows, or than what the reply states. commits are the
// subjects of what was committed in the turn, outcome is what came out.
func (s *Turn) titleOf(commits []string, outcome string) string {
	own := prose.OneLine(s.asked.Own())
	topic := s.subject()
	if question := s.answeredTitle(own); question != "" {
		return strings.TrimRight(own, " .") + " (asked: " + question + ")"
	}
	if prose.Tells(topic) {
		return topic
	}
	if stated := s.statedTitle(); stated != "" {
		return stated
	}
	if n := prose.Informative(topic); n >= minTitled || n > 0 && strings.HasSuffix(topic, "?") {
		return topic
	}
	about := prose.Clip(s.topicOfCommits(commits), memory.MaxTitle-len(topic)-len(" ()"))
	switch first, _, _ := strings.Cut(outcome, "\n"); {
	case topic != "" && about != "":
		return strings.TrimRight(topic, ".: ") + " (" + about + ")"
	case topic != "" && prose.Informative(topic) > 0:
		return topic
	case toolcall.ErrorIn(s.Asked) != "":
		return toolcall.ErrorIn(s.Asked)
	case about != "":
		return about + " (continued)"
	case first != "":
		return prose.FirstSentence(first)
	}
	return prose.Title(s.Asked)
}

// statedTitle is the title of a turn whose prompt says little: the error that was pasted, or what the reply
// states first; "" if there is neither.
func (s *Turn) statedTitle() string {
	if fault := toolcall.ErrorIn(s.Asked); fault != "" {
		return fault
	}
	if stated := prose.Stated(s.Reply); len(stated) > 0 {
		return prose.ClipClause(strings.TrimRight(stated[0], "."), memory.MaxTitle)
	}
	return ""
}

// subject is what the prompt is about: of a plan that is carried out, its heading.
func (s *Turn) subject() string {
	topic := s.asked.Topic()
	if _, heading, ok := strings.Cut(topic, ": "); ok && s.Plan != "" {
		return heading
	}
	return topic
}

// answeredTitle returns the question that a short prompt answers, "" if it answers
// none.
func (s *Turn) answeredTitle(own string) string {
	switch {
	case s.before == nil, own == "", len(own) > maxAnswer, strings.HasSuffix(own, "?"), prose.Informative(own) > minTitled:
		return ""
	}
	return prose.Question(s.before.Reply, min(maxPut, memory.MaxTitle-len(own)-len(" (asked: )")))
}

// topicOfCommits is what a turn is about whose prompt does not say it: what was
// committed in it, or what the turn before was about.
func (s *Turn) topicOfCommits(commits []string) string {
	if len(commits) > 0 {
		return commits[0]
	}
	if s.before == nil || !s.before.Typed() {
		return ""
	}
	return s.before.subject()
}
