package claudecode

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// An assembler assembles records into turns. Records of sub-agents may be interleaved with those of the
// main conversation, so each conversation has its own thread with a current turn.
type assembler struct {
	yield   func(Turn) error
	open    []*building          // turns that have begun and are not yet yielded, by Start
	threads map[string]*building // current turns; "" is the main conversation
	sides   map[string]string    // threads of sub-agents' records that have no agent id
	calls   map[string]call      // tool calls of open turns, by id
	seen    map[uint64]struct{}  // blocks of replies, because clients repeat some
	seed    maphash.Seed

	held     int               // rough size of the open turns in bytes
	sessions map[string]*clock // of main conversations, by session

	taken map[string]string // prompts that the user took back, by the uuid of their records
	back  bool              // the main conversation is in a prompt that was taken back

	blocked   string // the last prompt that a hook blocked
	blockedAt time.Time
}

// A clock distinguishes the prompts of a session from copies of them.
type clock struct {
	latest time.Time // time of the newest prompt
	words  string    // text of the latest prompt
	replay bool      // a resumed client is writing a copy of the conversation
}

type building struct {
	Turn
	thread  string
	last    string  // uuid of the prompt's latest record
	asked   string  // the prompt as it was written
	size    int     // rough size in bytes
	waiting int     // calls without a result
	ended   int     // number of prompts that came afterwards
	message message // the last reply, of which every record has the usage so far
}

type call struct {
	in     *building
	action int
}

func newAssembler(taken map[string]string, yield func(Turn) error) *assembler {
	return &assembler{
		yield:    yield,
		taken:    taken,
		threads:  map[string]*building{},
		sides:    map[string]string{},
		calls:    map[string]call{},
		seen:     map[uint64]struct{}{},
		seed:     maphash.MakeSeed(),
		sessions: map[string]*clock{},
	}
}

// add processes the record of the line between start and end.
func (a *assembler) add(rec record, start, end int64) error {
	thread := a.thread(rec)
	switch {
	case rec.kind == "assistant":
		a.addReply(thread, rec, end)
	case rec.kind == "user":
		return a.user(thread, rec, start, end)
	case rec.blocked:
		a.takeBlocked(rec)
	}
	return nil
}

// clock returns the clock of rec's session.
func (a *assembler) clock(rec record) *clock {
	c := a.sessions[rec.session]
	if c == nil {
		if len(a.sessions) >= maxKnown {
			clear(a.sessions)
		}
		c = &clock{}
		a.sessions[rec.session] = c
	}
	return c
}

// hasPassed reports whether the session has already passed a time.
func (c *clock) hasPassed(at time.Time) bool { return !at.IsZero() && !at.After(c.latest) }

// thread returns the conversation of rec. Older clients gave sub-agents no id; for these it follows the
// parents to the first record.
func (a *assembler) thread(rec record) string {
	if !rec.side {
		return ""
	}
	if rec.agent != "" {
		return rec.agent
	}
	thread, ok := a.sides[rec.parent]
	if !ok {
		thread = "side " + rec.id
	}
	if len(a.sides) >= maxKnown {
		clear(a.sides)
	}
	if rec.id != "" {
		a.sides[rec.id] = thread
	}
	return thread
}

func (a *assembler) user(thread string, rec record, start, end int64) error {
	if clock := a.clock(rec); rec.root && !rec.side && clock.hasPassed(rec.at) {
		clock.replay = true
	}
	switch {
	case a.results(rec, end):
	case a.wasTaken(rec), a.back && rec.side:
		a.back = a.back || !rec.side
		delete(a.threads, thread) // the replies that follow were taken back too
	case rec.summary:
		a.summary(thread, rec, end)
	case rec.origin == "peer", rec.turn == "peer":
		delete(a.threads, thread)
	case !rec.byHuman():
	default:
		return a.prompt(thread, rec, start, end)
	}
	return nil
}

// wasTaken reports whether rec is a prompt that the user took back.
func (a *assembler) wasTaken(rec record) bool {
	_, ok := a.taken[rec.id]
	return ok
}

// summary adds a compaction's summary to the turn that the compaction interrupts or follows.
func (a *assembler) summary(thread string, rec record, end int64) {
	b := a.threads[thread]
	if a.back {
		return
	}
	for i := len(a.open) - 1; i >= 0 && b == nil; i-- { // a command ended the turn
		if a.open[i].thread == thread {
			b = a.open[i]
		}
	}
	if b != nil {
		b.Summary = cut(ownWords(texts(rec.msg.content)), maxSummary)
		b.extend(rec, end)
	}
}

// prompt begins a turn if rec contains a request. A command of the client or a "! command" ends the
// current turn, because what Claude does after it belongs to no request.
func (a *assembler) prompt(thread string, rec record, start, end int64) error {
	words, cur := ownWords(texts(rec.msg.content)), a.threads[thread]
	asked, ok := requestOf(rec, words)
	switch {
	case strings.HasPrefix(words, interruptMark):
		if cur != nil {
			cur.Interrupted = true
			cur.extend(rec, end)
		}
	case cur.wrote(rec), a.isBlocked(rec, words):
	case cur.splitBy(rec):
		cur.last = rec.id
		if words != "" && cur.Command == "" && a.grow(cur, len(words)) {
			cur.Prompt += "\n" + words
		}
		cur.extend(rec, end)
	case words == "" && hasPicture(rec.msg.content), strings.HasPrefix(words, bashMark), !ok && strings.HasPrefix(words, commandMark):
		delete(a.threads, thread)
	case !ok:
	case a.copied(rec, words):
		delete(a.threads, thread)
	default:
		return a.begin(thread, rec, asked, words, start, end)
	}
	return nil
}

