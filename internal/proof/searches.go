package proof

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory/clean"
)

// countSearches finds the files that Claude opened after a search had led to them, as in an earlier session. Strictly it
// is the same search if it looks for the same words, loosely if it shares half of them. A file that the user named, or
// that was open before, was not searched for, and a search that shows many lines leads to no file.
func (r *replay) countSearches(t *turn) {
	paths := toolcall.NewPaths(t.project, t.Cwd)
	for i, a := range t.Actions {
		file := paths.Relative(a.File)
		if file == "" || r.opened[file] {
			continue
		}
		r.opened[file] = true
		from := searchFor(t.Actions[:i], a.File, file)
		if from < 0 || strings.Contains(t.Asked, path.Base(file)) {
			continue
		}
		r.countSearch(t, from, i, file)
	}
}

func (r *replay) countSearch(t *turn, from, to int, file string) {
	query := clean.Text(queryOf(t.Actions[from]))
	s := search{t.key, file, query, wordList(query), at(t.Actions[from], t)}
	r.facts.Searches = append(r.facts.Searches, s)
	known, match := search{}, NoMatch
	for _, old := range r.ledger.searches[t.key+"\x00"+file] {
		if m := s.resembles(old); m != NoMatch && m.better(match) == m {
			known, match = old, m
		}
	}
	if match == NoMatch {
		return
	}
	f := r.finding(Search, t, known.At)
	f.At, f.What, f.Answer, f.Match = s.At, file, known.Query, match
	f.Known, f.Said = r.said.find(place{t.place, from}, true, func(l line) Match { return l.names(file) })
	f.Seconds, f.Tokens = spent(t.Actions[from:to]), max(0, t.Actions[to].Tokens-t.Actions[from].Tokens)
	r.add(f)
}

// resembles reports whether two searches look for the same.
func (s search) resembles(old search) Match {
	_, n := share(s.Words, setOf(old.Words))
	switch longer := max(len(s.Words), len(old.Words)); {
	case n == 0:
		return NoMatch
	case n == longer:
		return Strict
	case 2*n >= longer:
		return Loose
	}
	return NoMatch
}

// names reports whether a line names a file: strictly with its folder.
func (l line) names(file string) Match {
	file = strings.ToLower(file)
	dir, base := path.Split(file)
	switch {
	case strings.Contains(l.lower, path.Join(path.Base(dir), base)):
		return Strict
	case strings.Contains(l.lower, base):
		return Loose
	}
	return NoMatch
}

// maxShownLines is how many lines a search shows at most that leads to a file.
const maxShownLines = 20

// searchFor returns the place of the last search that led to a file, -1 if none did.
func searchFor(actions []claudecode.Action, whole, file string) int {
	for i, a := range slices.Backward(actions) {
		shows := strings.Contains(a.Output, whole) || strings.Contains(a.Output, file)
		leads := shows && !a.Failed && strings.Count(a.Output, "\n") < maxShownLines
		if leads && queryOf(a) != "" {
			return i
		}
	}
	return -1
}

// searchers are the programs that look for files, or for words in them.
var searchers = map[string]bool{"grep": true, "rg": true, "ag": true, "find": true, "fd": true}

// queryOf returns what a call searches for, "" if it is no search.
func queryOf(a claudecode.Action) string {
	switch a.Tool {
	case "Grep", "Glob":
		return toolcall.Member(a.Input, "pattern")
	}
	words := strings.Fields(strings.TrimPrefix(a.Command, "git "))
	if len(words) < 2 || !searchers[words[0]] {
		return ""
	}
	return strings.Join(words[1:], " ")
}
