// Package claudecode knows Claude Code's own formats: the events that hooks
// read from stdin, the answers they print, and the transcripts of sessions.
//
// An event is one JSON object. A transcript is a file of JSON lines, which
// this package divides into turns. A turn is one prompt and everything that
// Claude did in response. Both formats change from release to release, so
// every field is checked before it is used, and unknown fields are ignored.
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

// maxEvent bounds an event. The largest ones seen carry a whole file twice
// (an Edit's former and new text) and stay far below.
const maxEvent = 16 << 20

// An Event is what Claude Code passes to a hook on stdin. Fields that this
// kind of event does not have are empty.
type Event struct {
	Name                 string
	SessionID            string
	TranscriptPath       string
	Cwd                  string
	Prompt               string
	Source               string // SessionStart: startup, resume, clear, compact, fork; UserPromptSubmit: who wrote the prompt, "" if unknown
	ContextTokens        int    // SessionStart of a session that is resumed or forked
	LastAssistantMessage string

	AgentID             string // of the sub-agent that the event happened in
	AgentType           string
	AgentTranscriptPath string // SubagentStop

	ToolName     string
	ToolUseID    string
	ToolInput    string // JSON of at most 16 KiB: in a longer input long strings are cut, other long parts left out
	ToolResponse string // JSON, bounded in the same way
	Error        string // PostToolUseFailure: the tool's error message
	Interrupt    bool   // PostToolUseFailure: the user stopped the tool

	Reason  string // SessionEnd: clear, resume, logout, prompt_input_exit, other
	Trigger string // PreCompact: manual, auto
}

// Transcript returns the path of the transcript in which the event is
// recorded. A sub-agent has its own, next to its session's.
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

// Typed reports whether the prompt of a UserPromptSubmit is a request in a human's own words, or a program's: no schedule,
// loop or part of the client wrote it.
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

// fill copies the fields of object. Of a field that occurs twice, the last one
// is used.
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

// set sets what a key of an event stands for: field if that is a string.
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

// boundedJSON returns any value as JSON of a bounded size, or "" for a long
// one that cannot be shortened.
func boundedJSON(value gjson.Result) string {
	switch {
	case value.IsObject(), len(value.Raw) <= maxInput:
		return bounded(value)
	case value.Type == gjson.String:
		return string(gjson.AppendJSONString(nil, cut(value.Str, maxMember)))
	}
	return ""
}

// texts returns the fields that hold a string, by their names in JSON.
func (e *Event) texts() map[string]*string {
	return map[string]*string{
		"hook_event_name":        &e.Name,
		"session_id":             &e.SessionID,
		"conversation_id":        &e.SessionID, // Cursor
		"transcript_path":        &e.TranscriptPath,
		"cwd":                    &e.Cwd,
		"prompt":                 &e.Prompt,
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

// WriteOutput prints a hook's answer: context for the model, and a message
// that only the user sees. Either may be empty; if both are, nothing is
// printed. event is the name of the event being answered.
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

// WriteField prints the answer of a hook of another agent: base, a JSON object, with one more field.
// Without a value nothing is printed.
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

// WriteAllow answers a PreToolUse event: the call needs no permission from the
// user. reason is shown to users who ask for it.
func WriteAllow(w io.Writer, reason string) error {
	out := []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`)
	out, err := sjson.SetBytes(out, "hookSpecificOutput.permissionDecisionReason", reason)
	if err != nil {
		return fmt.Errorf("write hook output: %w", err)
	}
	return write(w, append(out, '\n'))
}

// write prints everything in one call, so that a hook that is killed at its
// deadline has printed either all or nothing.
func write(w io.Writer, out []byte) error {
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("write hook output: %w", err)
	}
	return nil
}
