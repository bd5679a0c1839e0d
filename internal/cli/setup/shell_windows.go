package setup

import (
	"os/exec"
	"strings"
)

// shellFor returns the program that runs a command line, and its arguments: the shell of Git, which
// Claude Code uses too, else PowerShell.
func shellFor(command string) (name string, args []string) {
	if sh, err := exec.LookPath("sh"); err == nil {
		return sh, []string{"-c", command}
	}
	return "powershell", []string{"-NoProfile", "-Command", command}
}

// quoteWord returns text as one word of a command line.
func quoteWord(text string) string {
	if !strings.ContainsAny(text, " '\"$`\\;|&()<>*?") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// orElse returns the first command line, because the two shells have no common operator for "or else".
func orElse(line, _ string) string { return line }
