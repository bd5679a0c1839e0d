package extract

import (
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/instruction"
	"recollect/internal/text/prose"
)

// The confidence in a new pattern: a fix that worked twice; a convention that the
// user stated once, and one that they changed.
const (
	workedTwice = 0.7
	statedOnce  = 0.6
	statedAnew  = 0.5
)

// Bounds of what one prompt says of conventions.
const (
	maxConventions = 3
)

// PatternOf makes the pattern of a failure that was put right in two turns in
// the same manner: old is what is known of it, fresh what another turn says.
func PatternOf(old, fresh memory.Memory) (memory.Draft, bool) {
	if old.Source != memory.Failures || old.Turn == fresh.Turn || old.OccurredAt.Equal(fresh.OccurredAt) {
		return memory.Draft{}, false // the turn that put right what another one left failing
	}
	was, is := toolcall.FixKind(old.Fields["fix"]), toolcall.FixKind(fresh.Fields["fix"])
	if is == "" || was != is {
		return memory.Draft{}, false
	}
	if fix := fresh.Fields["fix"]; instruction.Installs(fix) || instruction.In(fix) {
		return memory.Draft{}, false // what is fetched and run stays what was once done
	}
	m := memory.Draft{Memory: fresh}
	m.ID, m.Evidence, m.Supersedes = "", "", nil
	m.Source, m.Origin = memory.Patterns, memory.OriginAssistant
	m.Text, m.Subject = "", []string{"fix", old.ID}
	if remedy := toolcall.Remedy(fresh); remedy != "" {
		m.Subject = []string{"fix", remedy} // whatever it was run on
	}
	m.Title = prose.Clip(prose.Clip(old.Fields["error"], toolcall.MaxCommand/2)+" → "+fresh.Fields["fix"], memory.MaxTitle)
	if strings.Contains(fresh.Title, memory.TitleFix) {
		m.Title = fresh.Title
	}
	m.Fields = map[string]string{"problem": old.Fields["error"], "solution": fresh.Fields["fix"]}
	m.Confidence = workedTwice
	return m, true
}

// conventions makes patterns of what the user says is done so in the project.
func conventions(s *Turn) []memory.Draft {
	var out []memory.Draft
	for i, r := range s.statements {
		sentence := r.Text
		if len(out) == maxConventions || !statements.StatesConvention(sentence) {
			continue
		}
		if _, wished := statements.WishIn(r, s.short); wished || s.decisions[i].What != "" {
			continue // a preference or a decision
		}
		m := s.Draft(memory.Patterns, memory.OriginUser)
		m.Title, m.Evidence = prose.Clip(sentence, memory.MaxTitle), sentence
		if m.Title != sentence {
			m.Text = sentence
		}
		m.Confidence, m.Keywords = statedOnce, prose.Keywords(sentence)
		subject := statements.TopicOf(sentence)
		if subject == "" {
			subject = strings.TrimRight(sentence, ".!")
		}
		m.Subject = []string{"convention", subject}
		out = append(out, m)
	}
	return out
}

// Revise returns which of two conventions on one topic holds, where one took
// the place of the other: the one that was said last. It reports false where
// fresh changes nothing about the place.
func Revise(old, fresh memory.Memory) (memory.Memory, bool) {
	switch {
	case isReplaced(old, fresh):
		return old, true
	case contradictsPlace(old, fresh):
		return reviseText(old, fresh), true
	}
	return memory.Memory{}, false
}

// isReplaced reports whether fresh is what was said before old took its place.
func isReplaced(old, fresh memory.Memory) bool {
	return old.Source == memory.Patterns && statements.TopicOf(old.Evidence) != "" && fresh.OccurredAt.Before(old.OccurredAt)
}

// contradictsPlace reports whether fresh, said later, gives another place to what
// old gave one.
func contradictsPlace(old, fresh memory.Memory) bool {
	topic := statements.TopicOf(fresh.Evidence)
	if old.Source != memory.Patterns || topic == "" {
		return false
	}
	return topic == statements.TopicOf(old.Evidence) && statements.PlaceOf(old.Evidence) != statements.PlaceOf(fresh.Evidence)
}

// reviseText returns what is known once fresh contradicts old: what was said
// last, but with less confidence than if it had always been so.
func reviseText(old, fresh memory.Memory) memory.Memory {
	if !fresh.OccurredAt.After(old.When()) {
		return old
	}
	fresh.Confidence = statedAnew
	return fresh
}
