package capture

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
)

const maxDecisions = 3 // of one turn and one speaker

// decisions tells what the user or Claude decided in words.
func decisions(s *scene) []memory.Memory {
	var out []memory.Memory
	add := func(from []memory.Memory) {
		for _, m := range from[:min(len(from), maxDecisions)] {
			out = replaceSame(out, m)
		}
	}
	add(decidedByUser(s))
	add(decidedByClaude(s))
	return out
}

// choosing are verbs of which the object is what was chosen.
const choosing = `(?:use|go with|go for|stick with|stick to|switch (?:over )?to|switch from|migrate to|move to|adopt|settle on|settle for|target|base (?:it|this) on|build (?:it|this) (?:on|with)|standardi[sz]e on|drop support for|drop|get rid of|support|store|write it in)`

// chosenByUser are ways to say what shall be done that are not about the
// next step only. The last group is what was chosen.
var chosenByUser = []*regexp.Regexp{
	regexp.MustCompile(`^(?:i think |then )?(?:let's|lets|let us) (?:just |rather |instead )?(` + choosing + ` .+)`),
	regexp.MustCompile(`^(?:we'll|we will|we are going to|we're going to|we are gonna|we're gonna|i'll|i will|i'm going to) (?:just |rather )?(` + choosing + ` .+)`),
	regexp.MustCompile(`^(?:we|i)(?:'ve| have)? (?:now |finally |already )?((?:decided|agreed|opted|chosen|chose|settled)(?: to| on| against| that| for| not to)? .+)`),
	regexp.MustCompile(`^((?:go|going) (?:with|for) .+)`),
	regexp.MustCompile(`^(?:my |our |the |final )?decision(?: is)?: (.+)`),
	regexp.MustCompile(`^(switch (?:over )?to .+ instead of .+)`),
	// German, French, Spanish
	regexp.MustCompile(`^(?:lass|lasst) uns (.+ (?:nehmen|verwenden|benutzen|nutzen|einsetzen)\b.*)`),
	regexp.MustCompile(`^(wir (?:nehmen|verwenden|benutzen|nutzen) .+ (?:statt|anstatt|anstelle|weil|da) .+)`),
	regexp.MustCompile(`^((?:wir|ich) haben? (?:uns|mich) (?:für|gegen) .+ entschieden.*)`),
	regexp.MustCompile(`^((?:on va utiliser|utilisons|nous avons décidé|on a décidé|on part sur|prenons) .+)`),
	regexp.MustCompile(`^((?:usemos|vamos a usar|vamos con|hemos decidido|decidimos) .+)`),
}

// chosenByClaude are ways in which Claude says what it chose. They need a
// reason or something rejected besides.
var chosenByClaude = []*regexp.Regexp{
	regexp.MustCompile(`^(?:so |therefore,? |for this,? )?(?:i|we)(?:'ve| have)? (?:deliberately |intentionally |therefore )?((?:chose|picked|opted|decided|went with|settled on|selected) .+)`),
	regexp.MustCompile(`^(?:i|we)(?:'ve| have)? (?:deliberately|intentionally|purposely) (.+)`),
	regexp.MustCompile(`^(?:i'll|i will|we'll|we will|let's) ((?:use|go with|stick with|keep|base|store) .+)`),
	regexp.MustCompile(`^we ((?:use|keep|store) .+)`),
}

// becauseFirst is a decision with its reason before it.
var becauseFirst = regexp.MustCompile(`^(?:since|because|as|given that) (.{15,160}), (?:i'll|i will|we'll|we will|i|we)(?:'ve| have)? ((?:use|go with|stick with|keep|chose|decided|opted|went with|used|store) .+)`)

// labelled is a decision that is called one.
var labelled = regexp.MustCompile(`^(?:key |design |final |architectural |architecture |technical )?(?:decision(?: made)?|chosen approach|resolution): (.{12,})`)

// rationales and alternatives begin the parts of a decision that say why, and
// what was rejected.
var (
	rationales   = regexp.MustCompile(`,? (?:because|since|so that|so we|so i|so it|as it|as this|as we|as the|due to|in order to|to avoid|to prevent|to keep|to ensure|given that|weil|damit|parce que|car|porque|para que)\b `)
	alternatives = regexp.MustCompile(`,? (?:instead of|rather than|in favou?r of|as opposed to|over|and not|, not|not|statt|anstatt|anstelle von|au lieu de|plutôt que|en lugar de|en vez de) `)
)

