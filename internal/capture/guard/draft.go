package guard

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
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
		rule, err := draftSentence(sentence)
		if err != nil {
			if why == nil || forbids(sentence) {
				why = err
			}
			continue
		}
		found = append(found, rule)
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
	rule := given
	says := len(given.Programs)+len(given.Paths)+len(given.Activities) > 0 || given.Content != ""
	drafted, err := Draft(text)
	switch {
	case err != nil && !says:
		return rule, err
	case err == nil && len(given.Programs)+len(given.Activities) == 0:
		rule = replaceParts(drafted, given)
	}
	rule.Action = cmp.Or(given.Action, memory.GuardAsk)
	_, err = Compile(rule)
	return rule, err
}

// replaceParts returns a rule with the parts that are given.
func replaceParts(rule, given memory.GuardRule) memory.GuardRule {
	for _, part := range []struct{ is, given *[]string }{
		{&rule.Subcommands, &given.Subcommands}, {&rule.Flags, &given.Flags}, {&rule.Paths, &given.Paths},
	} {
		if len(*part.given) > 0 {
			*part.is = *part.given
		}
	}
	rule.Content = cmp.Or(given.Content, rule.Content)
	return rule
}

func draftSentence(sentence string) (memory.GuardRule, error) {
	if len(sentence) > MaxSentence {
		return refuse("a sentence of more than %d bytes is not read", MaxSentence)
	}
	if strings.HasSuffix(sentence, "?") {
		return refuse("it is a question")
	}
	sentence, _ = cutAt(strings.TrimSpace(sentence), reasons)
	if at := asks.FindStringIndex(plainLower(sentence)); at != nil && at[0] == 0 {
		sentence = "never " + sentence[at[1]:] // the rule asks
	}
	if about, ok := cutAt(sentence, permissions); ok {
		sentence = about
	} else if condition := conditions.FindString(plainLower(sentence)); condition != "" {
		return refuse("it depends on more than the call itself (%q)", strings.TrimSpace(condition))
	}
	object, err := forbiddenIn(sentence)
	if err != nil {
		return memory.GuardRule{}, err
	}
	rule, err := ruleOf(object)
	if err != nil {
		return rule, err
	}
	rule.Action = memory.GuardAsk
	if _, err := Compile(rule); err != nil {
		return refuse("%v", err)
	}
	return rule, nil
}

// plainLower returns a sentence in lower case without what stands between backticks and quotation marks,
// which keeps its length.
func plainLower(sentence string) string {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	return strings.ToLower(quoted.ReplaceAllStringFunc(sentence, func(s string) string { return strings.Repeat("_", len(s)) }))
}

var (
	quoted = regexp.MustCompile("`[^`]+`|\"[^\"]+\"|“[^”]+”")
	// reasons begin why something is wanted: "because it breaks the lockfile".
	reasons = regexp.MustCompile(` (?:because|since|as it|as they|so that|otherwise|- |– |— )|;|—|\(|: it |, (?:it|it's|this is|they|that|we|i|please|ok|okay|which|always|use|only|prefer|just)\b`)
	// permissions say that the user wants to be asked: "without asking", "unless I say so".
	permissions = regexp.MustCompile(`,? (?:without (?:asking|me\b|my|checking|telling|explicit|permission|approval|confirm)|unless (?:i|explicitly|asked|told|you asked|you have)|until i |before asking)`)
	// conditions are what only the user can judge.
	conditions = regexp.MustCompile(` (?:unless|except|if|when|whenever|while|until|till|before|after|other than|apart from|only|during|on (?:mondays|fridays|weekends)|outside|anymore than|more than|too|but)\b`)
	// negations begin what is forbidden.
	negations = regexp.MustCompile(`\b(?:never(?: ever)?|(?:do|must|should|shall|may|can|will) ?not|don'?t|mustn'?t|shouldn'?t|can'?t|cannot|won'?t|avoid|refrain from|stop|no more|under no circumstances|keep (?:your )?hands off|hands off|stay away from|leave alone|forbid|forbidden)\b`)
	// asks are the other way to say it: "ask me before you push".
	asks = regexp.MustCompile(`^(?:please |always |you must |you should )*(?:ask|check with|confirm with|tell|warn)(?: me)?(?: first)?,? before (?:you |ever |each |every |any |a )*`)
	// instead names what is used in place of what is forbidden.
	instead = regexp.MustCompile(`(?: (?:instead of|rather than|over|in place of)|, (?:and |so )?(?:not|never)|\b(?:use|using|prefer) \S+ (?:not|never)) (?:use |using |run |call |with )?`)
	// exclusive says that one program is used and none like it: "always use pnpm".
	exclusive = regexp.MustCompile(`^(?:please )?(?:we |you )?(?:always|only|exclusively) (?:use|run) (\S+)(?: here| only| in this (?:repo|repository|project)| for (?:everything|installs|packages|dependencies|package management))*$`)
	// noProhibition is negated and forbids nothing.
	noProhibition = regexp.MustCompile(`\b(?:never mind|don'?t (?:forget|hesitate|worry|bother|know|think|care|want to|have|need|mind)|do not (?:forget|hesitate|worry)|no need|not only|can'?t (?:you|we)|don'?t you|isn'?t|why)\b`)
)

