package survey

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"recollect/internal/system/nesting"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// maxBroken bounds the broken lines of a TOML file that are passed over.
const maxBroken = 10

// deepest is how deep the TOML of a repository may nest to be decoded, which is more than the
// manifests of programs do.
var deepest = nesting.Limit{Names: 8, Values: 8, Arrays: true}

// readTOML decodes a TOML file, lines with errors left out, and returns its
// keys in their order.
func readTOML(text string, v any) []toml.Key {
	if nesting.TooDeep(text, deepest) > 0 {
		return nil
	}
	lines := strings.Split(text, "\n")
	for range maxBroken {
		meta, err := toml.Decode(strings.Join(lines, "\n"), v)
		var broken toml.ParseError
		if !errors.As(err, &broken) {
			return meta.Keys()
		}
		at := min(max(broken.Position.Line, 1), len(lines))
		lines = slices.Delete(lines, at-1, at)
	}
	return nil
}

// A description is how a TOML file names a project. Cargo lets the values be
// tables that refer to the workspace.
type description struct{ Name, Description any }

func (f *facts) callBy(d description) {
	name, _ := d.Name.(string)
	purpose, _ := d.Description.(string)
	f.call(name, purpose)
}

// minPurpose is the least length of a paragraph, in bytes, that can say what a
// project is for.
const minPurpose = 25

// readme takes the first paragraph that is a sentence for the purpose: it says
// more than the line in a manifest.
func readme(f *facts, dir folder, text string) {
	for _, paragraph := range prose.Paragraphs(comments.ReplaceAllString(text, "")) {
		var words []string
		for _, line := range paragraph {
			if isUnderlined(line) {
				words = nil // the line above was a heading
				continue
			}
			words = append(words, line)
		}
		if text := inWords(strings.Join(words, " ")); len(text) >= minPurpose && !isDecoration(words[0]) {
			if text = describedBy(text, f.name, filepath.Base(dir.Name())); text != "" {
				f.purpose = prose.Clip(text, maxPurpose)
				return
			}
		}
	}
}

var comments = rule.Lazy(`(?s)<!--.*?-->`)

func isUnderlined(line string) bool { return len(line) > 2 && strings.Trim(line, "=-~^*#`") == "" }

var decorations = [...]string{"#", "[![", "![", "|", "..", ":", "[!", "> [!", "=", "image:", "---", "+++"}

// isDecoration reports whether a paragraph is no prose: a heading, badges, HTML, a
// list, a table, a directive, an admonition.
func isDecoration(line string) bool {
	return prose.BeginsWith(line, decorations[:]) || prose.IsListed(line)
}

var (
	htmlTag  = rule.Lazy(`<[^<>\n]*>`)
	picture  = rule.Lazy(`!\[[^\]]*\]\([^)]*\)`)
	hypertex = rule.Lazy(`\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])`)
)

// inWords is a paragraph without tags, pictures and the addresses of links.
func inWords(text string) string {
	text = picture.ReplaceAllString(text, "")
	text = hypertex.ReplaceAllString(text, "$1")
	text = htmlTag.ReplaceAllString(text, " ")
	return strings.TrimSpace(strings.TrimPrefix(prose.Unmark(prose.Fold(text)), "> "))
}
