package claudecode

import (
	"cmp"
	"hash/maphash"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Limits on what is kept of a tool call.
const (
	maxOutput = 8 << 10
	maxInput  = 16 << 10
	maxMember = 2 << 10 // one member of an input that is longer than maxInput
)

// refusals are the beginnings of the results of calls that were not permitted, or not made because another one
// beside them had failed.
var refusals = [...]string{
	"The user doesn't want to proceed with this tool use",
	"The user doesn't want to take this action right now",
	"User chose to stay in plan mode",
	"User rejected",
	"[Request interrupted by user",
	"Permission to use ",
	"Permission for this action has been denied",
	"Claude requested permissions to ",
	"Sibling tool call errored",
	"Cancelled: parallel tool call ",
}

// hookError follows the name of a hook in the result of a call that the hook blocked: "PreToolUse:Bash
// hook error: [guard]: not here".
const hookError = " hook error: "

// refused reports whether the user, a rule or a hook refused a call.
func refused(rec record, out string) bool {
	name, _, hooked := strings.Cut(out[:min(len(out), maxHookName)], hookError)
	blocked := hooked && strings.HasPrefix(name, "PreToolUse")
	return rec.denied || blocked || beginsWithAny(out, refusals[:])
}

// maxHookName is the largest offset in a result, in bytes, at which the name of a hook may end.
const maxHookName = 200

// addReply adds the texts and tool calls of a reply.
func (a *assembler) addReply(thread string, rec record, end int64) {
	b := a.threads[thread]
	if b == nil || rec.failed || rec.msg.model == "<synthetic>" {
		return
	}
	b.extend(rec, end)
	b.count(rec.msg)
	if rec.msg.content.Type == gjson.String {
		a.say(b, rec.msg.content)
		return
	}
	rec.msg.content.ForEach(func(_, block gjson.Result) bool {
		if block.IsObject() && !a.repeated(rec.msg.id, block) {
			a.block(b, block, rec.at)
		}
		return true
	})
}

// count counts the tokens of a reply, of which several records may say how many there were so far.
func (b *building) count(m message) {
	before := 0
	if m.id != "" && m.id == b.message.id {
		before = b.message.tokens
	}
	b.Tokens += max(0, m.tokens-before)
	b.message = message{id: m.id, tokens: max(before, m.tokens)}
}

// repeated reports whether the same block of the same message occurred before. Clients write blocks again
// while streaming and when they resume a session.
func (a *assembler) repeated(message string, block gjson.Result) bool {
	if message == "" {
		return false
	}
	if len(a.seen) >= maxKnown {
		clear(a.seen)
	}
	var h maphash.Hash
	h.SetSeed(a.seed)
	h.WriteString(message)
	h.WriteByte(0)
	h.WriteString(block.Raw)
	sum := h.Sum64()
	_, seen := a.seen[sum]
	a.seen[sum] = struct{}{}
	return seen
}

func (a *assembler) block(b *building, block gjson.Result, at time.Time) {
	switch block.Get("type").Str {
	case "text":
		a.say(b, block.Get("text"))
	case "thinking":
		if s := boundedText(block.Get("thinking")); strings.TrimSpace(s) != "" && a.grow(b, len(s)) {
			b.Thinking = append(b.Thinking, s)
		}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		action := newAction(block)
		action.At, action.Tokens = at, b.Tokens
		a.call(b, action)
	}
}

// say adds a reply. In a full turn it replaces the last reply, because the newest one tells the outcome.
func (a *assembler) say(b *building, reply gjson.Result) {
	s := boundedText(reply)
	if strings.TrimSpace(s) == "" {
		return
	}
	if n := len(b.Replies); !a.grow(b, len(s)) && n > 0 {
		b.Replies[n-1] = s
		return
	}
	b.Replies = append(b.Replies, s)
}

// boundedText returns a string value, and cuts the middle of a long one.
func boundedText(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return strings.Clone(cut(value.Str, maxText))
}

func (a *assembler) call(b *building, action Action) {
	if _, twice := a.calls[action.ID]; twice || action.Tool == "" {
		return
	}
	if !a.grow(b, len(action.Input)+len(action.Command)+len(action.Description)+callSize) {
		return
	}
	action.Said = len(b.Replies)
	b.Actions = append(b.Actions, action)
	if action.ID != "" {
		a.calls[action.ID] = call{b, len(b.Actions) - 1}
		b.waiting++
	}
}

func newAction(block gjson.Result) Action {
	input := block.Get("input")
	action := Action{Tool: text(block.Get("name")), ID: text(block.Get("id"))}
	if !input.IsObject() {
		return action
	}
	action.File = cmp.Or(text(input.Get("file_path")), text(input.Get("notebook_path")))
	action.Command = cut(text(input.Get("command")), maxInput)
	action.Description = cut(text(input.Get("description")), maxMember)
	action.Input = bounded(input)
	return action
}

// bounded returns input as JSON of a bounded size: it cuts long strings and omits other long members of a
// long input.
func bounded(input gjson.Result) string {
	if len(input.Raw) <= maxInput {
		return strings.Clone(input.Raw)
	}
	out := []byte{'{'}
	input.ForEach(func(key, value gjson.Result) bool {
		member := value.Raw
		if value.Type == gjson.String {
			member = string(gjson.AppendJSONString(nil, cut(value.Str, maxMember)))
		}
		if len(member) > 2*maxMember || len(out)+len(member) > maxInput {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(gjson.AppendJSONString(out, key.Str), ':')
		out = append(out, member...)
		return true
	})
	return string(append(out, '}'))
}

// results assigns the tool results in rec to their calls. It returns false if there are none.
func (a *assembler) results(rec record, end int64) bool {
	if !rec.msg.content.IsArray() {
		return false
	}
	found := false
	rec.msg.content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "tool_result" {
			found = true
			a.result(block, rec, end)
		}
		return true
	})
	return found
}

