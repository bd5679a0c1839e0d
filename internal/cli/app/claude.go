package app

import (
	"fmt"
	"os"
	"path/filepath"

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
