// Package secret takes passwords, keys and tokens out of text before it is
// stored: each is replaced by a marker, [secret:kind].
//
// Most rules are those of gitleaks (https://gitleaks.io, MIT), which is well
// maintained. Only its rules are used, as data: linked as a library it adds 7 MB and
// 60 modules, takes 35 ms to start and reads 1 MB a second, because it tries each
// rule on the whole text. Here one pass finds the keywords of all rules at once, and
// a rule reads only the bytes around its keyword. TestGitleaks makes gitleaks.json
// from the file of a release in testdata; for a newer one, replace that file and run
// "go test ./internal/memory/secret -update".
//
// A rule matches in one of these places:
//
//   - token: in the run of characters around the keyword, which is part of the
//     secret itself ("ghp_…")
//   - assign: right at the keyword, which is part of a name that something is
//     assigned to ("dropbox_token = …")
//   - near: in the few hundred bytes from the keyword on; at: there, but right at it
//   - line, around: in the line of the keyword, and in a few hundred bytes on
//     both sides
//   - option: behind one of the rule's short options of the program that the
//     keyword is ("mysql -p…"); short: behind such an option of any program
//   - name: behind the name that the keyword is part of, whether something is
//     assigned to it, it is the option of a command ("--db-password …") or a
//     sentence says what it is ("the password is …")
//   - address, cookie: in an address with a password, and in a header
//
// own.toml adds what gitleaks does not cover or matches too strictly. What has no
// keyword is found by its form: package form knows keys in blocks, numbers of cards, seed phrases.
//
// What a name is given is a secret unless it looks like something else (package looks): a
// program's expression, a placeholder, a path, a type, a word. How much it has to
// look like a secret depends on the name (a password may be a word, a key may
// not) and on the place (a sentence says many things of a password).
//
// Where no rule knows the place, package classifier decides by the words around it; its
// kind is "likely".
package secret

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// maxRounds bounds how often a text is searched again after something was found: what
// stands beside a marker may only then be recognised as a secret.
const maxRounds = 4

// Redact returns s with a marker in place of each secret. It does not change text that it
// has redacted before, and is safe for concurrent use.
func Redact(s string) string {
	for range maxRounds {
		found := detector().find(s)
		if len(found) == 0 {
			break
		}
		s = putMarkers(s, found)
	}
	return s
}

// detector returns the rules, ready for use. They are read when the first
// text comes, not when the process starts.
var detector = sync.OnceValue(newRules)

const markerEnd = "]"

// putMarkers puts a marker in the place of each of the spans, which may overlap.
func putMarkers(s string, found []form.Span) string {
	slices.SortFunc(found, func(a, b form.Span) int { return cmp.Or(a.Start-b.Start, a.Rank-b.Rank) })
	var b strings.Builder
	last := 0
	for i := 0; i < len(found); {
		all := found[i]
		for i++; i < len(found) && found[i].Start < all.End; i++ {
			all.End = max(all.End, found[i].End)
			if found[i].Rank < all.Rank {
				all.Rank, all.Kind = found[i].Rank, found[i].Kind
			}
		}
		b.WriteString(s[last:all.Start])
		b.WriteString(looks.MarkerStart + all.Kind + markerEnd)
		last = all.End
	}
	b.WriteString(s[last:])
	return b.String()
}

var markerPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(looks.MarkerStart) + "[a-z0-9-]*" + markerEnd)
})

// findMarkers returns where markers stand in s already.
func findMarkers(s string) []form.Span {
	var out []form.Span
	for _, m := range markerPattern().FindAllStringIndex(s, -1) {
		out = append(out, form.Span{Start: m[0], End: m[1]})
	}
	return out
}

// Kinds returns how many secrets of each kind Redact has taken out of s.
func Kinds(s string) map[string]int {
	kinds := map[string]int{}
	for _, m := range findMarkers(s) {
		kinds[s[m.Start+len(looks.MarkerStart):m.End-len(markerEnd)]]++
	}
	return kinds
}
