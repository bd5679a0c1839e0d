package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var (
	embedderTable = regexp.MustCompile(`(?mi)^[ \t]*\[[ \t]*embedder[ \t]*\][ \t]*(#.*)?\r?$`)
	anyTable      = regexp.MustCompile(`(?m)^[ \t]*\[`)
)

// EditEmbedder returns the text of a config.toml with other settings of the
// embedder. Only their lines change, or are added; what else stands there,
// comments too, remains. It is an error if the text has mistakes, if want
// breaks a rule, or if [embedder] is written in another form than one line a
// setting.
func EditEmbedder(file, text string, want Embedder) (string, error) {
	is, err := Parse(file, text)
	if err != nil {
		return "", err
	}
	wanted := is
	wanted.Embedder = want
	edited := text
	for _, s := range slices.Backward(settings()) { // what is added comes first in its table
		if to := s.of(&wanted).Interface(); !reflect.DeepEqual(s.of(&is).Interface(), to) {
			edited = setEmbedderLine(edited, base(s.key), literal(to))
		}
	}
	if broken := wanted.violations(); len(broken) > 0 {
		return "", Problem{File: file, Key: broken[0].key, Rule: broken[0].rule}
	}
	if got, err := Parse(file, edited); err != nil || !reflect.DeepEqual(got, wanted) {
		return "", fmt.Errorf("%s: the embedder is not written as [embedder] and one line a setting: change it by hand", file)
	}
	return edited, nil
}

// setEmbedderLine sets one key of the embedder in the text of a config.toml.
func setEmbedderLine(text, key, value string) string {
	table := embedderTable.FindStringIndex(text)
	if table == nil {
		if text = strings.TrimRight(text, "\n"); text != "" {
			text += "\n\n"
		}
		return text + "[embedder]\n" + key + " = " + value + "\n"
	}
	head, body, rest := text[:table[1]], text[table[1]:], ""
	if next := anyTable.FindStringIndex(body); next != nil {
		body, rest = body[:next[0]], body[next[0]:]
	}
	line := regexp.MustCompile(`(?mi)^([ \t]*` + key + `[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#]+)`)
	at := line.FindStringSubmatchIndex(body)
	if at == nil {
		return head + "\n" + key + " = " + value + body + rest
	}
	return head + body[:at[4]] + value + body[at[5]:] + rest
}