// unnamed are choices that a reader who was not there cannot understand.
var unnamed = regexp.MustCompile(`^(?:` + choosing + `|going (?:with|for)|(?:decided|agreed|opted|settled|chose|chosen)(?: to| on| against| that| for| not to)?) (?:` + choosing + ` )?(?:that|this|it|these|those|them|both|all|any|one|something|anything|whatever|what|which|your|you|the (?:above|same|other|new|old|existing|current|first|second|third|last|latter|former|recommended|simplest|simple|default|next)|my|me|us|a (?:different|simpler|better|cleaner|similar|more)|an? (?:approach|way)|option|number|#?\d+|plan|next|step|phase|task|part|main|master|sleep|bed|ahead|on|back|now|there)\b|(?:go|going) (?:with|for) [a-e]$`)

// nextStep are choices of how to go about the work at hand.
var nextStep = regexp.MustCompile(`\b(grep|ripgrep|search|find|look|check|see|debug|inspect|investigate|verify|view|browse|explore|read tool|edit tool|write tool|bash tool|the tool|tool to|sed|awk|cat|curl|wget|todowrite|task tool|agent|agents|subagents?|a script|python script|the command|command|print statements?|next step|branch|worktree|let me|for now|commit|push|rebase|merge|stash)\b`)

// decidedByUser reads what the user typed.
func decidedByUser(s *scene) []memory.Memory {
	if s.Sidechain || s.Agent != "" || !s.typed() {
		return nil
	}
	var out []memory.Memory
	short := len(s.asked) <= shortPrompt
	for _, r := range said(s.asked) {
		d, ok := s.chosenIn(r)
		if !ok || hedged(r.bare) || strings.HasSuffix(r.text, "?") {
			continue
		}
		if _, wished := wishIn(r.bare, short); !wished {
			out = append(out, d.memory(s, memory.OriginUser, sureSaid))
		}
	}
	return out
}

// chosenIn reads a decision from a sentence of the user's.
func (s *scene) chosenIn(r remark) (decision, bool) {
	if option := s.option(r.bare); option != "" {
		return decision{what: "Use " + option, evidence: r.text}, true
	}
	what, ok := match(chosenByUser, r)
	if !ok || unnamed.MatchString(strings.ToLower(what)) || nextStep.MatchString(r.bare) {
		return decision{}, false
	}
	d := parts(what)
	d.evidence = r.text
	if d.why == "" && givesReason(r.next) {
		d.why = r.next
	}
	return d, true
}

// givesReason reports whether a sentence says why, of the one before.
func givesReason(next string) bool {
	return beginsWith(strings.ToLower(next), "because", "the reason", "reason", "that way", "this way", "we have ", "we need ", "we already ", "it works", "it's ", "it is ", "they ", "that's ")
}

// match returns the last group of the first pattern that a remark matches, in
// the words in which it was written.
func match(patterns []*regexp.Regexp, r remark) (string, bool) {
	for _, p := range patterns {
		if at := p.FindStringSubmatchIndex(r.bare); at != nil && len(r.bare) == len(r.text) {
			return r.text[at[len(at)-2]:at[len(at)-1]], true
		}
	}
	return "", false
}

// decidedByClaude reads what Claude said. What a later reply of the turn
// takes back is left out.
func decidedByClaude(s *scene) []memory.Memory {
	var out []memory.Memory
	for i, reply := range s.Replies {
		if len(out) > 0 && takesBack(reply) {
			out = nil
		}
		if i < len(s.Replies)-maxReplies {
			continue
		}
		for _, r := range said(Clean(reply)) {
			if d, ok := chosen(r); ok {
				d.evidence = r.text
				out = replaceSame(out, d.memory(s, memory.OriginAssistant, sureStated))
			}
		}
	}
	return out
}

// maxReplies bounds how many of a turn's last replies are read.
const maxReplies = 40

// takesBack reports whether a reply begins by giving up what came before.
func takesBack(reply string) bool {
	start := strings.ToLower(memory.Clip(strings.TrimSpace(reply), 120))
	for _, words := range []string{"that didn't work", "that doesn't work", "doesn't work", "didn't work", "actually, ", "wait", "different approach", "another approach", "let me reconsider", "i was wrong", "you're right"} {
		if strings.Contains(start, words) {
			return true
		}
	}
	return false
}

