package guard

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// A Refusal says why a sentence cannot be made a rule, for the user.
type Refusal struct{ why string }

// Error implements error.
func (r *Refusal) Error() string { return r.why }

func refuse(format string, args ...any) (memory.GuardRule, error) {
	return memory.GuardRule{}, &Refusal{fmt.Sprintf(format, args...)}
}

// MaxSentence is the longest sentence that is read, in bytes.
const MaxSentence = 300

// Sentence returns what a memory says, in one line of at most MaxSentence bytes.
func Sentence(m *memory.Memory) string {
	return memory.Clip(strings.Join(strings.Fields(activity.Statement(m)), " "), MaxSentence)
}

// Draft makes a rule of a sentence in English, or refuses with the reason. It would rather refuse than
// guess: each word of what is forbidden has to be understood. The rule asks.
func Draft(text string) (memory.GuardRule, error) {
	var found []memory.GuardRule
	var why error
	for _, sentence := range prose.Sentences(text) {
		made, err := draftSentence(sentence)
		if err != nil {
			if why == nil || forbids(sentence) {
				why = err
			}
			continue
		}
		found = append(found, made)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return refuse("it says more than one thing: make a guard of each")
	case why == nil:
		return refuse("it is empty")
	}
	return memory.GuardRule{}, why
}

// SayTheSame reports whether two sentences become the same rule.
func SayTheSame(a, b string) bool {
	one, errOne := Draft(a)
	other, errOther := Draft(b)
	return errOne == nil && errOther == nil && Describe(one) == Describe(other)
}

// Complete returns the rule of a sentence, with the parts that are given in place of its own. If they say
// what calls it is about, the sentence need not be understood.
func Complete(text string, given memory.GuardRule) (memory.GuardRule, error) {
	made := given
	says := len(given.Programs)+len(given.Paths)+len(given.Activities) > 0 || given.Content != ""
	drafted, err := Draft(text)
	switch {
	case err != nil && !says:
		return made, err
	case err == nil && len(given.Programs)+len(given.Activities) == 0:
		made = replaceParts(drafted, given)
	}
	made.Action = cmp.Or(given.Action, memory.GuardAsk)
	_, err = Compile(made)
	return made, err
}

// replaceParts returns a rule with the parts that are given.
func replaceParts(made, given memory.GuardRule) memory.GuardRule {
	for _, part := range []struct{ is, given *[]string }{
		{&made.Subcommands, &given.Subcommands}, {&made.Flags, &given.Flags}, {&made.Paths, &given.Paths},
	} {
		if len(*part.given) > 0 {
			*part.is = *part.given
		}
	}
	made.Content = cmp.Or(given.Content, made.Content)
	return made
}

func draftSentence(sentence string) (memory.GuardRule, error) {
	if len(sentence) > MaxSentence {
		return refuse("a sentence of more than %d bytes is not read", MaxSentence)
	}
	if strings.HasSuffix(sentence, "?") {
		return refuse("it is a question")
	}
	sentence = strings.ReplaceAll(strings.TrimSpace(sentence), "’", "'")
	sentence, _ = cutAt(sentence, draftRules().Reason)
	if at := draftRules().Ask.FindStringIndex(plainLower(sentence)); at != nil {
		sentence = "never " + sentence[at[1]:] // the rule asks
	}
	if about, ok := cutAt(sentence, draftRules().Permission); ok {
		sentence = about
	} else if condition := draftRules().Condition.FindString(plainLower(sentence)); condition != "" {
		return refuse("it depends on more than the call itself (%q)", strings.TrimSpace(condition))
	}
	object, err := forbiddenIn(sentence)
	if err != nil {
		return memory.GuardRule{}, err
	}
	made, err := ruleOf(object)
	if err != nil {
		return made, err
	}
	made.Action = memory.GuardAsk
	if _, err := Compile(made); err != nil {
		return refuse("%v", err)
	}
	return made, nil
}

// plainLower returns a sentence in lower case without what stands between backticks and quotation marks.
// Every byte keeps its place.
func plainLower(sentence string) string {
	blanked := []byte(quoted.ReplaceAllStringFunc(sentence, func(s string) string { return strings.Repeat("_", len(s)) }))
	for i, c := range blanked {
		if 'A' <= c && c <= 'Z' {
			blanked[i] = c + 'a' - 'A'
		}
	}
	return string(blanked)
}

// quoted matches what stands between backticks or quotation marks.
var quoted = rule.Lazy("`[^`]+`|\"[^\"]+\"|“[^”]+”")

//go:embed rules/draft.toml
var draftText string

