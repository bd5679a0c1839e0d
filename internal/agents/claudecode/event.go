// Package claudecode reads and writes Claude Code's own formats: the events that hooks read from stdin,
// the answers that they print, and the transcripts of sessions.
//
// An event is one JSON object. A transcript is a file of JSON lines, which this package divides into
// turns. A turn is one prompt and everything that Claude did in response. Both formats change from
// release to release, so every field is checked before it is used, and unknown fields are ignored.
//
// Hooks link this package on every prompt and tool call, so it does no work at
// start-up.
package claudecode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"recollect/internal/system/nesting"
)

// maxEvent limits the size of an event in bytes. The largest ones contain a whole file twice, as the old
// and the new text of an Edit, and stay far below.
const maxEvent = 16 << 20

// An Event is what Claude Code passes to a hook on stdin. Fields that its kind does not have are empty.
type Event struct {
	Name                 string
	SessionID            string
	TranscriptPath       string
	Cwd                  string
	Prompt               string
	PromptID             string // of the prompt that the event belongs to, "" before the first and in older clients
	Source               string // SessionStart: startup, resume, clear, compact, fork; UserPromptSubmit: who wrote the prompt, "" if unknown
	ContextTokens        int    // SessionStart of a session that is resumed or forked
	LastAssistantMessage string

	AgentID             string // sub-agent in which the event happened
	AgentType           string
	AgentTranscriptPath string // SubagentStop

	ToolName     string
	ToolUseID    string
	ToolInput    string // JSON of at most 16 KiB: a longer input is cut in long strings and lacks other long parts
	ToolResponse string // JSON, bounded in the same way
	Error        string // PostToolUseFailure: the tool's error message
	Interrupt    bool   // PostToolUseFailure: the user stopped the tool

	Reason  string // SessionEnd: clear, resume, logout, prompt_input_exit, other
	Trigger string // PreCompact: manual, auto
}

