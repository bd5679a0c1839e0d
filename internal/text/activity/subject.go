package activity

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

//go:embed rules/subjects.toml
var subjectText string

var subjectRules = rule.Read[subjectTables](subjectText)

type subjectTables struct {
	rule.Header
	Way        *rule.Rule `toml:"way"`
	Refusal    *rule.Rule `toml:"refusal"`
	Writing    *rule.Rule `toml:"writing"`
	Occasion   *rule.Rule `toml:"occasion"`
	Replaced   *rule.Rule `toml:"replaced"`
	InnerWay   *rule.Rule `toml:"inner-way"`
	Place      *rule.Rule `toml:"place"`
	KindOfFile *rule.Rule `toml:"kind-of-file"`
	FileName   *rule.Rule `toml:"file-name"`
}

// A Subject is what a standing wish is about besides activities.
type Subject struct {
	Asked   []string // commands that it asks for: "bun", "make migrate"
	Refused []string // what it refuses: "npm"
	Of      []string // commands of which it says how they are run: "python" with "uv run"
	Forbids bool     // it says what is not to be done
	Writing bool     // it says how something is written, not how it is run
	Named   bool     // it names a file, and so is about no other one
	files   []string // folders, names and patterns of files that it names
	places  []string // folders that files belong in
}

// SubjectOf reads what a wish is about.
func SubjectOf(wish string) Subject {
	wish = strings.ToLower(prose.OneLine(wish))
	r := subjectRules()
	s := Subject{Forbids: r.Refusal.MatchString(wish), Writing: r.Writing.MatchString(wish)}
	s.readWays(wish)
	for _, found := range r.Replaced.FindAllStringSubmatch(wish, -1) {
		s.Refused = append(s.Refused, found[1])
	}
	for _, found := range r.Place.FindAllStringSubmatch(wish, -1) {
		s.places = append(s.places, withoutAll(found[1]))
	}
	for _, found := range r.KindOfFile.FindAllStringSubmatch(wish, -1) {
		s.files = append(s.files, found[1])
	}
	for _, word := range strings.Fields(wish) {
		word = strings.Trim(word, "`\"'(),;:!?")
		s.Named = s.Named || r.FileName.MatchString(word)
		if namesFiles(word) {
			s.files = append(s.files, withoutAll(word))
		}
	}
	return s
}

// readWays reads which commands a wish asks for and refuses: the first clause of "never use npm here, use bun"
// refuses, the second asks.
func (s *Subject) readWays(wish string) {
	r := subjectRules()
	for rest := wish; ; {
		at := r.Way.FindStringSubmatchIndex(rest)
		if at == nil {
			return
		}
		said := rest[at[2]:at[3]]
		if inner := r.InnerWay.FindStringSubmatch(said); inner != nil {
			said = said[len(inner[0]):]
			s.Of = append(s.Of, inner[1])
		}
		switch before := lastClause(rest[:at[2]]); {
		case r.Occasion.MatchString(before):
		case r.Refusal.MatchString(before):
			s.Refused = append(s.Refused, said)
		default:
			s.Asked = append(s.Asked, said)
		}
		rest = rest[at[3]:]
	}
}

// lastClause returns what stands behind the last mark of a text.
func lastClause(text string) string {
	for _, mark := range []string{", ", "; ", ". ", ": ", " but "} {
		text = text[strings.LastIndex(text, mark)+1:]
	}
	return text
}

// namesFiles reports whether a word is the name of a file or folder, or a pattern of names.
func namesFiles(word string) bool {
	isPath := strings.Contains(word, "/") && !strings.Contains(word, "://") && !strings.HasPrefix(word, "-")
	isEnding := len(word) > 1 && word[0] == '.' && word[1] != '.'
	isBare := len(word) > len("files") && strings.HasSuffix(strings.TrimSuffix(word, "s"), "file") // "Makefiles"
	return isPath || isEnding || isBare || strings.Contains(word, "*.")
}

// withoutAll returns a path without what stands for all that is below it: "vendor/" for "./vendor/**".
func withoutAll(name string) string {
	name = strings.TrimPrefix(strings.TrimRight(name, "."), "./")
	if below := strings.TrimRight(name, "*"); strings.HasSuffix(below, "/") {
		return below
	}
	return name
}

// HasFile reports whether a wish names a file, given by its path in the project, its folder or its kind.
func (s *Subject) HasFile(file string) bool {
	file = strings.ToLower(file)
	return slices.ContainsFunc(s.files, func(name string) bool { return isOf(file, name) })
}

// HasPlaceOf reports whether a file lies where a wish says that such files belong.
func (s *Subject) HasPlaceOf(file string) bool {
	file = strings.ToLower(file)
	return slices.ContainsFunc(s.places, func(folder string) bool { return isBelow(file, folder) })
}

func isOf(file, name string) bool {
	base := path.Base(file)
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case strings.Contains(name, "*"):
		ok, _ := path.Match(path.Base(name), base)
		return ok
	case strings.HasPrefix(name, ".") && !strings.Contains(name, "/"):
		return strings.HasSuffix(base, name)
	case strings.Contains(name, "/"):
		return isBelow(file, name)
	}
	return stem == name || path.Ext(base) == "."+name || !strings.Contains(base, ".") && base == strings.TrimSuffix(name, "s")
}

// isBelow reports whether a file is one of that name, or lies in a folder of it.
func isBelow(file, folder string) bool {
	folder = strings.Trim(folder, "/")
	return folder != "" && strings.Contains("/"+file+"/", "/"+folder+"/")
}
