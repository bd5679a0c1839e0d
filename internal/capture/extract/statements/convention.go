package statements

import (
	"slices"
	"strings"

	"recollect/internal/text/rule"
)

// minConvention is the length of a sentence that states a convention, in bytes.
const minConvention = 15

// StatesConvention reports whether a sentence says what is done so in a project.
func StatesConvention(sentence string) bool {
	if len(sentence) < minConvention || ConventionRules().Thought.MatchString(sentence) {
		return false
	}
	return ConventionRules().Convention.MatchString(sentence) || TopicOf(sentence) != ""
}

// ConventionRuleOf returns the rule that took a sentence for a convention.
func ConventionRuleOf(sentence string) *rule.Rule {
	if by := ConventionRules().Convention.First(sentence); by != nil {
		return by
	}
	return ConventionRules().Place
}

// TopicOf returns what a sentence gives a place to: "tests" of "tests live in
// lab/e2e". Only what looks like a place in a project counts.
func TopicOf(sentence string) string {
	match := ConventionRules().Place.FindStringSubmatch(strings.TrimRight(sentence, ".!"))
	if match == nil || !namesPlace(match[2]) {
		return ""
	}
	return strings.ToLower(match[1])
}

// namesPlace reports whether words have a path, a folder's name in quotes, or that
// speak of folders and files.
func namesPlace(words string) bool {
	return strings.ContainsAny(words, "/`") || slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool {
		return slices.Contains([]string{"folder", "directory", "dir", "file", "files", "code", "source", "package", "module"}, strings.Trim(w, ".,"))
	})
}

// PlaceOf returns the place that a sentence gives to its topic.
func PlaceOf(sentence string) string {
	match := ConventionRules().Place.FindStringSubmatch(strings.TrimRight(sentence, ".!"))
	if match == nil {
		return ""
	}
	return strings.ToLower(strings.Trim(match[2], "` "))
}
