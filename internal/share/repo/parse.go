package repo

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory/clean"
	"recollect/internal/memory/markdown"
	"recollect/internal/text/disguise"
	"recollect/internal/text/instruction"
)

var (
	ownIDs  = regexp.MustCompile(`^[a-z]{2,5}-[0-9a-f]{12}$`)
	symbols = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	commits = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
)

// nobody are names that no author may have, because Claude would take them for a role.
var nobody = []string{
	"user", "the user", "human", "the human", "you", "me", "claude", "claude code", "assistant", "the assistant", "system", "anthropic", "recollect", "owner", "admin",
}

// roles are words that no author's name may contain.
var roles = []string{"user", "user's", "user’s", "users", "assistant", "anthropic", "system", "claude's", "developer", "operator", "administrator"}

// mixesScripts reports whether a name mixes Latin letters with those of a script that looks alike.
func mixesScripts(name string) bool {
	is := func(scripts ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, scripts...) })
	}
	return is(unicode.Latin) && is(unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee)
}

// Parse parses the content of a file with this name. After an error nothing of it may be
// used.
func Parse(name string, b []byte, now time.Time) (Shared, error) {
	if bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
		return Shared{}, errors.New("is not text")
	}
	if bytes.HasPrefix(b, []byte("<<<<<<< ")) || bytes.Contains(b, []byte("\n<<<<<<< ")) {
		return Shared{}, errors.New("has a conflict that git left")
	}
	front, err := markdown.ReadFront(bytes.NewReader(b), name)
	if err != nil {
		return Shared{}, errors.New(strings.TrimPrefix(err.Error(), name+":"))
	}
	if len(front.Keys) == 0 {
		return Shared{}, errors.New("has no kind, by and date between two lines of ---")
	}
	var s Shared
	if err := s.readKeys(front, now); err != nil {
		return Shared{}, err
	}
	if err := s.readText(front.Text); err != nil {
		return Shared{}, err
	}
	if instruction.Disguised(s.everything()) {
		return Shared{}, ErrOrders
	}
	return s, nil
}

// ErrOrders means that a text gives orders to its reader. It must not be injected.
var ErrOrders = errors.New("gives orders to whoever reads it, or speaks for the user")

// everything returns all parts of s that may contain arbitrary text.
func (s *Shared) everything() string {
	parts := []string{s.Title, s.Text}
	for _, key := range fields {
		parts = append(parts, s.Fields[key])
	}
	parts = append(parts, s.Author, strings.Join(s.Files, " "), strings.Join(s.Symbols, " "))
	return strings.Join(parts, "\n")
}

func (s *Shared) readKeys(front markdown.Front, now time.Time) (err error) {
	s.Kind, s.ID = front.Word("kind"), front.Word("id")
	if !isKind(s.Kind) {
		return fmt.Errorf("kind: must be one of %s", strings.Join(slices.Sorted(maps.Values(kinds)), ", "))
	}
	if s.Author, err = Author(front.Word("by")); err != nil {
		return err
	}
	if s.Date, err = time.Parse(time.DateOnly, front.Word("date")); err != nil {
		return errors.New("date: must be a day such as 2026-01-31")
	}
	if s.Date.After(now.Add(48 * time.Hour)) {
		return errors.New("date: is in the future")
	}
	if s.ID != "" && !ownIDs.MatchString(s.ID) {
		return errors.New("id: is not the id of a memory")
	}
	for _, part := range []struct {
		key   string
		to    *[]string
		valid func(string) bool
	}{{"files", &s.Files, localPath}, {"symbols", &s.Symbols, symbols.MatchString}, {"commits", &s.Commits, commits.MatchString}} {
		for _, name := range front.Keys[part.key] {
			if !part.valid(name) {
				return fmt.Errorf("%s: has what is no name of one", part.key)
			}
			addOnce(part.to, name)
		}
	}
	return nil
}

// Author returns the name of an author in the form that is shown, or an error that says what is wrong
// with it.
func Author(name string) (string, error) {
	name = strings.Join(strings.Fields(clean.Text(name)), " ")
	switch {
	case name == "":
		return "", errors.New("by: must be the name of who shared it")
	case utf8.RuneCountInString(name) > maxAuthor:
		return "", fmt.Errorf("by: has more than %d characters", maxAuthor)
	case mixesScripts(name):
		return "", errors.New("by: mixes letters that look alike")
	case isNobody(name) || slices.ContainsFunc(strings.Fields(strings.ToLower(name)), func(w string) bool { return slices.Contains(roles, w) }):
		return "", fmt.Errorf("by: %q is nobody's name", name)
	case strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Nd, unicode.M) && !strings.ContainsRune(" .-_'’", r)
	}):
		return "", errors.New("by: has characters that a name has not")
	}
	return name, nil
}

// isNobody reports whether a name is one of nobody, also in disguise. A name that contains more words,
// or is in another language, is allowed: package block shows it as the author's claim.
func isNobody(name string) bool {
	for _, reading := range disguise.Readings(name) {
		words := strings.FieldsFunc(reading, func(r rune) bool { return !unicode.IsLetter(r) })
		if slices.Contains(nobody, strings.Join(words, " ")) || slices.Contains(nobody, strings.Join(words, "")) {
			return true
		}
	}
	return false
}

// notInPath are characters in paths that some system cannot check out.
const notInPath = `\"<>|:*?`

// localPath reports whether a name is a path within the repository.
func localPath(name string) bool {
	odd := func(r rune) bool {
		return r != ' ' && (unicode.In(r, unicode.Cc, unicode.Cf) || unicode.IsSpace(r))
	}
	return filepath.IsLocal(filepath.FromSlash(name)) && !strings.ContainsAny(name, notInPath) && !strings.ContainsFunc(name, odd)
}

// readText reads the part after the front matter: a title, text, and fields under headings
// with their names.
func (s *Shared) readText(text string) error {
	text = strings.TrimSpace(clean.Text(text))
	title, rest, _ := strings.Cut(text, "\n")
	title, ok := strings.CutPrefix(title, "# ")
	if s.Title = strings.TrimSpace(title); !ok || s.Title == "" {
		return errors.New("has no title: a line that begins with #")
	}
	key, part := "", []string{}
	flush := func() {
		value := strings.TrimSpace(strings.Join(part, "\n"))
		if part = nil; key == "" {
			s.Text = value
		} else if value != "" {
			s.Fields[key] = value
		}
	}
	s.Fields = map[string]string{}
	for _, line := range strings.Split(rest, "\n") {
		if field := fieldOf(line); field != "" {
			flush()
			key = field
			continue
		}
		part = append(part, line)
	}
	flush()
	if n := len(s.everything()); n > maxText {
		return fmt.Errorf("has %d bytes of text, more than %d", n, maxText)
	}
	return nil
}

// fieldOf returns the field whose heading is line, "" if none.
func fieldOf(line string) string {
	name, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r"), "## ")
	if name = strings.ToLower(name); !ok || !slices.Contains(fields, name) {
		return ""
	}
	return name
}