// cutAt returns what stands before the first match of a pattern outside of quotes.
func cutAt(sentence string, at *regexp.Regexp) (string, bool) {
	if found := at.FindStringIndex(plainLower(sentence)); found != nil && found[0] > 0 {
		return strings.TrimRight(sentence[:found[0]], " ,"), true
	}
	return sentence, false
}

// forbids reports whether a sentence is worded as a prohibition.
func forbids(sentence string) bool { return negations.MatchString(plainLower(sentence)) }

// forbiddenIn returns what a sentence forbids, in its own words.
func forbiddenIn(sentence string) (string, error) {
	sentence = strings.ReplaceAll(strings.TrimRight(strings.TrimSpace(sentence), "! "), "’", "'")
	if !strings.HasSuffix(sentence, " .") { // "git add ."
		sentence = strings.TrimRight(sentence, ".")
	}
	low := plainLower(sentence)
	if noProhibition.MatchString(low) {
		return "", &Refusal{"it forbids nothing that a call shows"}
	}
	if m := exclusive.FindStringSubmatchIndex(low); m != nil {
		if others := othersLike(strings.Trim(sentence[m[2]:m[3]], "`\"'")); len(others) > 0 {
			return "use " + strings.Join(others, " or "), nil
		}
	}
	found := negations.FindAllStringIndex(low, -1)
	if at := instead.FindStringIndex(low); at != nil && (len(found) == 0 || isOnlyWithin(found, at)) {
		return "use " + sentence[at[1]:], nil
	}
	switch {
	case len(found) == 0 && strings.HasPrefix(low, "no "):
		return "use " + sentence[len("no "):], nil
	case len(found) == 0:
		return "", &Refusal{"it forbids nothing: say what must not happen, such as \"never …\""}
	case len(found) > 1:
		return "", &Refusal{"it forbids more than one thing: make a guard of each"}
	case found[0][0] > maxLead || !leadIn.MatchString(low[:found[0][0]]):
		return "", &Refusal{"who must not do what is not clear from its words"}
	}
	return sentence[found[0][1]:], nil
}

// maxLead is the most that may stand before the negation, in bytes.
const maxLead = 60

// leadIn matches what may stand before a negation: "please", "we", "in this repository you".
var leadIn = regexp.MustCompile(`^(?:(?:please|pls|and|so|also|again|in (?:this|the) (?:repo|repository|project|codebase)|here|from now on|going forward|reminder|note|rule|remember|important|claude|you|we|i|should|must|will|to|always|the user wants|just|ever)[,: ]*)*$`)

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
	if rule, ok := p.inCommits(); ok {
		return rule, nil
	}
	rule, ok := p.command()
	if !ok {
		rule, ok = p.files()
	}
	if !ok {
		rule, ok = p.content()
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
	return rule, nil
}
