package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Runnable returns a hint that can be copied and run. If a shell would not find this executable by
// the name of root, the commands in the hint get its full path.
func Runnable(root *cobra.Command, hint string) string {
	words := strings.Split(hint, " ")
	name := ""
	for i, word := range words[:len(words)-1] {
		if word != root.Name() || !isCommand(root, strings.Trim(words[i+1], ".,;:)")) {
			continue
		}
		if name == "" {
			name = invocationOf(root.Name())
		}
		words[i] = name
	}
	return strings.Join(words, " ")
}

func isCommand(root *cobra.Command, name string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
}

// invocationOf returns the name or path by which a shell runs this executable.
func invocationOf(name string) string {
	self, err := os.Executable()
	if err != nil {
		return name
	}
	if found, err := exec.LookPath(name); err == nil && sameFile(found, self) {
		return name
	}
	return ShellQuote(self)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// ShellQuote quotes a path as one word for a shell.
func ShellQuote(path string) string {
	const plain = "/.-_~:+,@%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch {
	case path != "" && strings.Trim(filepath.ToSlash(path), plain) == "":
		return path
	case filepath.Separator == '\\':
		return `"` + path + `"` // a file name cannot contain a quotation mark on Windows
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
