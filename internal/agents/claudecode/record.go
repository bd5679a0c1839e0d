package claudecode

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

// A record holds the fields of a transcript's line that turns need.
type record struct {
	kind    string
	id      string
	parent  string
	prompt  string // id of the prompt that it belongs to
	session string
	cwd     string
	branch  string
	saved   bool   // it comes from a checkpoint of another program
	commit  string // of that
	agent   string // id of a sub-agent
	role    string // type of the sub-agent, if the record has it
	at      time.Time

	root    bool // parentUuid is null: the conversation begins here
	side    bool // it belongs to a sub-agent
	meta    bool // written by the client, not by the user
	summary bool // it is the summary of a compaction
	failed  bool // it is an API error in the form of a reply

	origin string // human, task-notification, peer, …; empty in older clients
	source string // typed, sdk, system, …; empty in older clients
	turn   string // human, sdk, scheduled, peer, …; empty in older clients
	entry  string // program in which the session runs: cli, sdk-cli, claude-vscode, …
	plan   string // plan that the prompt starts
	denied bool   // it is the result of a call that was not permitted

	queued  bool   // it is a prompt that was typed while Claude worked
	blocked bool   // it says that a hook blocked a prompt
	notice  string // text of a system record
	msg     message
}

type message struct {
	id      string
	model   string
	tokens  int // see Turn.Tokens
	content gjson.Result
}

// parseRecord reads the fields of a line. It returns false for anything but a JSON object. It validates
// only records of the conversation completely, because the rest is most of a file.
func parseRecord(line string) (record, bool) {
	var rec record
	if line[0] != '{' {
		return rec, false
	}
	gjson.Parse(line).ForEach(func(key, value gjson.Result) bool {
		rec.set(key.Str, value)
		return rec.kind == "" || rec.isMessage() || rec.concernsPrompt(line)
	})
	if !rec.isMessage() && rec.kind != "" && !rec.concernsPrompt(line) {
		return rec, true
	}
	if rec.queued {
		rec.kind = "user"
	}
	return rec, nesting.ValidJSON(line)
}

// isMessage reports whether rec is a message of the conversation.
func (rec *record) isMessage() bool { return rec.kind == "user" || rec.kind == "assistant" }

// concernsPrompt reports whether rec, which is not a message, says that a prompt was typed while Claude worked, or
// that a hook blocked one.
func (rec *record) concernsPrompt(line string) bool {
	switch rec.kind {
	case "attachment":
		return strings.Contains(line, `"queued_command"`) || strings.Contains(line, `"UserPromptSubmit"`) && !strings.Contains(line, `"hook_success"`)
	case "system":
		return strings.Contains(line, blockedMark)
	}
	return false
}

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
	case "isMeta", "isVisibleInTranscriptOnly", "textNotTyped", "handedOff":
		rec.meta = rec.meta || value.Type == gjson.True
	case "uuid":
		rec.id = text(value)
	case "promptId":
		rec.prompt = text(value)
	case "cwd":
		rec.cwd = text(value)
	case "gitBranch":
		rec.branch = text(value)
	case "checkpoint": // only a record that we wrote for an import has it
		rec.saved, rec.commit = value.IsObject(), text(value.Get("commit"))
	case "agentId":
		rec.agent = text(value)
	case "attributionAgent":
		rec.role = text(value)
	case "promptSource":
		rec.source = text(value)
	case "turnOrigin":
		rec.turn = text(value)
	case "entrypoint":
		rec.entry = text(value)
	case "planContent":
		rec.plan = boundedText(value)
	case "toolDenialKind":
		rec.denied = rec.denied || value.Type == gjson.String
	case "permissionDecision":
		rec.denied = rec.denied || text(value.Get("decision")) == "reject"
	case "attachment":
		rec.attach(value)
	case "content": // of a system record
		rec.notice = text(value)
		rec.blocked = rec.blocked || strings.HasPrefix(rec.notice, blockedMark)
	}
}

// attach reads the attachments that concernsPrompt recognizes.
func (rec *record) attach(value gjson.Result) {
	switch text(value.Get("type")) {
	case "queued_command":
		rec.origin = text(value.Get("origin.kind"))
		mode, meta := text(value.Get("commandMode")), value.Get("isMeta").Type == gjson.True
		prompt, human := mode == "" || mode == "prompt", rec.origin == "" || rec.origin == "human"
		rec.queued = prompt && human && !meta
		rec.msg.content = value.Get("prompt")
	case "hook_blocking_error", "hook_stopped_continuation":
		rec.blocked = rec.blocked || text(value.Get("hookEvent")) == "UserPromptSubmit"
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
		case "usage":
			rec.msg.tokens = newTokens(value)
		}
		return true
	})
}

// newTokens returns the tokens of a usage that no cache had.
func newTokens(usage gjson.Result) int {
	sum := 0.0
	for _, n := range gjson.GetMany(usage.Raw, "input_tokens", "cache_creation_input_tokens", "output_tokens") {
		sum += min(max(n.Num, 0), maxTokens)
	}
	return int(sum)
}

// maxTokens is more than any message has.
const maxTokens = 1e8

// text returns a copy of a string value, which does not keep the whole line in memory. It returns "" for
// any other value.
func text(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return strings.Clone(value.Str)
}

// texts returns the text in the content of a message or a tool result: a string, or the text blocks of an
// array, one per line. Images and documents have no text.
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
