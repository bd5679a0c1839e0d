package agents

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// interrupted is the prompt with which Claude Code records that the user stopped it.
const interrupted = "[Request interrupted by user]"

// A record is a line of a transcript as Claude Code writes it.
type record struct {
	kind    string // user or assistant
	id      string
	at      string
	branch  string
	message string // id of the message, for an agent that writes the same one again
	summary bool   // it is the summary of a compaction
	blocks  []block
}

// A block is a part of a record's content.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text,omitempty"`
	Thinking string          `json:"thinking,omitempty"`
	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name,omitempty"`
	Input    json.RawMessage `json:"input,omitempty"`
	Call     string          `json:"tool_use_id,omitempty"`
	Content  string          `json:"content,omitempty"`
	Failed   bool            `json:"is_error,omitempty"`
}

func textBlock(text string) block     { return block{Type: "text", Text: text} }
func thinkingBlock(text string) block { return block{Type: "thinking", Thinking: text} }

func resultBlock(call, output string, failed bool) block {
	return block{Type: "tool_result", Call: call, Content: output, Failed: failed}
}

// line returns r as a line of JSON.
func (r record) line(t *Translator) string {
	type message struct {
		ID      string  `json:"id,omitempty"`
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	line, err := json.Marshal(struct {
		Type      string  `json:"type"`
		UUID      string  `json:"uuid,omitempty"`
		Timestamp string  `json:"timestamp,omitempty"`
		Session   string  `json:"sessionId,omitempty"`
		Cwd       string  `json:"cwd,omitempty"`
		Branch    string  `json:"gitBranch,omitempty"`
		Agent     string  `json:"agentId,omitempty"`
		Role      string  `json:"attributionAgent,omitempty"`
		Side      bool    `json:"isSidechain,omitempty"`
		Summary   bool    `json:"isCompactSummary,omitempty"`
		Message   message `json:"message"`
	}{
		r.kind, r.id, r.at, t.session, t.cwd, r.branch, t.agent, t.role, t.agent != "", r.summary,
		message{r.message, r.kind, r.blocks},
	})
	if err != nil { // impossible: the input has been checked to be JSON
		return "{}"
	}
	return string(line)
}

// one returns a record with these blocks, or no record if there are none.
func (r record) one(blocks ...block) []record {
	if len(blocks) == 0 {
		return nil
	}
	r.blocks = blocks
	return []record{r}
}

// str returns a string value, or "" for any other value.
func str(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return value.Str
}

// textOf returns the text of a content: a string, or the texts in an array of strings and blocks.
func textOf(content gjson.Result) string {
	if !content.IsArray() {
		return str(content)
	}
	var parts []string
	content.ForEach(func(_, part gjson.Result) bool {
		text := str(part)
		if part.IsObject() {
			text = str(part.Get("text"))
		}
		if text != "" {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