type draftTables struct {
	rule.Header
	Reason     *rule.Rule `toml:"reason"`
	Permission *rule.Rule `toml:"permission"`
	Condition  *rule.Rule `toml:"condition"`
	Negation   *rule.Rule `toml:"negation"`
	Ask        *rule.Rule `toml:"ask"`
	Instead    *rule.Rule `toml:"instead"`
	Exclusive  *rule.Rule `toml:"exclusive"`
	Harmless   *rule.Rule `toml:"harmless"`
	Lead       *rule.Rule `toml:"lead"`
	Commits    *rule.Rule `toml:"commits"`
}

var draftRules = rule.Read[draftTables](draftText)

// cutAt returns what stands before the first match of a pattern outside of quotes.
func cutAt(sentence string, at *rule.Rule) (string, bool) {
	if found := at.FindStringIndex(plainLower(sentence)); found != nil && found[0] > 0 {
		return strings.TrimRight(sentence[:found[0]], " ,"), true
	}
	return sentence, false
}

// forbids reports whether a sentence is worded as a prohibition.
func forbids(sentence string) bool { return draftRules().Negation.MatchString(plainLower(sentence)) }

// forbiddenIn returns what a sentence forbids, in its own words.
func forbiddenIn(sentence string) (string, error) {
	sentence = strings.TrimRight(sentence, "! ")
	if !strings.HasSuffix(sentence, " .") { // "git add ."
		sentence = strings.TrimRight(sentence, ".")
	}
	low := plainLower(sentence)
	if draftRules().Harmless.MatchString(low) {
		return "", &Refusal{"it forbids nothing that a call shows"}
	}
	if m := draftRules().Exclusive.FindStringSubmatchIndex(low); m != nil {
		if others := othersLike(strings.Trim(sentence[m[2]:m[3]], "`\"'")); len(others) > 0 {
			return "use " + strings.Join(others, " or "), nil
		}
	}
	found := negationsIn(low)
	if at := draftRules().Instead.FindStringIndex(low); at != nil && (len(found) == 0 || isOnlyWithin(found, at)) {
		return "use " + sentence[at[1]:], nil
	}
	switch {
	case len(found) == 0 && strings.HasPrefix(low, "no "):
		return "use " + sentence[len("no "):], nil
	case len(found) == 0:
		return "", &Refusal{"it forbids nothing: say what must not happen, such as \"never …\""}
	case len(found) > 1:
		return "", &Refusal{"it forbids more than one thing: make a guard of each"}
	case found[0][0] > maxLead || !draftRules().Lead.MatchString(low[:found[0][0]]):
		return "", &Refusal{"who must not do what is not clear from its words"}
	}
	return sentence[found[0][1]:], nil
}

// maxLead is the most that may stand before the negation, in bytes.
const maxLead = 60

// negationsIn returns where negations stand in a sentence in lower case.
func negationsIn(low string) (out [][]int) {
	for from := 0; ; {
		at := draftRules().Negation.FindStringIndex(low[from:])
		if at == nil {
			return out
		}
		out = append(out, []int{from + at[0], from + at[1]})
		from += at[1]
	}
}

// isOnlyWithin reports whether all negations stand in the words that name an alternative.
func isOnlyWithin(found [][]int, at []int) bool {
	return !slices.ContainsFunc(found, func(n []int) bool { return n[0] < at[0] || n[0] > at[1] })
}

// kindred are programs one of which does for another.
var kindred = [][]string{
	{"npm", "pnpm", "yarn", "bun"}, {"pip", "uv", "poetry", "pipenv", "conda"}, {"docker", "podman"}, {"jest", "vitest", "mocha"}, {"black", "ruff"},
	{"terraform", "tofu"}, {"curl", "wget"}, {"grep", "rg"}, {"make", "just"},
}

// othersLike returns the programs that do what a program does.
func othersLike(program string) []string {
	for _, group := range kindred {
		if slices.Contains(group, program) {
			return slices.DeleteFunc(slices.Clone(group), func(p string) bool { return p == program })
		}
	}
	return nil
}

// activitiesOf are words for an activity whose commands are many.
var activitiesOf = map[string]string{
	"tests": "test", "test": "test", "builds": "build", "build": "build", "packages": "dependency", "dependencies": "dependency", "libraries": "dependency",
	"package": "dependency", "dependency": "dependency",
	"deploy": "deploy", "deploying": "deploy", "deployments": "deploy", "release": "release", "releasing": "release", "publish": "release", "publishing": "release",
	"migrate": "migrate", "migrations": "migrate",
}

// ruleOf makes a rule of what is forbidden.
func ruleOf(object string) (memory.GuardRule, error) {
	p := newParser(object)
	if made, ok := p.inCommits(); ok {
		return made, nil
	}
	made, ok := p.command()
	if !ok {
		made, ok = p.files()
	}
	if !ok {
		made, ok = p.content()
	}
	if !ok {
		return refuse("no program, file or text in it is one that a call shows")
	}
	if p.why != "" {
		return refuse("%s", p.why)
	}
	if left := p.left(); left != "" {
		return refuse("the words %q are not understood", left)
	}
	return made, nil
}
