// Package agents reads the transcripts of other coding agents than Claude Code.
//
// Each agent has an adapter: a pure function that turns a line of its transcript into lines as
// Claude Code writes them, from which package claudecode makes turns as from its own. Which agent
// wrote a transcript is seen from the transcript itself, so that a file is read the same way
// whoever names it: a hook, an import, or the daemon that reads on where it stopped.
//
// Formats change from release to release, so every field is checked before it is used, and what is
// unknown is passed over.
package agents

import (
	"bytes"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

// The agents, by the names that users call them.
const (
	Codex    = "codex"
	Droid    = "droid"
	Gemini   = "gemini"
	Qwen     = "qwen"
	Copilot  = "copilot"
	OpenCode = "opencode"
	Cursor   = "cursor"
)

// An adapter knows the transcripts of one agent.
type adapter struct {
	name string
	// wrote reports whether a line at the beginning of a transcript is this agent's.
	wrote func(line gjson.Result) bool
	// records turns a line into Claude Code's records.
	records func(*Translator, gjson.Result) []record
	// file reports whether a file of this name in a folder of the agent's is a transcript.
	file func(folder, name string) bool
	// root is the folder of the transcripts below the agent's own, and home names that one.
	home, dir, root string
}

// adapters are in the order in which they are listed to users.
var adapters = []adapter{
	{Codex, isCodex, codexRecords, isRollout, "CODEX_HOME", ".codex", "sessions"},
	{Droid, isDroid, droidRecords, isLines, "", ".factory", "sessions"},
	{Gemini, isGemini, geminiRecords, isChat, "", ".gemini", "tmp"},
	{Qwen, isQwen, qwenRecords, isChat, "", ".qwen", "projects"},
	{Copilot, isCopilot, copilotRecords, isEvents, "COPILOT_HOME", ".copilot", "session-state"},
	{OpenCode, isOpenCode, openCodeRecords, isExport, "XDG_DATA_HOME", ".local/share", "opencode"},
	{Cursor, isCursor, cursorRecords, isTranscript, "", ".cursor", "projects"},
}

// Names lists the agents whose transcripts are read.
func Names() []string {
	var names []string
	for _, a := range adapters {
		names = append(names, a.name)
	}
	return names
}

func find(name string) *adapter {
	for i := range adapters {
		if adapters[i].name == name {
			return &adapters[i]
		}
	}
	return nil
}

// A Translator turns the lines of one transcript into those of Claude Code.
type Translator struct {
	adapter *adapter
	session string
	cwd     string
	agent   string // id of a sub-agent whose transcript it is
	role    string // its type
	at      string // when the prompt was given, for lines without a time

	parts map[string]int  // calls that became several, by id
	seen  map[string]bool // ids of prompts, which Gemini CLI writes again
}

// maxKnown bounds what a Translator remembers.
const maxKnown = 1 << 16

// Detect returns the Translator for a transcript that has this line at its beginning, or nil if
// that does not tell the agent. The line is not translated.
func Detect(line []byte) *Translator {
	object, ok := parse(line)
	if !ok {
		return nil
	}
	for i := range adapters {
		if adapters[i].wrote(object) {
			t := &Translator{adapter: &adapters[i], parts: map[string]int{}, seen: map[string]bool{}}
			t.adapter.records(t, object) // it says the session and its folder
			clear(t.seen)
			clear(t.parts)
			t.at = ""
			return t
		}
	}
	return nil
}

// Agent returns the name of the agent that wrote the transcript.
func (t *Translator) Agent() string { return t.adapter.name }

// SetFolder says where the session ran, for transcripts that do not.
func (t *Translator) SetFolder(dir string) { t.cwd = dir }

// SetSession says which session it is, for transcripts that do not.
func (t *Translator) SetSession(id string) {
	if t.session == "" {
		t.session = id
	}
}

// Lines returns what a line says as lines of Claude Code's, and whether it is a line of a
// transcript at all.
func (t *Translator) Lines(line []byte) ([]string, bool) {
	object, ok := parse(line)
	if !ok {
		return nil, false
	}
	var out []string
	for _, r := range t.adapter.records(t, object) {
		out = append(out, r.line(t))
	}
	return out, true
}

func parse(line []byte) (gjson.Result, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' || !nesting.ValidJSONBytes(line) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(line), true
}
