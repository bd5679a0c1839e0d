package memory

import "slices"

// The tags of a goal. A goal without either, because somebody wrote it by hand, is open.
const (
	// TagOpen marks a goal that is still to do.
	TagOpen = "open"
	TagDone = "done"
	// TagLapsed is beside TagDone on a goal that nobody reached: later sessions went elsewhere.
	TagLapsed = "lapsed"
)

// Done reports whether a goal was reached or abandoned.
func (m *Memory) Done() bool { return m.Source == Goals && slices.Contains(m.Tags, TagDone) }

// Withdrawn reports whether m is the tombstone of a memory that only a turn taught which the user took
// back.
func (m *Memory) Withdrawn() bool { return m.Deleted && slices.Contains(m.Tags, TagWithdrawn) }
