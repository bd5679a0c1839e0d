package survey

import (
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// A pair is a line of a TOML file: a key and the raw text of its value.
type pair struct{ section, key, value string }

// tomlStrings finds the strings of a value.
var tomlStrings = rule.Lazy(`"([^"\n]*)"|'([^'\n]*)'`)

// tomlPairs reads as much of TOML as manifests need: tables, keys, and arrays
// over several lines. What it does not understand it passes over.
func tomlPairs(text string) []pair {
	var out []pair
	section, open := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "#"), line == "":
		case open:
			last := &out[len(out)-1]
			last.value += "\n" + line
			open = !closed(last.value)
		case strings.HasPrefix(line, "["):
			section, _, _ = strings.Cut(strings.Trim(line, "[ "), "]")
		case ok:
			p := pair{section, strings.Trim(strings.TrimSpace(key), `"'`), strings.TrimSpace(value)}
			out = append(out, p)
			open = strings.HasPrefix(p.value, "[") && !closed(p.value)
		}
	}
	return out
}

// closed reports whether the brackets of an array are, those in strings left
// out.
func closed(array string) bool {
	array = tomlStrings.ReplaceAllString(array, "")
	return strings.Count(array, "[") <= strings.Count(array, "]")
}

func tomlString(value string) string {
	if m := tomlStrings.FindStringSubmatch(value); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// minPurpose is the least length of a paragraph, in bytes, that can say what a
// project is for.
const minPurpose = 25

// readme takes the first paragraph that is a sentence for the purpose: it says
// more than the line in a manifest.
func readme(f *facts, _ folder, text string) {
	for _, paragraph := range prose.Paragraphs(comments.ReplaceAllString(text, "")) {
		var words []string
		for _, line := range paragraph {
			if underlined(line) {
				words = nil // the line above was a heading
				continue
			}
			words = append(words, line)
		}
		if text := inWords(strings.Join(words, " ")); len(text) >= minPurpose && !decoration(words[0]) {
			if text = described(text); text != "" {
				f.purpose = prose.Clip(text, maxPurpose)
				return
			}
		}
	}
}

var comments = rule.Lazy(`(?s)<!--.*?-->`)

func underlined(line string) bool { return len(line) > 2 && strings.Trim(line, "=-~^*#`") == "" }

var decorations = [...]string{"#", "[![", "![", "|", "..", ":", "[!", "> [!", "=", "image:", "---", "+++"}

// decoration reports a paragraph that is no prose: a heading, badges, HTML, a
// list, a table, a directive, an admonition.
func decoration(line string) bool {
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
