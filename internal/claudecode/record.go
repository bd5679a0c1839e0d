package claudecode

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// A record is those parts of a line of a transcript that turns need.
type record struct {
	kind    string
	id      string
	parent  string
	session string
	cwd     string
	branch  string
	agent   string // id of a sub-agent
	role    string // type of the sub-agent, if the record has it
	at      time.Time

	root    bool // parentUuid is null: the conversation begins here
	side    bool // whether it belongs to a sub-agent
	meta    bool // written by the client, not by the user
	summary bool // whether it is the summary of a compaction
	failed  bool // whether it is an error of the API in the form of a reply

	origin string // human, task-notification, peer, …; empty in older clients
	source string // typed, sdk, system, …; empty in older clients
	msg    message
}

type message struct {
	id      string
	model   string
	content gjson.Result
}

// parseRecord reads the fields of a line. It returns false for anything but a
// JSON object. Only records of the conversation are validated completely; the
// rest, most of a file by size, is skipped.
func parseRecord(line string) (record, bool) {
	var rec record
	if line[0] != '{' {
		return rec, false
	}
	gjson.Parse(line).ForEach(func(key, value gjson.Result) bool {
		rec.set(key.Str, value)
		return rec.kind == "" || rec.isMessage()
	})
	if rec.isMessage() || rec.kind == "" {
		return rec, gjson.Valid(line)
	}
	return rec, true
}

// isMessage reports whether rec is a message of the conversation.
func (rec *record) isMessage() bool { return rec.kind == "user" || rec.kind == "assistant" }

func (rec *record) set(key string, value gjson.Result) {
	switch key {
	case "type":
		rec.kind = text(value)
	case "message":
		rec.setMessage(value)
	case "timestamp":
		rec.at, _ = time.Parse(time.RFC3339Nano, text(value))
	case "parentUuid":
		rec.root, rec.parent = value.Type == gjson.Null, text(value)
	case "sessionId":
		rec.session = text(value)
	case "origin":
		rec.origin = text(value.Get("kind"))
	case "isApiErrorMessage":
		rec.failed = value.Type == gjson.True
	case "isSidechain":
		rec.side = value.Type == gjson.True
	case "isCompactSummary":
		rec.summary = value.Type == gjson.True
	case "isMeta", "isVisibleInTranscriptOnly":
		rec.meta = rec.meta || value.Type == gjson.True
	case "uuid":
		rec.id = text(value)
	case "cwd":
		rec.cwd = text(value)
	case "gitBranch":
		rec.branch = text(value)
	case "agentId":
		rec.agent = text(value)
	case "attributionAgent":
		rec.role = text(value)
	case "promptSource":
		rec.source = text(value)
	}
}

func (rec *record) setMessage(value gjson.Result) {
	if !value.IsObject() {
		return
	}
	value.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "id":
			rec.msg.id = text(value)
		case "model":
			rec.msg.model = text(value)
		case "content":
			rec.msg.content = value
		}
		return true
	})
}

// text returns a string value as a copy, so that it does not hold the whole
// line in memory. For any other value it returns "".
func text(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return strings.Clone(value.Str)
}

// texts returns the text of a message's or a tool result's content: a plain
// string, or the text blocks of an array, one below the other. Images and
// documents have no text.
func texts(content gjson.Result) string {
	if !content.IsArray() {
		return text(content)
	}
	var parts []string
	content.ForEach(func(_, block gjson.Result) bool {
		if s := block.Get("text"); s.Type == gjson.String && block.Get("type").Str == "text" {
			parts = append(parts, s.Str)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
