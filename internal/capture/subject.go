package capture

import (
	"slices"
	"strings"

	"recollect/internal/memory"
)

// sameSubject reports whether two decisions, or two preferences, of one
// project settle the same matter, so that the newer one takes the place of the
// older. It does not matter which is which. Where it cannot tell, it says no.
func sameSubject(a, b memory.Memory) bool {
	if a.Source != b.Source || !a.Home().Same(b.Home()) && !(a.Home().Zero() && b.Home().Zero()) {
		return false
	}
	switch {
	case a.Source != memory.Journal && a.Source != memory.Preferences:
		return false
	case slices.Contains(a.Tags, memory.TagCommit) || slices.Contains(b.Tags, memory.TagCommit):
		return false // what was done stays done
	case slices.Contains(a.Tags, memory.TagPlan) || slices.Contains(b.Tags, memory.TagPlan):
		return slices.Equal(a.Tags, b.Tags) && strings.EqualFold(a.Title, b.Title)
	}
	if matterA, matterB := matter(a), matter(b); matterA != "" && matterB != "" {
		return matterA == matterB
	}
	return claimOf(a).rivals(claimOf(b))
}

// maxMatter is the length, in bytes, above which what stands before a colon does
// not name the matter of the rest.
const maxMatter = 100

// matter is what an answer answers, or what stands before the colon of a short
// "database: Postgres".
func matter(m memory.Memory) string {
	text := strings.ToLower(unframed(m))
	if question, _, ok := strings.Cut(text, " → "); ok {
		return question
	}
	label, _, ok := strings.Cut(text, ": ")
	if !ok || len(strings.Fields(label)) > 3 || len(text) > maxMatter || generalLabels[label] {
		return ""
	}
	return label
}

// generalLabels announce anything.
var generalLabels = map[string]bool{
	"note": true, "decision": true, "decided": true, "important": true, "remember": true, "reminder": true, "rule": true, "fix": true, "todo": true, "plan": true,
	"from now on": true, "in future": true, "in the future": true, "warning": true, "convention": true, "policy": true, "style": true, "in this repo": true, "in this project": true,
}

// unframed returns what a memory says, without how its title is framed.
func unframed(m memory.Memory) string {
	text := m.Title
	if m.Text != "" && strings.HasSuffix(m.Title, "…") {
		text = m.Text
	}
	for _, frame := range []string{memory.TitleWants, memory.TitleSaid, memory.TitleDecided} {
		text = strings.TrimPrefix(text, frame)
	}
	return text
}

// A claim is what a decision or a wish says: what shall be, instead of what,
// and where. Words that say nothing are left out.
type claim struct {
	chosen, rejected []string
	scope            []string // for what it holds only
	negative         bool
}

// scopes begin the part of a sentence that says where it holds.
var scopes = lazy(` (?:for|in|when|whenever|on|during|inside|within|before|after|if|unless|until|while|without|at|with|from|to|as) `)

// tongueIn is a language that something is said in: no scope.
var tongueIn = lazy(`\b(?:in|auf) (` + tongues + `|deutsch|englisch|französisch|spanisch)\b`)

// noScope says that something holds where one is.
var noScope = lazy(`\b(?:` + hereIs + `|from now on|going forward|in (?:the )?future|ab jetzt|to me)\b|\b(?:switch|switch over|move|migrate|stick|go|going)( (?:to|with|for))\b`)

// rejections stand between what was chosen and what was not.
var rejections = lazy(`,? (?:instead of|rather than|over|as opposed to|and not|, not|not|statt|anstatt|au lieu de|plutôt que|en lugar de|en vez de) `)

// negative are words of a wish that something be not done.
var negative = lazy(`\b(?:never|don't|dont|do not|stop|no|avoid|nie|niemals|kein|keine|ne|nunca|jamás|jamais)\b|\bagainst\b`)

func claimOf(m memory.Memory) claim {
	text := strings.ToLower(unframed(m))
	if at := rationales.FindStringIndex(text); at != nil && at[0] > 8 {
		text = text[:at[0]]
	}
	text = tongueIn.ReplaceAllString(noScope.ReplaceAllString(text, ""), "$1")
	var c claim
	left, right := text, ""
	if at := rejections.FindStringIndex(text); at != nil && !negative.MatchString(text[:at[1]][:at[0]]) && !endsInDo(text[:at[0]]) {
		left, right = text[:at[0]], text[at[1]:]
	}
	c.negative = negative.MatchString(left)
	c.chosen, c.scope = split(left)
	var more []string
	c.rejected, more = split(right)
	c.scope = sorted(append(c.scope, more...))
	if other := m.Fields["alternatives"]; other != "" && len(c.rejected) == 0 {
		c.rejected, _ = split(strings.ToLower(other))
	}
	return c
}

