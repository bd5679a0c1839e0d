// Package agents reads the transcripts of coding agents other than Claude Code.
//
// Each agent has an adapter: a pure function that turns a line of its transcript into lines as Claude
// Code writes them, which package claudecode then makes into turns. The transcript itself shows which
// agent wrote it, so a file is read the same way by a hook, an import, and the daemon that continues
// where it stopped.
//
// Formats change from release to release, so every field is checked before it is used, and unknown ones
// are skipped.
package agents

import (
	"bytes"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

// The agents, by the names that users type.
const (
	Codex    = "codex"
	Droid    = "droid"
	Gemini   = "gemini"
	Qwen     = "qwen"
	Copilot  = "copilot"
	OpenCode = "opencode"
	Cursor   = "cursor"
)

// An adapter reads the transcripts of one agent.
type adapter struct {
	name string
	// wrote reports whether this agent wrote a line from the beginning of a transcript.
	wrote func(line gjson.Result) bool
	// records turns a line into Claude Code's records.
	records func(*Translator, gjson.Result) []record
	// file reports whether a file with this name in the agent's folder is a transcript.
	file func(folder, name string) bool
	// home names the environment variable of the agent's folder, dir is the folder below the user's home
	// if home is unset, and root is the folder of the transcripts within it.
	home, dir, root string
}

// adapters are in the order in which users see them.
var adapters = []adapter{
	{Codex, isCodex, codexRecords, isRollout, "CODEX_HOME", ".codex", "sessions"},
	{Droid, isDroid, droidRecords, isLines, "", ".factory", "sessions"},
	{Gemini, isGemini, geminiRecords, isChat, "", ".gemini", "tmp"},
	{Qwen, isQwen, qwenRecords, isChat, "", ".qwen", "projects"},
	{Copilot, isCopilot, copilotRecords, isEvents, "COPILOT_HOME", ".copilot", "session-state"},
	{OpenCode, isOpenCode, openCodeRecords, isExport, "XDG_DATA_HOME", ".local/share", "opencode"},
	{Cursor, isCursor, cursorRecords, isTranscript, "", ".cursor", "projects"},
}

// Names lists the agents whose transcripts can be read.
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

// A Translator turns the lines of one transcript into lines of Claude Code.
type Translator struct {
	adapter *adapter
	session string
	cwd     string
	agent   string // id of the sub-agent whose transcript it is
	role    string // type of that sub-agent
	at      string // time of the prompt, for lines without a time

	parts map[string]int  // number of parts of a call that was split, by its id
	seen  map[string]bool // ids of prompts, because Gemini CLI writes some again
}

// maxKnown limits what a Translator remembers.
const maxKnown = 1 << 16

// Detect returns a Translator for a transcript that has this line at its beginning, or nil if the line
// does not identify the agent. It does not translate the line.
func Detect(line []byte) *Translator {
	object, ok := parse(line)
	if !ok {
		return nil
	}
	for i := range adapters {
		if adapters[i].wrote(object) {
			t := &Translator{adapter: &adapters[i], parts: map[string]int{}, seen: map[string]bool{}}
			t.adapter.records(t, object) // sets the session and its folder
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

// SetFolder sets the folder of the session, for transcripts that do not contain it.
func (t *Translator) SetFolder(dir string) { t.cwd = dir }

// SetSession sets the id of the session, for transcripts that do not contain it.
func (t *Translator) SetSession(id string) {
	if t.session == "" {
		t.session = id
	}
}

// Lines translates a line into lines of Claude Code. It returns false if line is not part of a
// transcript.
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
