package classifier

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"recollect/internal/memory/secret/classifier"
)

//go:embed written
var written embed.FS

// Written returns the texts that were written for training, in a folder "written". In a file,
//
//	%%% S kind
//
// precedes a text in which every secret is between ⟦ and ⟧, and "%%% O kind" precedes one without a
// secret that looks as if it had one. The secrets are invented.
func Written() fs.FS { return written }

// A Text is an example.
type Text struct {
	Kind    string // texts of one kind are alike; "" if it was not written for training
	Text    string
	Secrets []classifier.Span
}

func (t Text) written() bool { return t.Kind != "" }

// Marks around a secret in a written text.
const (
	head   = "%%% "
	opens  = "⟦"
	closes = "⟧"
)

// Read returns the texts of a folder "written".
func Read(files fs.FS) ([]Text, error) {
	names, err := fs.Glob(files, "written/*.txt")
	if err != nil {
		return nil, err
	}
	var out []Text
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read texts: %w", err)
		}
		for _, part := range strings.Split("\n"+string(content), "\n"+head)[1:] {
			title, text, _ := strings.Cut(part, "\n")
			sort, kind, _ := strings.Cut(title, " ")
			t, err := parse(strings.TrimRight(text, "\n"))
			if err != nil || sort != "S" && sort != "O" || (sort == "S") != (len(t.Secrets) > 0) {
				return nil, fmt.Errorf("read texts: %s: %q: must be S with secrets between %s and %s, or O without any", name, title, opens, closes)
			}
			t.Kind = name + " " + kind
			out = append(out, t)
		}
	}
	return out, nil
}

// parse removes the marks around the secrets from a text.
func parse(marked string) (Text, error) {
	var t Text
	var plain strings.Builder
	for {
		before, rest, found := strings.Cut(marked, opens)
		plain.WriteString(before)
		if !found {
			break
		}
		secret, after, closed := strings.Cut(rest, closes)
		if !closed || secret == "" {
			return Text{}, fmt.Errorf("%s without %s", opens, closes)
		}
		t.Secrets = append(t.Secrets, classifier.Span{Start: plain.Len(), End: plain.Len() + len(secret)})
		plain.WriteString(secret)
		marked = after
	}
	t.Text = plain.String()
	return t, nil
}