// endsInDo: the "not" behind it is one of "do not".
func endsInDo(s string) bool { return strings.HasSuffix(s, "do") || strings.HasSuffix(s, "does") }

// split returns the words of a part of a sentence, and of its scope.
func split(part string) (said, scope []string) {
	head, tail := " "+strings.TrimSpace(part)+" ", ""
	if at := scopes.FindStringIndex(head); at != nil {
		head, tail = head[:at[0]], head[at[1]:]
	}
	return sorted(telling(head)), sorted(telling(tail))
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// silentWords say nothing about the matter of a claim.
var silentWords = wordSet(`a an the and or of to we i you us our my your it is are be should must shall will would like want wants always never don't dont do not ever no more stop avoid instead please let's lets
	decided decide agreed chosen chose opted against use uses using go going with for stick switch switching move migrate adopt settle prefer prefers rather only just that remember told said now everything all any
	database db indentation indent language package manager runner framework library tool backend ne pas bitte immer nie niemals verwende benutze nutze nimm toujours jamais siempre nunca usa utiliza
	answers answer reply respond responses replies speak talk antworte réponds responde contesta write writing adding add make making create creating`)

// telling returns the words of s that say something about the matter, plurals
// as singulars.
func telling(s string) []string {
	var out []string
	for _, word := range plainWords(s) {
		if !silentWords[word] {
			out = append(out, singular(word))
		}
	}
	return out
}

func singular(word string) string {
	if alias := aliases[word]; alias != "" {
		return alias
	}
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && familyOf(word) < 0 {
		return word[:len(word)-1]
	}
	return word
}

// aliases are other names of what one chooses between.
var aliases = map[string]string{
	"postgresql": "postgres", "psql": "postgres", "mongo": "mongodb", "deutsch": "german", "englisch": "english", "französisch": "french", "spanisch": "spanish",
	"sqlite3": "sqlite", "js": "javascript", "ts": "typescript", "golang": "go-language", "camel-case": "camelcase", "snake-case": "snake_case", "tab": "tabs", "space": "spaces",
}

// families are what one chooses one of.
var families = [...]map[string]bool{
	wordSet("tabs spaces"),
	wordSet("german english french spanish italian portuguese dutch polish russian chinese japanese korean turkish swedish"),
	wordSet("npm pnpm yarn bun"),
	wordSet("pip poetry uv pipenv conda"),
	wordSet("postgres mysql sqlite mariadb mongodb duckdb oracle cockroachdb"),
	wordSet("jest vitest mocha jasmine ava"),
	wordSet("pytest unittest nose"),
	wordSet("webpack vite rollup esbuild parcel turbopack"),
	wordSet("docker podman"),
	wordSet("react vue svelte angular solidjs"),
	wordSet("snake_case camelcase kebab-case pascalcase"),
	wordSet("redis memcached valkey"),
	wordSet("kafka rabbitmq nats sqs"),
	wordSet("aws gcp azure hetzner"),
	wordSet("prettier biome"),
	wordSet("black ruff yapf autopep8"),
	wordSet("rebase squash"),
	wordSet("rest graphql grpc"),
	wordSet("zustand redux mobx"),
	wordSet("playwright cypress selenium puppeteer"),
}

func familyOf(word string) int {
	return slices.IndexFunc(families[:], func(f map[string]bool) bool { return f[word] })
}

// rivals reports whether two claims are about the same: the opposite of each
// other, one instead of the other, or two of which one excludes the other.
func (c claim) rivals(d claim) bool {
	if len(c.chosen) == 0 || len(d.chosen) == 0 || !slices.Equal(c.scope, d.scope) {
		return false
	}
	switch {
	case slices.Equal(c.chosen, d.chosen):
		return true
	case c.negative || d.negative:
		return false
	}
	return slices.Equal(c.chosen, d.rejected) || slices.Equal(c.rejected, d.chosen) || exclusive(c.chosen, d.chosen)
}

// exclusive reports whether a and b differ in one word, of which only one
// thing is chosen.
func exclusive(a, b []string) bool {
	one, restA := pick(a)
	other, restB := pick(b)
	return one != "" && other != "" && familyOf(one) == familyOf(other) && slices.Equal(restA, restB)
}

// pick takes the only word of a family out of a list.
func pick(list []string) (word string, rest []string) {
	for _, w := range list {
		switch {
		case familyOf(w) < 0:
			rest = append(rest, w)
		case word != "":
			return "", nil
		default:
			word = w
		}
	}
	return word, rest
}