func (a *assembler) result(block gjson.Result, rec record, end int64) {
	c, ok := a.calls[block.Get("tool_use_id").Str]
	if !ok {
		return
	}
	delete(a.calls, block.Get("tool_use_id").Str)
	c.in.waiting--
	c.in.extend(rec, end)
	action := &c.in.Actions[c.action]
	action.End = rec.at
	out := strings.TrimSpace(texts(block.Get("content")))
	inner, wrapped := strings.CutPrefix(out, "<tool_use_error>")
	out = strings.TrimSuffix(inner, "</tool_use_error>")
	action.Refused = refused(rec, out)
	action.Failed = !action.Refused && (wrapped || block.Get("is_error").Type == gjson.True)
	if action.Output = ""; a.grow(c.in, min(len(out), maxOutput)) {
		action.Output = strings.Clone(cut(out, maxOutput))
	}
}

// cut removes the middle of s if it is longer than n bytes, because the beginning of a call says what it
// does and the end how it went. It cuts between lines, or else between words. It removes a very long word
// entirely, because half of a key would no longer look like a key.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "\n…\n"
	half := (n - len(mark)) / 2
	return s[:headEnd(s, half)] + mark + s[tailStart(s, len(s)-half):]
}

// lineNear is the distance in bytes by which a cut may move to reach the end of a line.
const lineNear = 1 << 10

// headEnd returns where the retained beginning of s ends, at n or earlier.
func headEnd(s string, n int) int {
	if i := strings.LastIndexByte(s[max(0, n-lineNear):n], '\n'); i >= 0 {
		return max(0, n-lineNear) + i
	}
	for n > 0 && splits(s, n) {
		n--
	}
	return n
}

// tailStart returns where the retained end of s begins, at n or later.
func tailStart(s string, n int) int {
	if i := strings.IndexByte(s[n:min(len(s), n+lineNear)], '\n'); i >= 0 {
		return n + i + 1
	}
	for n < len(s) && splits(s, n) {
		n++
	}
	return n
}

// splits reports whether a cut before byte n would divide a character, a key or an address.
func splits(s string, n int) bool {
	return !utf8.RuneStart(s[n]) || inWord(s[n-1]) && inWord(s[n])
}

// inWord reports whether c may be part of a key or an address.
func inWord(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"'`()<>[]{},;|", rune(c))
}
