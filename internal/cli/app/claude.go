package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"recollect/internal/api"
	"recollect/internal/system/regular"
)

// TranscriptsIn lists the transcripts of sessions in Claude Code's folder.
func TranscriptsIn(dir string) []string {
	var paths []string
	for _, project := range regular.Ending(filepath.Join(dir, "projects"), "") {
		paths = append(paths, regular.Ending(project, ".jsonl")...)
	}
	return paths
}

// ClaudeDir returns Claude Code's configuration folder.
func ClaudeDir() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find Claude Code's folder: %w", err)
	}
	return filepath.Join(home, ".claude"), nil
}

const (
	maxSessionState = 16 << 20     // bytes
	callEvent       = "PreToolUse" // brings what a prompt would have, where no hook sees prompts
)

// SawPrompt reports whether the hook passed on the last prompt of a session that was answered.
func SawPrompt(home, session string) bool {
	text, err := regular.Read(api.SessionPath(home, session), maxSessionState)
	if err != nil {
		return false
	}
	var state struct {
		LastPrompt string        `json:"last_prompt"`
		Recalled   *api.Recalled `json:"recalled"`
	}
	if json.Unmarshal(text, &state) != nil {
		return false
	}
	if state.Recalled == nil {
		return state.LastPrompt != ""
	}
	return state.Recalled.Event != callEvent
}
