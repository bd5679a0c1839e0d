// Package consolidate decides what becomes of memories on one subject. Two records
// of one memory, which have one id, are confirmed into one. Of memories with
// different ids that are similar, or contradict each other, the newest supersedes
// the others.
package consolidate

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Sources returns the sources in which memories of different ids may be similar or
// contradict each other. Memories of the others are identified by their turn
// (episodes, thinking) or by their subject, whatever the words.
func Sources() []memory.Source {
	return []memory.Source{memory.Patterns, memory.Journal, memory.Inbox, memory.Preferences}
}

// A Change is a memory as it was and as consolidation wants it.
type Change struct {
	Was, Now memory.Memory
}

// Stands reports whether m is still as it was when the change was found.
func (c Change) Stands(m memory.Memory) bool { return Same(c.Was, m) }

// A Merge says that a memory has come to supersede an older one: because it
// says the same (Twin), or because it is newer on the same subject.
type Merge struct {
	New, Old memory.Memory
	Twin     bool
}

// Compare compares memories of one source, project by project, and returns
// what is to be changed so that each fact and each subject has one memory that
// none supersedes. The others stay as they are but for what they superseded
// themselves.
//
// It is a function of the set: neither the order of ms nor what an earlier call
// found before some of them were there makes a difference.
func Compare(ms []memory.Memory) ([]Change, []Merge) {
	var changes []Change
	var merges []Merge
	for _, group := range byProject(ms) {
		c, m := consolidate(group, byWords)
		changes, merges = append(changes, c...), append(merges, m...)
	}
	return changes, merges
}

// byProject groups memories by the repository, else by the folder, else by the
// name of their project.
func byProject(ms []memory.Memory) [][]memory.Memory {
	groups := map[string][]memory.Memory{}
	for _, m := range ms {
		key := "remote " + m.ProjectRemote
		switch {
		case m.ProjectRemote != "":
		case m.ProjectPath != "":
			key = "path " + m.ProjectPath
		default:
			key = "name " + m.Project
		}
		groups[key] = append(groups[key], m)
	}
	var out [][]memory.Memory
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, groups[key])
	}
	return out
}

// A rivalry finds memories of which a newer one takes the place of an older.
// Only those that share a key can be, so that not every pair has to be compared.
type rivalry struct {
	keys   func(*node) keys
	same   func(a, b *node) bool         // whichever is newer
	amends func(newer, older *node) bool // if it is newer
}

// byWords finds them by what they say.
var byWords = rivalry{
	keys:   keysOf,
	same:   func(a, b *node) bool { return a.subject.isSameAs(b.subject) },
	amends: (*node).amendsNode,
}

// A node is a memory while it is compared with others.
type node struct {
	memory.Memory // as it is to be
	was           memory.Memory
	wording
	subject  *subject   // nil if it is neither a decision nor a preference
	says     *statement // likewise, and of a plan
	twins    []*node    // older ones that say the same
	outdated []*node    // older ones on the same subject
	above    []*node    // that supersede it
	linked   *node      // one of those that it belongs together with, nil for the last of them
}

func newNode(m memory.Memory) *node {
	s := &node{Memory: m, was: m, wording: wordingOf(m), subject: subjectOf(m)}
	if s.subject != nil && !s.subject.isPlan() {
		s.says = statementOf(m)
	}
	return s
}

func consolidate(ms []memory.Memory, r rivalry) ([]Change, []Merge) {
	all, byID := make([]*node, len(ms)), map[string]*node{}
	for i, m := range ms {
		all[i] = newNode(m)
		byID[m.ID] = all[i]
	}
	readTurns(all)
	slices.SortFunc(all, byBirth)
	findTwins(all)
	for _, s := range all { // the oldest first: what a twin took over is taken over with it
		s.takeOver()
	}
	slices.SortFunc(all, byTime)
	findOutdated(all, r)
	var changes []Change
	var merges []Merge
	for _, s := range all {
		merges = append(merges, s.resolveSuperseded(byID)...)
		if !Same(s.was, s.Memory) {
			changes = append(changes, Change{s.was, s.Memory})
		}
	}
	return changes, merges
}

