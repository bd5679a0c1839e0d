package claudecode

import (
	"bufio"
	"fmt"
	"hash/maphash"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// A Chain says which prompts of a transcript the user took back. /rewind writes no record: the next
// prompt just has an earlier parent than the one before it. So the prompts that count are those on the
// chain of parents from the newest prompt of a session back to its first.
//
// Only prompts fork a conversation. Parallel calls have several results, attachments and replies have
// other records beside them, and some clients write a prompt before the end of the turn that it was typed
// in. If a reply continues what came before a prompt, both count. The order of the file replaces a
// missing parent. It also replaces the parent of a prompt that is no newer than the ones before it,
// because that is a copy written by a resumed client.
type Chain struct {
	// Taken maps the prompts that were taken back, by the uuids of their records, to their sessions.
	Taken map[string]string
	// Loose says that a prompt after the first line has an unknown parent. Only reading the transcript
	// from its beginning shows whether it takes something back.
	Loose bool
}

// A link holds the fields of a record that a chain needs.
type link struct {
	id, parent, session, at string
	said                    string // message or attachment, as JSON
	root                    bool   // its parent is null
	prompt                  bool   // the conversation may fork here
	reply                   bool
	side                    bool
}

// A prompted is a prompt and the records after it, up to the next prompt.
type prompted struct {
	before int32 // the prompt that it follows, always an earlier one; −1 for none
	trunk  int32
}

// A trunk is the conversation of one session.
type trunk struct {
	session string
	current int32  // the prompt of the newest record, −1 before the first
	latest  string // time of the newest prompt
	rooted  bool   // a prompt has no parent
	linked  bool   // a record has a known parent
}

// whole reports whether the parents lead back to the first prompt of the conversation.
func (t *trunk) whole() bool { return t.rooted && t.linked }

type chainReader struct {
	seed     maphash.Seed
	owners   map[uint64]int32 // the prompt of each record, by uuid
	times    map[uint64]int32 // prompts by session and time, because one may have several records and copies
	prompts  []prompted
	names    []name
	trunks   []trunk
	sessions map[string]int32
	first    bool // nothing has been read yet
	whole    bool // reading began at the beginning of the transcript
	chain    Chain
}

// A name is the uuid of a prompt's record, or of a copy of it.
type name struct {
	id     string
	prompt int32
}

// ReadChain reads which prompts of a transcript were taken back. r is at offset in the file; if offset is
// not 0, its first line is a prompt whose parent need not be known.
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
			return Chain{}, nil // no human's session is so long: the order of the file counts
		}
	}
}

// linkOf reads the link in a line. It returns false for a line that is not of the main conversation.
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

// unlinked are kinds of records without a uuid, which make up most of a file.
var unlinked = map[string]string{
	"api-request": "-", "api-request-blob": "-", "api-request-shape": "-", "file-history-snapshot": "-", "queue-operation": "-", "summary": "-",
}

// forks reports whether a human may have typed a record, so that the conversation may fork there.
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
		clear(c.owners) // the order of the file replaces the missing parents
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

// prompt adds a prompt of session n and returns its number. owner is the prompt of its parent.
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

// beginsAnew reports whether a human typed a prompt without a parent: it is not a summary of an earlier
// conversation.
func beginsAnew(l link) bool { return Typed(ownWords(texts(gjson.Get(l.said, "content")))) }

// maxSteps is the largest number of prompts to go back from a reply to the one that it continues.
const maxSteps = 1000

// follow returns the prompt to which a record that is not a prompt belongs.
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
		// The conversation continues before the newest prompts, so these took nothing back.
		c.prompts[first].before = owner
	}
	return t.current
}

// result returns the chain at the end of the transcript.
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
