package lists

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/api"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
)

const (
	maxGraph  = 500 // memories, the newest, that are compared for what they share
	maxLinks  = 20  // things that are shared
	maxShared = 120 // bytes of one of them
)

// linkKinds are the kinds of links in the order in which they are listed. What
// is of two kinds is of the first.
var linkKinds = []string{"file", "command", "error", "symbol", "keyword", "session"}

// Graph returns the memories within a scope that name an entity (a file, a
// command, a symbol, an error), limit at most, and what several of them share.
// It reads every memory there is: it is for people, not for prompts.
func Graph(ctx context.Context, s *store.Store, entity string, limit int, within func(*memory.Memory) bool) (api.Graph, error) {
	e := newEntity(entity)
	newest := NewNewest(maxGraph)
	for m, err := range s.All() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return api.Graph{}, err
		}
		if within(&m) && e.in(&m) && s.SupersededBy(m.ID) == "" {
			newest.Add(m)
		}
	}
	found := newest.List()
	g := api.Graph{Entity: e.name, Memories: []api.Node{}, Total: newest.Seen, Shared: shared(found, e)}
	for _, m := range found[:min(limit, len(found))] {
		g.Memories = append(g.Memories, api.Node{ID: m.ID, Source: m.Source, Project: m.Project, Title: m.Title, When: m.When()})
	}
	return g, nil
}

// An entity is what a graph is drawn around.
type entity struct {
	name  string
	lower string // with single spaces
}

func newEntity(name string) entity {
	name = strings.Join(strings.Fields(strings.Trim(name, "` \t\n")), " ")
	return entity{name, strings.ToLower(name)}
}

// in reports whether m names the entity: as one of its files, or anywhere in
// its words.
func (e entity) in(m *memory.Memory) bool {
	for _, f := range m.Files {
		if f = strings.ToLower(f); samePath(f, e.lower) || path.Base(f) == e.lower {
			return true
		}
	}
	if slices.Contains(m.Keywords, e.lower) {
		return true
	}
	text := strings.ToLower(m.Title + "\n" + m.Body() + "\n" + m.Evidence)
	return hasPhrase(strings.Join(strings.Fields(text), " "), e.lower)
}

// samePath reports whether two paths are one, of which one may be longer at
// its beginning.
func samePath(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// hasPhrase reports whether a text has a phrase that is not part of longer words.
func hasPhrase(text, phrase string) bool {
	for from := 0; phrase != ""; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(phrase)
		if !joined(text, start) && !joined(text, end) {
			return true
		}
		from = start + 1
	}
	return false
}

// joined reports whether a word goes on at a place in a text.
func joined(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return inWord(before) && inWord(after)
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// shared lists what at least two memories name besides the entity itself.
func shared(found []memory.Memory, around entity) []api.Link {
	links := map[string]*api.Link{}
	for i := range found {
		for _, t := range thingsIn(&found[i]) {
			key := strings.ToLower(t.name)
			if samePath(key, around.lower) || len(t.name) > maxShared {
				continue
			}
			l := links[key]
			if l == nil {
				l = &api.Link{Kind: t.kind, Name: t.name}
				links[key] = l
			}
			if kindOrder(t.kind) < kindOrder(l.Kind) {
				l.Kind = t.kind
			}
			if !slices.Contains(l.IDs, found[i].ID) {
				l.IDs = append(l.IDs, found[i].ID)
			}
		}
	}
	out := []api.Link{}
	for _, key := range slices.Sorted(maps.Keys(links)) {
		if len(links[key].IDs) > 1 {
			out = append(out, *links[key])
		}
	}
	slices.SortStableFunc(out, func(a, b api.Link) int {
		return cmp.Or(len(b.IDs)-len(a.IDs), kindOrder(a.Kind)-kindOrder(b.Kind))
	})
	return out[:min(maxLinks, len(out))]
}

func kindOrder(kind string) int { return slices.Index(linkKinds, kind) }

// A thing is what a memory names.
type thing struct{ kind, name string }

// thingsIn lists what m names: its files, what stands between backquotes, its
// error, the identifiers in its words, its keywords, and its session.
func thingsIn(m *memory.Memory) []thing {
	var out []thing
	add := func(kind string, names ...string) {
		for _, name := range names {
			if name != "" {
				out = append(out, thing{kind, name})
			}
		}
	}
	text := m.Title + "\n" + m.Body()
	add("file", m.Files...)
	for i, span := range strings.Split(text, "`") {
		switch span = strings.TrimSpace(span); {
		case i%2 == 0 || strings.Contains(span, "\n"):
		case strings.Contains(span, " "):
			add("command", span)
		default:
			add("symbol", span)
		}
	}
	message, _, _ := strings.Cut(strings.TrimSpace(m.Fields["error"]), "\n")
	add("error", message)
	for _, t := range index.Analyze(text) {
		if t.Whole {
			add("symbol", t.Surface)
		}
	}
	add("keyword", m.Keywords...)
	add("session", m.Session)
	return out
}