// wrote reports whether rec repeats the record that began b, or is the text of the command that began b.
func (b *building) wrote(rec record) bool {
	if b == nil || rec.id == "" {
		return false
	}
	text := b.Command != "" && rec.parent == b.ID && b.unanswered()
	return text || rec.id == b.ID
}

// splitBy reports whether rec is a further part of the prompt of b. Some clients write one record per
// block, all with the same time and each the child of the previous one.
func (b *building) splitBy(rec record) bool {
	if b == nil || rec.parent == "" || rec.at.IsZero() {
		return false
	}
	return rec.parent == b.last && rec.at.Equal(b.At) && b.unanswered()
}

// copied reports whether rec repeats a prompt. When some clients resume a session, they write all of it,
// or its last turn, again with new uuids but the same times.
func (a *assembler) copied(rec record, words string) bool {
	if rec.side || rec.at.IsZero() {
		return false
	}
	c := a.clock(rec)
	replayed := c.replay && !rec.at.After(c.latest)
	return replayed || rec.at.Equal(c.latest) && words == c.words
}

func hasPicture(content gjson.Result) bool {
	found := false
	content.ForEach(func(_, block gjson.Result) bool {
		kind := block.Get("type").Str
		found = kind == "image" || kind == "document"
		return !found
	})
	return found
}

func (a *assembler) begin(thread string, rec record, asked request, words string, start, end int64) error {
	if err := a.endTurns(thread); err != nil {
		return err
	}
	if !rec.side {
		c := a.clock(rec)
		c.replay, c.latest, c.words = false, later(c.latest, rec.at), words
		a.back = false
	}
	b := &building{thread: thread, last: rec.id, asked: words, Turn: Turn{
		Session: rec.session, ID: rec.id, Cwd: rec.cwd, Branch: rec.branch, Saved: rec.saved, Commit: rec.commit, Entry: rec.entry,
		Prompt: cut(asked.words, maxText), PromptID: rec.prompt, Command: asked.command, Plan: cut(asked.plan, maxText), Memo: asked.memo,
		At: rec.at, Start: start, Sidechain: rec.side, Program: !rec.side && rec.byProgram(),
	}}
	if rec.side {
		b.Agent = rec.agent
	}
	if b.ID == "" {
		b.ID = madeID(rec, words)
	}
	b.extend(rec, end)
	a.threads[thread] = b
	a.open = append(a.open, b)
	a.grow(b, len(b.Prompt)+len(b.Plan)+turnSize)
	for a.held > maxHeld && len(a.open) > 1 {
		if err := a.emit(a.open[0]); err != nil {
			return err
		}
	}
	return nil
}

// Limits on what an assembler holds of a transcript, in bytes. What people and Claude write remains far
// below them.
const (
	maxText  = 1 << 20  // a prompt, a reply or a thought; its middle is cut
	maxTurn  = 16 << 20 // a turn; beyond it only the last reply is kept
	maxHeld  = 32 << 20 // the turns that may still grow; beyond it the first ones are yielded
	turnSize = 1 << 10  // a turn without its words
	callSize = 256      // a call without its words
	maxKnown = 1 << 18  // the number of records and blocks that are remembered to recognize their children and repetitions
)

// grow adds n bytes to the size of b, or returns false if there is no room.
func (a *assembler) grow(b *building, n int) bool {
	if b.size+n > maxTurn {
		return false
	}
	b.size, a.held = b.size+n, a.held+n
	return true
}

// madeID makes an id for a prompt whose record has no uuid.
func madeID(rec record, words string) string {
	sum := sha256.Sum256([]byte(rec.session + "\x00" + rec.at.UTC().Format(time.RFC3339Nano) + "\x00" + words))
	return "turn-" + hex.EncodeToString(sum[:8])
}

// endTurns ends the turns that a new prompt in thread completes: a prompt in the main conversation ends
// all turns, one in a sub-agent's thread only its own. It yields turns in the order in which they began.
// A turn with calls that have no result remains open until the next prompt but one, because a prompt can
// be sent while a tool runs.
func (a *assembler) endTurns(thread string) error {
	for _, b := range a.open {
		if thread == "" || b.thread == thread {
			b.ended++
		}
	}
	for len(a.open) > 0 {
		b := a.open[0]
		if b.ended == 0 || b.ended == 1 && b.waiting > 0 {
			return nil
		}
		if err := a.emit(b); err != nil {
			return err
		}
	}
	return nil
}

// emit yields b, the first of the open turns, and removes it.
func (a *assembler) emit(b *building) error {
	if err := a.yield(b.Turn); err != nil {
		return err
	}
	a.open[0] = nil
	a.open, a.held = a.open[1:], a.held-b.size
	for _, action := range b.Actions {
		delete(a.calls, action.ID)
	}
	if a.threads[b.thread] == b {
		delete(a.threads, b.thread)
	}
	return nil
}

// finish yields the remaining turns at the end of the transcript.
func (a *assembler) finish() error {
	for len(a.open) > 0 {
		if err := a.emit(a.open[0]); err != nil {
			return err
		}
	}
	return nil
}

// offset returns the start of the first turn that has not been yielded, or end if there is none.
func (a *assembler) offset(end int64) int64 {
	if len(a.open) > 0 {
		return a.open[0].Start
	}
	return end
}

// extend makes rec part of b.
func (b *building) extend(rec record, end int64) {
	b.Stop, b.End = end, later(b.End, rec.at)
	b.Cwd, b.Session = cmp.Or(b.Cwd, rec.cwd), cmp.Or(b.Session, rec.session)
	if b.Sidechain && rec.role != "" {
		b.Agent = rec.role
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