// chosen reads a decision from a sentence of Claude's.
func chosen(r remark) (decision, bool) {
	if len(r.bare) != len(r.text) || strings.ContainsAny(r.text[len(r.text)-1:], "?:") {
		return decision{}, false
	}
	d, certain := decision{}, true
	if at := labelled.FindStringSubmatchIndex(r.bare); at != nil {
		d = parts(r.text[at[2]:at[3]])
	} else if at := becauseFirst.FindStringSubmatchIndex(r.bare); at != nil {
		d = parts(r.text[at[4]:at[5]])
		d.why = r.text[at[2]:at[3]]
	} else if what, ok := match(chosenByClaude, r); ok {
		d = parts(what)
		certain = len(d.why) > shortReason || d.not != ""
	}
	return d, d.what != "" && certain && !unnamed.MatchString(strings.ToLower(d.what)) && !hedged(r.bare) && !nextStep.MatchString(r.bare)
}

// shortReason is the length below which words after "to avoid" or "since" say
// too little to make a decision of a sentence.
const shortReason = 15

// A decision is what was chosen, why, and what was rejected.
type decision struct {
	what, why, not string
	evidence       string
}

// parts takes a decision apart. What was rejected stays in what: without it
// the sentence says less.
func parts(sentence string) decision {
	sentence = strings.TrimRight(sentence, " .!")
	d := decision{what: sentence}
	if at := rationales.FindStringIndex(sentence); at != nil && at[0] > 8 {
		d.what, d.why = sentence[:at[0]], strings.TrimLeft(sentence[at[0]:], ", ")
	}
	if at := alternatives.FindStringIndex(d.what); at != nil && at[0] > 4 {
		d.not = strings.TrimSpace(d.what[at[1]:])
	}
	return d
}

func (d decision) memory(s *scene, origin string, sure float64) memory.Memory {
	m := s.memory(memory.Journal, origin)
	title := "Decided: " + lowerFirst(strings.TrimPrefix(strings.TrimPrefix(d.what, "decided to "), "decided "))
	m.Title = title
	if len([]rune(title)) > memory.MaxTitle {
		m.Title, m.Text = clip(title, memory.MaxTitle), title
	}
	m.Fields = map[string]string{}
	if d.why != "" {
		m.Fields["rationale"] = clip(d.why, maxReason)
	}
	if d.not != "" {
		m.Fields["alternatives"] = clip(d.not, maxReason)
	}
	m.Tags, m.Confidence = []string{tagDecision}, sure
	m.Keywords, m.Evidence = keywords(d.what, d.why), d.evidence
	setSubject(&m, tagDecision, strings.Join(plainWords(strings.ToLower(d.what)), " "))
	return m
}

// lowerFirst makes the first letter small, but for names.
func lowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(first) && unicode.IsLower(second) {
		return string(unicode.ToLower(first)) + s[n:]
	}
	return s
}

// byNumber is how a user takes one of the options that Claude offered.
var byNumber = regexp.MustCompile(`^(?:let's |lets |i'd |i'll |we'll )?(?:(?:go|going) (?:with|for)|take|choose|pick|do|use|i (?:like|want|choose|prefer))? ?(?:the )?(?:option |approach |variant |number |#)([1-9]|[a-e])\b[^?]{0,60}$`)

// option returns what Claude offered before under the number or letter that
// the user took, "" if there is none.
func (s *scene) option(bare string) string {
	at := byNumber.FindStringSubmatch(bare)
	if at == nil || s.before == nil {
		return ""
	}
	for line := range strings.Lines(s.before.reply) {
		line = strings.TrimLeft(unmark(strings.TrimSpace(line)), "-*• (")
		for _, word := range []string{"option ", "approach ", "variant ", ""} {
			rest, ok := cutFold(line, word+at[1])
			if ok && rest != "" && strings.ContainsAny(rest[:1], ".):") {
				return clip(firstSentence(strings.TrimLeft(rest, ".):*- –—")), maxCommand)
			}
		}
	}
	return ""
}

// cutFold cuts a beginning off, in any case of letters.
func cutFold(s, beginning string) (string, bool) {
	if len(s) < len(beginning) || !strings.EqualFold(s[:len(beginning)], beginning) {
		return s, false
	}
	return s[len(beginning):], true
}