// Transcript returns the path of the transcript that records the event. A sub-agent has its own one, next
// to that of its session.
func (e Event) Transcript() string {
	session, ok := strings.CutSuffix(e.TranscriptPath, ".jsonl")
	switch {
	case e.AgentTranscriptPath != "":
		return e.AgentTranscriptPath
	case e.AgentID == "" || !ok || strings.ContainsAny(e.AgentID, `/\`):
		return e.TranscriptPath
	}
	return filepath.Join(session, "subagents", "agent-"+e.AgentID+".jsonl")
}

// Typed reports whether a human or a program wrote the prompt of a UserPromptSubmit in their own words,
// and no schedule, loop or part of the client.
func (e Event) Typed() bool {
	switch e.Source {
	case "system", "loop_wakeup", "schedule_wakeup", "poll_event":
		return false
	}
	return Typed(e.Prompt)
}

// ReadEvent reads one event.
func ReadEvent(r io.Reader) (Event, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err != nil {
		return Event{}, fmt.Errorf("read event: %w", err)
	}
	if len(data) > maxEvent {
		return Event{}, fmt.Errorf("read event: more than %d bytes", maxEvent)
	}
	e, err := parseEvent(data)
	if err != nil {
		return Event{}, fmt.Errorf("read event: %w", err)
	}
	return e, nil
}

func parseEvent(data []byte) (Event, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return Event{}, errors.New("empty input")
	}
	if !nesting.ValidJSONBytes(data) {
		return Event{}, errors.New("not JSON")
	}
	object := gjson.ParseBytes(data)
	if !object.IsObject() {
		return Event{}, errors.New("not a JSON object")
	}
	var e Event
	if err := e.fill(object); err != nil {
		return Event{}, err
	}
	if e.Name == "" {
		return Event{}, errors.New("no hook_event_name")
	}
	return e, nil
}

// fill copies the fields of object. If a field occurs twice, the last one counts.
func (e *Event) fill(object gjson.Result) (err error) {
	texts := e.texts()
	object.ForEach(func(key, value gjson.Result) bool {
		if value.Type != gjson.Null {
			err = e.set(key.Str, value, texts[key.Str])
		}
		return err == nil
	})
	return err
}

// set stores the value of a key of an event, for most keys in *field.
func (e *Event) set(key string, value gjson.Result, field *string) error {
	switch key {
	case "tool_input":
		e.ToolInput = boundedJSON(value)
		return nil
	case "tool_response":
		e.ToolResponse = boundedJSON(value)
		return nil
	case "context_tokens":
		if value.Type == gjson.Number {
			e.ContextTokens = max(0, int(value.Int()))
		}
		return nil
	case "workspace_roots": // Cursor
		if root := value.Get("0"); e.Cwd == "" && root.Type == gjson.String {
			e.Cwd = strings.ToValidUTF8(root.Str, "\uFFFD")
		}
		return nil
	case "is_interrupt":
		if !value.IsBool() {
			return fmt.Errorf("%s: must be a boolean, not %s", key, kindOf(value))
		}
		e.Interrupt = value.Bool()
		return nil
	}
	if field == nil {
		return nil
	}
	if value.Type != gjson.String {
		return fmt.Errorf("%s: must be a string, not %s", key, kindOf(value))
	}
	*field = strings.ToValidUTF8(value.Str, "\uFFFD")
	return nil
}

// boundedJSON returns any value as JSON of a bounded size, or "" for a long one that cannot be shortened.
func boundedJSON(value gjson.Result) string {
	switch {
	case value.IsObject(), len(value.Raw) <= maxInput:
		return bounded(value)
	case value.Type == gjson.String:
		return string(gjson.AppendJSONString(nil, cut(value.Str, maxMember)))
	}
	return ""
}

// texts returns the string fields, by their names in JSON.
func (e *Event) texts() map[string]*string {
	return map[string]*string{
		"hook_event_name":        &e.Name,
		"session_id":             &e.SessionID,
		"conversation_id":        &e.SessionID, // Cursor
		"transcript_path":        &e.TranscriptPath,
		"cwd":                    &e.Cwd,
		"prompt":                 &e.Prompt,
		"prompt_id":              &e.PromptID,
		"source":                 &e.Source,
		"last_assistant_message": &e.LastAssistantMessage,
		"prompt_response":        &e.LastAssistantMessage, // Gemini CLI
		"agent_id":               &e.AgentID,
		"agent_type":             &e.AgentType,
		"agent_transcript_path":  &e.AgentTranscriptPath,
		"tool_name":              &e.ToolName,
		"tool_use_id":            &e.ToolUseID,
		"error":                  &e.Error,
		"reason":                 &e.Reason,
		"trigger":                &e.Trigger,
	}
}

func kindOf(value gjson.Result) string {
	switch {
	case value.IsObject():
		return "an object"
	case value.IsArray():
		return "an array"
	case value.Type == gjson.Number:
		return "a number"
	case value.Type == gjson.String:
		return "a string"
	}
	return "a boolean"
}

// WriteOutput prints a hook's answer to the named event: context for the model, and a message that only
// the user sees. Either may be empty; if both are, it prints nothing.
func WriteOutput(w io.Writer, event, context, message string) error {
	if context == "" {
		event = ""
	}
	out := []byte("{}")
	for _, field := range []struct{ path, value string }{
		{"systemMessage", message},
		{"hookSpecificOutput.hookEventName", event},
		{"hookSpecificOutput.additionalContext", context},
	} {
		if field.value == "" {
			continue
		}
		var err error
		if out, err = sjson.SetBytes(out, field.path, field.value); err != nil {
			return fmt.Errorf("write hook output: %w", err)
		}
	}
	if len(out) == len("{}") {
		return nil
	}
	return write(w, append(out, '\n'))
}

// WriteField prints the answer of a hook to another agent: base, a JSON object, with one more field. It
// prints nothing if value is empty.
func WriteField(w io.Writer, base, field, value string) error {
	if value == "" {
		return nil
	}
	out, err := sjson.SetBytes([]byte(base), field, value)
	if err != nil {
		return fmt.Errorf("write hook output: %w", err)
	}
	return write(w, append(out, '\n'))
}

// WriteDecision answers a PreToolUse event with allow, ask or deny, and the reason, which the user reads, and
// Claude if the call is denied. The context is for Claude, and may be empty.
func WriteDecision(w io.Writer, decision, reason, context string) error {
	out := []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}`)
	for _, field := range []struct{ name, value string }{
		{"permissionDecision", decision}, {"permissionDecisionReason", reason}, {"additionalContext", context},
	} {
		if field.value == "" {
			continue
		}
		var err error
		if out, err = sjson.SetBytes(out, "hookSpecificOutput."+field.name, field.value); err != nil {
			return fmt.Errorf("write hook output: %w", err)
		}
	}
	return write(w, append(out, '\n'))
}

// write prints everything in one call, so that a hook that is killed at its deadline has printed all or
// nothing.
func write(w io.Writer, out []byte) error {
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("write hook output: %w", err)
	}
	return nil
}
