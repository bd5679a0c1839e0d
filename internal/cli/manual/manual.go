// Package manual writes the manual pages and the shell completions of a command line. It is used for
// releases: the executables that users install do not link it.
package manual

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Write writes the manual pages of root and its commands to dir/man/man1, and the completions to
// dir/completions. The same commands and version give the same bytes.
func Write(root *cobra.Command, version, dir string) error {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	pages, shells := filepath.Join(dir, "man", "man1"), filepath.Join(dir, "completions")
	if err := errors.Join(os.MkdirAll(pages, 0o755), os.MkdirAll(shells, 0o755)); err != nil {
		return err
	}
	return errors.Join(writePages(root, version, pages), writeCompletions(root, shells))
}

func writeCompletions(root *cobra.Command, dir string) error {
	name := root.Name()
	var errs []error
	for file, generate := range map[string]func(io.Writer) error{
		name + ".bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_" + name:     root.GenZshCompletion,
		name + ".fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		name + ".ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		errs = append(errs, writeFile(filepath.Join(dir, file), generate))
	}
	return errors.Join(errs...)
}

func writePages(cmd *cobra.Command, version, dir string) error {
	path := filepath.Join(dir, pageOf(cmd)+".1")
	errs := []error{writeFile(path, func(w io.Writer) error { return writePage(w, cmd, version) })}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			errs = append(errs, writePages(sub, version, dir))
		}
	}
	return errors.Join(errs...)
}

func writeFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// pageOf returns the name of a command's manual page, such as recollect-config-check.
func pageOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func writePage(w io.Writer, cmd *cobra.Command, version string) error {
	root := cmd.Root()
	cmd.InitDefaultHelpFlag()
	fmt.Fprintf(w, ".TH %q 1 \"\" %q %q\n", strings.ToUpper(pageOf(cmd)), root.Name()+" "+version, root.Name())
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", escapeTroff(pageOf(cmd)), escapeTroff(cmd.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n%s\n", escapeTroff(cmd.UseLine()))
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	writeText(w, cmp.Or(cmd.Long, cmd.Short))
	writeCommands(w, cmd)
	writeOptions(w, "OPTIONS", cmd.NonInheritedFlags())
	writeOptions(w, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", escapeTroff(cmd.Example))
	}
	if cmd != root {
		fmt.Fprintf(w, ".SH SEE ALSO\n.BR %s (1)\n", escapeTroff(pageOf(cmd.Parent())))
	}
	return nil
}

// writeText writes a text paragraph by paragraph, and keeps its layout.
func writeText(w io.Writer, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		if strings.HasPrefix(paragraph, " ") {
			fmt.Fprintf(w, ".nf\n%s\n.fi\n", escapeTroff(paragraph))
			continue
		}
		fmt.Fprintf(w, "%s\n", escapeTroff(paragraph))
	}
}

func writeCommands(w io.Writer, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(w, ".TP\n.BR %s (1)\n%s\n", escapeTroff(pageOf(sub)), escapeTroff(sub.Short))
		}
	}
}

func writeOptions(w io.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		option := "--" + f.Name
		if f.Shorthand != "" {
			option = "-" + f.Shorthand + ", " + option
		}
		if name != "" {
			option += " " + name
		}
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", escapeTroff(option), escapeTroff(usage))
	})
}

// escapeTroff escapes text for troff, where a line must not begin like a command.
func escapeTroff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r > unicode.MaxASCII {
			fmt.Fprintf(&b, `\[u%04X]`, r)
			continue
		}
		b.WriteRune(r)
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
