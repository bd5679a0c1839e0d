package guard

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// files reads a prohibition of changes to files.
func (p *parser) files() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	i, changes := p.take(0, isOneOf(changeVerbs))
	_, reads := p.take(0, isOneOf(readVerbs))
	first := slices.IndexFunc(p.words, func(t token) bool { return t.quoted || !fillers[t.low] })
	handsOff := first >= 0 && (p.words[first].quoted || isPath(p.words[first].text)) // "hands off vendor/"
	if !changes && !reads && !handsOff {
		return rule, false
	}
	for { // "or delete", "edit or touch"
		if _, ok := p.take(i+1, isOneOf(changeVerbs)); !ok {
			break
		}
	}
	for {
		j, ok := p.take(i+1, func(t token) bool { return isPath(t.text) || t.quoted && programWord.MatchString(t.text) })
		if !ok {
			break
		}
		rule.Paths = append(rule.Paths, p.words[j].text)
	}
	if len(rule.Paths) == 0 {
		p.namedFolder(&rule)
	}
	switch verbs := p.verbsUsed(); {
	case len(rule.Paths) == 0:
		clear(p.used)
	case reads:
		p.why = "no hook is asked before a file is read; a permission rule of Claude Code's can deny that, such as Read(./.env)"
	case slices.ContainsFunc(verbs, func(v string) bool { return strings.HasPrefix(v, "creat") }):
		p.why = "whether a file is new is not in the call"
	case len(verbs) > 0 && !slices.ContainsFunc(verbs, func(v string) bool { return !removeVerbs[v] }):
		rule.Programs = []string{"rm", "rmdir", "unlink", "shred"}
	}
	return rule, len(rule.Paths) > 0
}

var removeVerbs = prose.WordSet("delete deleting remove removing")

// verbsUsed returns the verbs of changes that were used.
func (p *parser) verbsUsed() []string {
	var out []string
	for i, w := range p.words {
		if p.used[i] && !w.quoted && changeVerbs[w.low] {
			out = append(out, w.low)
		}
	}
	return out
}

// namedFolder takes "the vendor folder" and "the migrations directory".
func (p *parser) namedFolder(rule *memory.GuardRule) {
	for i := 1; i < len(p.words); i++ {
		name := p.words[i-1]
		isName := !p.used[i-1] && !fillers[name.low] && subcommandWord.MatchString(name.low)
		if isName && folderNouns[p.words[i].low] {
			p.used[i-1], p.used[i] = true, true
			rule.Paths = append(rule.Paths, name.text+"/**")
			return
		}
	}
}

var folderNouns = prose.WordSet("folder directory dir")

// isPath reports whether a word is a path or a glob: "src/**", "package.json", ".env", "*.lock".
func isPath(word string) bool {
	if !pathWord.MatchString(word) || strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
		return false
	}
	ext := strings.TrimPrefix(path.Ext(word), ".")
	isExtension := len(ext) <= len("properties") && strings.Trim(ext, alphanumeric) == "" && strings.Trim(ext, digits) != ""
	return isExtension || strings.ContainsAny(word, "/*") || bareFiles[word]
}

// bareFiles are files whose names have no point.
var bareFiles = prose.WordSet("Makefile Dockerfile Gemfile Rakefile Jenkinsfile Procfile")

var pathWord = regexp.MustCompile(`^[\w./~*@+-]+$`)

// content reads a prohibition of text that is written: "never leave `console.log` in src/**".
func (p *parser) content() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	if _, ok := p.take(0, isOneOf(contentVerbs)); !ok {
		return rule, false
	}
	var parts []string
	for {
		i, ok := p.take(0, func(t token) bool { return t.quoted && !(strings.Contains(t.text, "*") && isPath(t.text)) })
		if !ok {
			break
		}
		parts = append(parts, wholeWords(p.words[i].text))
	}
	if len(parts) == 0 {
		return rule, false
	}
	p.take(0, isOneOf(codeNouns))
	rule.Content = strings.Join(parts, "|")
	for {
		i, ok := p.take(0, func(t token) bool { return isPath(t.text) })
		if !ok {
			return rule, true
		}
		rule.Paths = append(rule.Paths, p.words[i].text)
	}
}

var codeNouns = prose.WordSet("statements statement calls call comments comment lines")

// wholeWords returns the regular expression of a text that is no part of a longer word.
func wholeWords(text string) string {
	pattern := regexp.QuoteMeta(text)
	if isWordByte(text[0]) {
		pattern = `\b` + pattern
	}
	if isWordByte(text[len(text)-1]) {
		pattern += `\b`
	}
	return pattern
}

func isWordByte(c byte) bool { return strings.IndexByte(alphanumeric+"_", c) >= 0 }

const alphanumeric = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const digits = "0123456789"

// inCommits reads what must not stand in commits: "never add Co-Authored-By to commits", "don't mention
// Claude in commit messages".
func (p *parser) inCommits() (memory.GuardRule, bool) {
	text := ""
	for _, w := range p.words {
		text += " " + w.low
	}
	if !draftRules().Commits.MatchString(text) {
		return memory.GuardRule{}, false
	}
	var parts []string
	for _, w := range p.words[1:] {
		if w.low == "to" || w.low == "in" || w.low == "from" {
			break
		}
		isName := w.low != w.text // "Claude", "Co-Authored-By": what is wanted of other words is no text
		switch {
		case w.quoted || isName:
			parts = append(parts, wholeWords(w.text))
		case !fillers[w.low] && !trailers[w.low]:
			return memory.GuardRule{}, false
		}
	}
	if len(parts) != 1 {
		return memory.GuardRule{}, false
	}
	return memory.GuardRule{Programs: []string{"git"}, Subcommands: []string{"commit"}, Content: "(?i)" + parts[0]}, true
}

var trailers = prose.WordSet("line lines trailer trailers footer footers tag tags yourself attribution")
