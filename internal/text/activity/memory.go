package activity

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// TagPrefix begins a tag that names an activity which a memory's own words do not:
// "about:deploy" on "--check --diff first", which answered a question about a deploy.
const TagPrefix = "about:"

// Of returns the activities that a memory is about: what a preference or a convention is
// about, and what a command was run for that needs something more to work here. Memories of
// other sources, and those about everything, have none.
func Of(m *memory.Memory) []string {
	var out []string
	switch {
	case m.Source == memory.Failures:
		if m.Fields["fix"] == "" && m.Text != "" {
			return activitiesLacking(m.Title) // Claude said why, and mostly what it needs
		}
		return activitiesNeeded(m.Title, m.Fields["fix"])
	case m.Source == memory.Patterns && m.Fields["solution"] != "":
		return activitiesNeeded(m.Title, m.Fields["solution"])
	case m.Source == memory.Preferences || m.Source == memory.Patterns:
		out = About(Statement(m))
	}
	for _, tag := range m.Tags {
		if name, ok := strings.CutPrefix(tag, TagPrefix); ok {
			out = join(out, []string{name})
		}
	}
	return out
}

// Statement returns the words of a preference or convention, without the frame of its title.
func Statement(m *memory.Memory) string {
	text := m.Title
	if m.Text != "" {
		text = m.Text
	}
	for _, frame := range []string{memory.TitleWants, memory.TitleSaid} {
		text = strings.TrimPrefix(text, frame)
	}
	return text
}

// About returns the activities that a wish is about. If it says when it holds, those of the
// moment that it names: "before you commit, run the tests" is about commits.
func About(wish string) []string {
	wish = WithoutIdioms(strings.ToLower(prose.OneLine(wish)))
	for _, moment := range rules().Moment.FindAllStringSubmatch(wish, -1) {
		if out := aboutSigns().meaningOf(moment[0]); len(out) > 0 {
			return out
		}
	}
	return aboutSigns().meaningOf(wish)
}

// WithoutIdioms returns a text in lower case without what has words of activities that mean something else in it.
func WithoutIdioms(text string) string { return rules().Idiom.ReplaceAllString(text, " ") }
