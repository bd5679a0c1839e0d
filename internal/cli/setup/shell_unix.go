//go:build unix

package setup

import "strings"

// shellFor returns the program that runs a command line, and its arguments.
func shellFor(command string) (name string, args []string) { return "/bin/sh", []string{"-c", command} }

// quoteWord returns text as one word of a command line.
func quoteWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// orElse returns a command line that runs another one if the first cannot be run.
func orElse(line, other string) string { return line + " || /bin/sh -c " + quoteWord(other) }
