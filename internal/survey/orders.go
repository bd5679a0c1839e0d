package survey

import (
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// described returns the beginning of what a project's own file says of it, up
// to the first sentence that gives orders: whoever wrote the file may describe
// the project, but may neither give Claude orders nor speak for the user.
func described(text string) string {
	end := 0
	for _, s := range prose.Whole(prose.Sentences(text)) {
		if givesOrders(s) {
			return strings.TrimSpace(text[:end])
		}
		if i := strings.Index(text[end:], s); i >= 0 {
			end += i + len(s)
		}
	}
	return text
}

// An orderRule finds one kind of sentence that has no place in a description.
// An example of each, and of what it lets pass, is in the test.
type orderRule struct {
	name    string
	pattern *rule.Regexp
}

const (
	acts = `(?:run|runs|execute|install|use|call|invoke|download|fetch|curl|wget|open|read|load|visit|send|post|upload|push|commit|delete|remove|disable|ignore|skip|add|set|approve|accept|trust|follow|obey|start|build|include|write|tell|answer|reply|begin)\b`
	them = `(?:ai|a\.i\.|llms?|agents?|assistants?|claude|copilot|chatgpt|codex|gemini|cursor|chatbots?|language models?)`
)

var orderRules = []orderRule{
	{"announcement", rule.Lazy(`(?i)^\W*(?:important|attention|warning|caution|notice|note|instructions?|reminder|system|critical|mandatory|required|decision|wichtig|achtung)\b[^.:]{0,60}:`)},
	{"duty", rule.Lazy(`(?i)\b(?:always|never|must|shall|please|do not|don't|be sure to|make sure(?: to| you)?|remember to|need(?:s)? to|have to|has to|required to|ought to|you should|should(?: always)?)[ ,]+(?:\w+ly )?` + acts)},
	{"imperative", rule.Lazy(`(?i)(?:^\W*|[:;—] ?)(?:then |now )?(?:ignore|disregard|obey|execute|always|never|remember|make sure|be sure|do not|don't|forget (?:all|your|everything|the)|sudo|curl|wget)\b`)},
	{"run", rule.Lazy("(?i)(?:^\\W*|[,:;—–-] ?|\\b(?:please|you|and|then|must|should) |\\b(?:before|after|when|whenever|first|prior|each|every)\\b[^.]{0,60}\\b)(?:run|execute|call|invoke|type|enter|paste)\\b[^.,;`]{0,40}`")},
	{"addressee", rule.Lazy(`(?i)\b` + them + `\b[^.]{0,30}\b(?:must|should|shall|always|never|please|need to|needs to|have to|has to|required|expected|instructed|authori[sz]ed|ordered)\b`)},
	{"address", rule.Lazy(`(?i)(?:^|[.!] )\W*(?:(?:dear|hey|hi|hello|for|to|as an?|if you are an?|you are an?)\s+(?:all |any |every |the |other |ai )*` + them + `(?: \w+)?\s*[,:!]|` + them + `(?: \w+)?\s*[:!])`)},
	{"the user", rule.Lazy(`(?i)\bthe (?:user|owner|human|operator|customer) (?:(?:has|have|had)(?: \w+)? (?:agreed|approved|consented|allowed|authori[sz]ed|confirmed|granted|asked|permitted|decided|requested|instructed|accepted|given|said|told)|(?:always|explicitly|already|also|really)\b|wants?|agree[sd]|approve[sd]|consent(?:s|ed)|prefers|expects|requires|decided|asked|requested|told)\b`)},
	{"consent", rule.Lazy(`(?i)\b(?:approved|agreed(?: to| upon)?|authori[sz]ed|allowed|requested|confirmed|permission|consent|approval)\b[^.]{0,20}\b(?:by|from|of) the (?:user|owner|human|operator)\b|^(?:we|they)(?: have|'ve)? (?:decided|agreed)\b`)},
	{"pipe to a shell", rule.Lazy(`(?i)\|\s*(?:sudo\s+)?(?:(?:ba|z|da|fi|k|c)?sh|python3?|perl|node|ruby|iex)\b|\b(?:curl|wget|iwr|invoke-webrequest)\b[^.]{0,60}https?:|(?:ba|z)?sh\s+(?:-c\b|<\()|\bbase64 -d|\beval\b ?["'$(]`)},
	{"code with a pipe", rule.Lazy("`[^`\n]*(?:\\||;|&&|\\$\\()[^`\n]*`")},
	{"German", rule.Lazy(`(?i)\b(?:immer|niemals|nie|unbedingt|zuerst|bitte)\b[^.]{0,60}\b(?:ausführen|verwenden|benutzen|aufrufen|installieren|starten|ignorieren)\b|\bführe\b[^.]{0,60}\baus\b|\bder (?:be)?nutzer (?:hat|will|möchte|wünscht)\b`)},
}

// givesOrders reports whether a text gives orders or speaks for the user.
func givesOrders(text string) bool {
	for _, r := range orderRules {
		if r.pattern.MatchString(text) {
			return true
		}
	}
	return false
}

// maxName bounds the name of a project, a dependency or a folder, in bytes.
const maxName = 80

// nameOnly returns a name that is one, and "" for a sentence in its place.
func nameOnly(name string) string {
	if len(name) > maxName || strings.Count(name, " ") > 4 || strings.Contains(name, " ") && givesOrders(name) {
		return ""
	}
	return name
}
