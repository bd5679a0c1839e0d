package claudecode

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// A record is one line of a transcript, as far as turns need it.
type record struct {
	kind    string
	id      string
	parent  string
	session string
	cwd     string
	branch  string
	agent   string // id of a sub-agent
	role    string // its type, where the record tells
	at      time.Time

	root    bool // parentUuid is null: the conversation begins here
	side    bool // of a sub-agent
	meta    bool // written by the client, not by the user
	summary bool // of a compaction
	failed  bool // an error of the API, dressed up as a reply

	origin string // human, task-notification, peer, …; empty in older clients
	source string // typed, sdk, system, …; likewise
	msg    message
}

type message struct {
	id      string
	model   string
	content gjson.Result
}

// parseRecord reads the fields of a line. It reports false for what is not a
// JSON object. Only conversation is checked to the last byte: the rest, most
// of a file by size, is passed over.
func parseRecord(line string) (record, bool) {
	var rec record
	if line[0] != '{' {
		return rec, false
	}
	gjson.Parse(line).ForEach(func(key, value gjson.Result) bool {
		rec.set(key.Str, value)
		return rec.kind == "" || rec.spoken()
	})
	if rec.spoken() || rec.kind == "" {
		return rec, gjson.Valid(line)
	}
	return rec, true
}

// spoken reports whether rec is part of the conversation.
func (rec *record) spoken() bool { return rec.kind == "user" || rec.kind == "assistant" }

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
	default:
		rec.setText(key, value)
	}
}

func (rec *record) setText(key string, value gjson.Result) {
	switch key {
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

// text returns a string of its own, so that what is kept of a line does not
// hold the whole line in memory. Anything but a string is "".
func text(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return strings.Clone(value.Str)
}

// texts returns the text of a message's or a tool result's content: a plain
// string, or the text blocks of an array, one below the other. Images and
// documents have none.
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