// readTurns adds to what each is about what its turn said beside it: "it expires
// after 8 hours" does not name the session that the sentence before it did.
func readTurns(all []*node) {
	turns := map[string][]string{}
	for _, s := range all {
		if s.says != nil && s.Turn != "" {
			turns[s.Turn] = append(turns[s.Turn], s.says.all...)
		}
	}
	for _, s := range all {
		if s.says != nil && s.Turn != "" {
			s.says.about = prose.SortedSet(slices.Concat(s.says.about, turns[s.Turn]))
		}
	}
}

// trustOf orders who a memory is from: what a user wrote down is never superseded
// by what was extracted, nor what was said in a session by what a tool printed or
// Claude assumed.
func trustOf(m memory.Memory) int {
	switch {
	case m.Turn == "" || m.Source == memory.Inbox:
		return 2
	case m.Origin == memory.OriginTool || m.Origin == memory.OriginWeb || slices.Contains(m.Tags, memory.TagAssumed):
		return 0
	}
	return 1
}

// byBirth orders what says the same: the last one supersedes the others. That
// is the newest of those that say why. It does not ask when they were said
// again: as they say the same it makes no difference, and what one took over
// would have to be taken back.
func byBirth(a, b *node) int {
	return cmp.Or(
		cmp.Compare(trustOf(a.Memory), trustOf(b.Memory)), cmp.Compare(len(a.Fields), len(b.Fields)),
		a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
}

// byTime orders what is on one subject: what was said last supersedes.
func byTime(a, b *node) int {
	return cmp.Or(a.lastStated().Compare(b.lastStated()), byBirth(a, b))
}

// lastStated is when a statement was made last. The time of recording is none: it
// differs from one import to the next.
func (s *node) lastStated() time.Time {
	return lastSaid(&s.Memory)
}

// findTwins notes for each of all, which are ordered by birth, those before it
// that say the same. Only what agrees in its kernel and nearly in its length
// has to be compared.
func findTwins(all []*node) {
	alike := map[string][]int{}
	for i, s := range all {
		alike[s.kernel] = append(alike[s.kernel], i)
	}
	for _, group := range alike {
		slices.SortStableFunc(group, func(a, b int) int { return len(all[a].words) - len(all[b].words) })
		for n, i := range group {
			for _, j := range group[n+1:] {
				if !closeInLength(len(all[i].words), len(all[j].words)) {
					break
				}
				if all[i].nearlyEqual(all[j].wording) {
					newer, older := all[max(i, j)], all[min(i, j)]
					newer.linkTo(older)
					newer.twins, older.above = append(newer.twins, older), append(older.above, newer)
				}
			}
		}
	}
}

// takeOver makes s know what its twins know: the turns that said so, and when
// that was last.
func (s *node) takeOver() {
	for _, twin := range s.twins {
		for _, turn := range append([]string{twin.Turn}, twin.ConfirmedBy...) {
			s.Memory = confirmedBy(s.Memory, turn)
		}
		if at := twin.lastStated(); at.After(s.lastStated()) {
			s.LastSeen = at
		}
	}
}

// findOutdated notes for each of all, which are ordered by time, those before
// it whose place it takes, and links all of which one would take the place of
// the other at some time.
func findOutdated(all []*node, r rivalry) {
	sessions := bySession(all)
	announced, amended := announcements(sessions), map[amendment]bool{}
	changed := map[*node][]*node{}
	for _, pair := range pairsOf(all, r.keys) {
		newer, older := all[pair[1]], all[pair[0]]
		if slices.Contains(newer.twins, older) || slices.Contains(older.twins, newer) {
			continue
		}
		amendmentsBy(newer, older, announced, amended)
		switch {
		case r.same(older, newer):
			newer.takePlaceOf(older, true)
		case r.amends(newer, older):
			newer.linkTo(older)
			changed[newer] = append(changed[newer], older)
		case r.amends(older, newer):
			newer.linkTo(older)
		}
		switch {
		case newer.restatesRule(older):
			for _, part := range sessions[older.Session] {
				newer.linkTo(part)
				if older.sumsUp(part, sessions[older.Session]) {
					newer.takePlaceOf(part, false)
				}
			}
		case older.restatesRule(newer):
			for _, part := range sessions[newer.Session] {
				older.linkTo(part)
			}
		}
	}
	for _, s := range all { // the oldest first: what one took the place of is not open to the next
		s.takePlaces(changed[s])
	}
	amendSessions(sessions, announced, amended)
}

// maxAmended is the number of sessions of which one statement amends what stood until then.
const maxAmended = 3

// takePlaces notes that s takes the place of what it amends. What seems to amend
// the statements of many sessions means none of them in particular.
func (s *node) takePlaces(amended []*node) {
	sessions := map[string]bool{}
	for _, o := range amended {
		if len(o.above) == 0 {
			sessions[cmp.Or(o.Session, o.ID)] = true
		}
	}
	if len(sessions) > maxAmended {
		return
	}
	for _, o := range amended {
		s.takePlaceOf(o, false)
	}
}

// takePlaceOf notes that s takes the place of older, unless it may not.
func (s *node) takePlaceOf(older *node, same bool) {
	s.linkTo(older)
	if later := s.lastStated().After(older.lastStated()); (same || later) && trustOf(s.Memory) >= trustOf(older.Memory) {
		s.outdated, older.above = append(s.outdated, older), append(older.above, s)
	}
}

// linkTo notes that s and o belong together.
func (s *node) linkTo(o *node) {
	if a, b := s.lastLinked(), o.lastLinked(); a != b {
		b.linked = a
	}
}

// lastLinked returns the one statement that is the same for all that are linked.
func (s *node) lastLinked() *node {
	for s.linked != nil {
		if s.linked.linked != nil {
			s.linked = s.linked.linked
		}
		s = s.linked
	}
	return s
}

// bySession lists what was decided or wished in each session.
func bySession(all []*node) map[string][]*node {
	sessions := map[string][]*node{}
	for _, s := range all {
		if s.says != nil && s.Session != "" {
			sessions[s.Session] = append(sessions[s.Session], s)
		}
	}
	return sessions
}

// sumsUp reports whether s is a recap and o one of the decisions of its session
// that it sums up: those since the recap before it.
func (s *node) sumsUp(o *node, session []*node) bool {
	if !s.isRecap() || o.isRecap() || o.OccurredAt.After(s.OccurredAt) {
		return false
	}
	return !slices.ContainsFunc(session, func(r *node) bool {
		return r.isRecap() && r.OccurredAt.Before(s.OccurredAt) && !o.OccurredAt.After(r.OccurredAt)
	})
}

// resolveSuperseded sets what s supersedes and returns what is new of it. Only what is
// superseded by none supersedes: all that is older on its subject and on
// theirs. Other claims on statements of this project are dropped once these are
// resolved: otherwise two would supersede each other after the user has changed
// their mind twice.
func (s *node) resolveSuperseded(byID map[string]*node) []Merge {
	older := map[*node]bool{}
	if len(s.above) == 0 {
		s.collectBelow(older)
	}
	s.Supersedes = nil
	for _, id := range s.was.Supersedes {
		o := byID[id]
		isKept := o == nil || older[o] || withdraws(withdrawalOf(&s.was), &s.was, &o.was)
		if isKept || len(o.above) == 0 && o.lastLinked() != s.lastLinked() {
			s.Supersedes = append(s.Supersedes, id)
		}
	}
	var merges []Merge
	for _, o := range slices.SortedFunc(maps.Keys(older), byTime) {
		if !slices.Contains(s.Supersedes, o.ID) {
			merges = append(merges, Merge{New: s.was, Old: o.was, Twin: slices.Contains(s.twins, o)})
			s.Supersedes = append(s.Supersedes, o.ID)
		}
	}
	if len(merges) > 0 {
		slices.Sort(s.Supersedes)
	}
	return merges
}

// collectBelow adds to found all that s supersedes, and what they do.
func (s *node) collectBelow(found map[*node]bool) {
	for _, o := range slices.Concat(s.twins, s.outdated) {
		if !found[o] {
			found[o] = true
			o.collectBelow(found)
		}
	}
}
