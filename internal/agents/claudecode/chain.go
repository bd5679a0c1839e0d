package claudecode

import (
	"bufio"
	"fmt"
	"hash/maphash"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// A Chain says which prompts of a transcript the user took back. /rewind writes nothing: the next
// prompt has an earlier parent than the one before it. So what counts is the chain of parents from
// the newest prompt of a session back to its first.
//
// Only prompts fork a conversation. Parallel calls have several results, attachments and replies
// have other records beside them, and some clients write a prompt before the end of the turn that it
// was typed in; where a reply continues what came before a prompt, both count. Where a parent is
// missing, the order of the file counts, and for a prompt that is no newer than those before it: that
// is a copy, which a resumed client wrote.
type Chain struct {
	// Taken are the prompts that were taken back, and their sessions, by the uuid of their records.
	Taken map[string]string
	// Loose says that a prompt behind the first line has a parent that was not read: whether it takes something
	// back is only known once the transcript is read from its beginning.
	Loose bool
}

// A link is what is known of a record for the chain.
type link struct {
	id, parent, session, at string
	said                    string // message or attachment, as it is written
	root                    bool   // its parent is null
	prompt                  bool   // the conversation may fork here
	reply                   bool
	side                    bool
}

// A prompted is a prompt and what follows it up to the next.
type prompted struct {
	before int32 // the prompt that it follows, −1 for none; always an earlier one
	trunk  int32
}

// A trunk is the conversation of one session.
type trunk struct {
	session string
	current int32  // prompt that the newest record belongs to, −1 before the first
	latest  string // time of the newest prompt
	rooted  bool   // a prompt has no parent
	linked  bool   // a record has a parent that is known
}

// whole reports whether the conversation has been read from its first prompt on, by its parents.
func (t *trunk) whole() bool { return t.rooted && t.linked }

type chainReader struct {
	seed     maphash.Seed
	owners   map[uint64]int32 // the prompt that a record belongs to, by uuid
	times    map[uint64]int32 // prompts by session and time: one may take several records, and have copies
	prompts  []prompted
	names    []name
	trunks   []trunk
	sessions map[string]int32
	first    bool // nothing was read yet
	whole    bool // the transcript is read from its beginning
	chain    Chain
}

// A name is the uuid of a prompt's record, or of a copy of it.
type name struct {
	id     string
	prompt int32
}

// ReadChain reads which prompts were taken back from a transcript, which is at offset in the file. A prompt
// in its first line is taken to be known.
func ReadChain(r io.Reader, offset int64) (Chain, error) {
	lines := lineReader{r: bufio.NewReaderSize(r, 256<<10), end: offset}
	c := chainReader{
		seed: maphash.MakeSeed(), owners: map[uint64]int32{}, times: map[uint64]int32{},
		sessions: map[string]int32{}, first: offset > 0, whole: offset == 0,
	}
	for {
		line, err := lines.next()
		if err == io.EOF {
			return c.result(), nil
		}
		if err != nil {
			return Chain{}, fmt.Errorf("read transcript: %w", err)
		}
		if line = trimLine(line); len(line) == 0 {
			continue
		}
		all, _ := objects(line)
		for _, object := range all {
			if l, ok := linkOf(object); ok {
				c.add(l)
			}
		}
		if c.first = false; max(len(c.names), len(c.trunks)) >= maxKnown {
			return Chain{}, nil // no session of a human's: the order of the file counts
		}
	}
}

// linkOf reads what a line says for the chain. It returns false for what is no record of the main conversation.
func linkOf(line []byte) (link, bool) {
	var l link
	var kind string
	var content gjson.Result
	hidden := false
	gjson.ParseBytes(line).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			kind = value.Str
		case "uuid":
			l.id = value.Str
		case "parentUuid":
			l.root, l.parent = value.Type == gjson.Null, value.Str
		case "logicalParentUuid":
			if value.Str != "" {
				l.parent, l.root = value.Str, false
			}
		case "sessionId":
			l.session = value.Str
		case "timestamp":
			l.at = value.Str
		case "isSidechain":
			l.side = value.Type == gjson.True
		case "isMeta", "isCompactSummary":
			hidden = hidden || value.Type == gjson.True
		case "message", "attachment":
			if value.IsObject() {
				content = value
			}
		}
		return !l.side && unlinked[kind] == ""
	})
	l.reply, l.said = kind == "assistant", content.Raw
	l.prompt = !hidden && forks(kind, content)
	return l, l.id != "" && !l.side
}

