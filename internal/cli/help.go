package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// foldHelp makes the help of root and its commands fit the width of what it is written to.
func foldHelp(root *cobra.Command) {
	write := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		write(cmd, args)
		cmd.SetOut(out)
		FoldList(out, text.String()) // a help that cannot be written has no reader
	})
}

// FoldList writes paragraphs and lists, made to fit the width of w: an entry "  name   description" keeps its columns.
func FoldList(w io.Writer, text string) error {
	return Print(w, Text("%s", foldParagraphs(text, Width(w))))
}

// foldParagraphs wraps the paragraphs that have a line of more than width columns. A width of 0 changes nothing.
func foldParagraphs(text string, width int) string {
	if width == 0 {
		return text
	}
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if isWider(p, width) {
			paragraphs[i] = foldParagraph(p, width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func isWider(paragraph string, width int) bool {
	for line := range strings.SplitSeq(paragraph, "\n") {
		if Columns(line) > width {
			return true
		}
	}
	return false
}

// foldParagraph wraps prose as a whole, and a list entry by entry.
func foldParagraph(paragraph string, width int) string {
	lines := strings.Split(strings.TrimRight(paragraph, "\n"), "\n")
	end := paragraph[len(strings.TrimRight(paragraph, "\n")):]
	if !strings.Contains(paragraph, "\n ") && !strings.HasPrefix(paragraph, " ") {
		return Wrap(paragraph, 0, width) + end
	}
	for i, line := range lines {
		if Columns(line) > width {
			lines[i] = foldEntry(line, width)
		}
	}
	return strings.Join(lines, "\n") + end
}

// foldEntry wraps an entry of a list, "  name   description", with all of the description in its column.
func foldEntry(line string, width int) string {
	name := strings.TrimLeft(line, " ")
	indent := len(line) - len(name)
	name, description, found := strings.Cut(name, "  ")
	if !found {
		return line[:indent] + Wrap(name, indent+2, width+2)
	}
	description = strings.TrimLeft(description, " ")
	column := len(line) - len(description)
	if column > width/2 {
		column = indent + 4
		return line[:indent] + name + "\n" + strings.Repeat(" ", column) + Wrap(description, column, width)
	}
	return line[:column] + Wrap(description, column, width)
}