// unlinked are records without a uuid, most of a file by size.
var unlinked = map[string]string{
	"api-request": "-", "api-request-blob": "-", "api-request-shape": "-", "file-history-snapshot": "-", "queue-operation": "-", "summary": "-",
}

// forks reports whether the conversation may fork at a record: at what a human typed, and not at the result of a call.
func forks(kind string, content gjson.Result) bool {
	switch kind {
	case "user":
		said := content.Get("content")
		return said.Type == gjson.String || said.IsArray() && said.Get("0.type").Str != "tool_result"
	case "attachment":
		return content.Get("type").Str == "queued_command"
	}
	return false
}

func (c *chainReader) hash(a, b string) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteString(a)
	h.WriteByte(0)
	h.WriteString(b)
	return h.Sum64()
}

func (c *chainReader) add(l link) {
	if len(c.owners) >= maxKnown {
		clear(c.owners) // where a parent is missing, the order of the file counts
	}
	n, ok := c.sessions[l.session]
	if !ok {
		n = int32(len(c.trunks))
		session := strings.Clone(l.session)
		c.sessions[session] = n
		c.trunks = append(c.trunks, trunk{session: session, current: -1})
	}
	t := &c.trunks[n]
	owner, known := c.owners[c.hash(l.parent, "")]
	known = known && l.parent != ""
	t.linked = t.linked || known
	if l.prompt {
		owner = c.prompt(l, n, owner, known)
	} else {
		owner = c.follow(l, t, owner, known)
	}
	c.owners[c.hash(l.id, "")] = owner
}

// prompt adds a prompt of the session n, and returns it. owner is the prompt that its parent belongs to.
func (c *chainReader) prompt(l link, n, owner int32, known bool) int32 {
	t, own := &c.trunks[n], int32(len(c.prompts))
	key := c.hash(l.session, l.at)
	if copied, ok := c.times[key]; ok && l.at != "" {
		own = copied
	} else {
		if !known && !c.whole && !c.first {
			c.chain.Loose = true
		}
		before, anew := t.current, l.root && beginsAnew(l)
		switch newer := l.at > t.latest || l.at == ""; {
		case known && newer:
			before = owner
		case newer && anew && t.whole():
			before = -1
		}
		c.prompts = append(c.prompts, prompted{before, n})
		c.times[key] = own
	}
	c.names = append(c.names, name{strings.Clone(l.id), own})
	t.rooted, t.latest = t.rooted || l.root, max(t.latest, l.at)
	t.current = own
	return own
}

// beginsAnew reports whether a prompt without a parent is a human's, and no summary of a conversation that it goes on with.
func beginsAnew(l link) bool { return Typed(ownWords(texts(gjson.Get(l.said, "content")))) }

// maxSteps bounds how far back it is looked whether a reply belongs to the conversation.
const maxSteps = 1000

// follow returns the prompt that a record belongs to which is none itself.
func (c *chainReader) follow(l link, t *trunk, owner int32, known bool) int32 {
	if !known {
		return t.current
	}
	if !l.reply || owner < 0 || owner >= t.current {
		return owner
	}
	first, at := t.current, c.prompts[t.current].before
	for steps := 0; at > owner && steps < maxSteps; steps++ {
		first, at = at, c.prompts[at].before
	}
	if at < owner {
		// The conversation goes on from beside the newest prompts, so these took nothing back.
		c.prompts[first].before = owner
	}
	return t.current
}

// result returns the chain once all is read.
func (c *chainReader) result() Chain {
	counts := make([]bool, len(c.prompts))
	for i := range c.trunks {
		for p := c.trunks[i].current; p >= 0 && !counts[p]; p = c.prompts[p].before {
			counts[p] = true
		}
	}
	for _, n := range c.names {
		if !counts[n.prompt] {
			if c.chain.Taken == nil {
				c.chain.Taken = map[string]string{}
			}
			c.chain.Taken[n.id] = c.trunks[c.prompts[n.prompt].trunk].session
		}
	}
	return c.chain
}
