package handoff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/prose"
)

// comesNext are what a heading or a sentence begins with that says what comes
// next, in lower case.
var comesNext = [...]string{
	"next steps", "next step", "next up", "next:", "next,", "suggested next", "recommended next", "remaining", "still to do", "still open", "still missing",
	"what's left", "what is left", "what remains", "left to do", "to do:", "todo:", "todos:", "follow-ups", "follow-up", "you can now",
	"nächste schritte", "nächster schritt", "als nächstes", "noch offen", "noch zu tun",
	"prochaines étapes", "prochaine étape", "reste à faire", "il reste à",
	"próximos pasos", "siguiente paso", "siguientes pasos", "queda por hacer", "próximos passos",
	"下一步", "接下来", "后续步骤", "待办",
}

// emptyLists are the words of a list that is empty.
var emptyLists = [...]string{"none", "n/a", "nothing", "no pending", "no remaining", "no further", "no next", "not applicable", "all tasks", "all work"}

// announced returns what a reply says comes next: the list or paragraph below
// a heading that announces it, or the sentence that says so.
func announced(reply string) string {
	var items []string
	taking := false
	for _, paragraph := range prose.Paragraphs(reply) {
		for i, text := range paragraph {
			heading := prose.IsHeading(text)
			switch words := prose.LineWords(text); {
			case prose.BeginsWith(words, comesNext[:]) && (heading || i == 0 || strings.HasSuffix(words, ":")):
				items, taking = startItems(text, heading), true
			case heading || prose.IsDivider(text):
				taking = false
			case taking && (prose.IsListed(text) || len(items) == 0 || i > 0):
				items = append(items, prose.ItemWords(text))
			default:
				taking = false
			}
		}
	}
	return listedItems(items)
}

// startItems is what stands in the announcing line itself.
func startItems(text string, heading bool) []string {
	text = strings.TrimSpace(prose.Unmark(text))
	if _, after, ok := strings.Cut(text, ":"); ok || heading {
		if after = strings.TrimSpace(after); after != "" {
			return []string{after}
		}
		return nil
	}
	return []string{text}
}

func listedItems(items []string) string {
	var out []string
	for _, words := range items {
		if words = strings.Trim(words, " ;"); words != "" && !prose.BeginsWith(strings.ToLower(words), emptyLists[:]) && len(out) < maxOpenItems {
			out = append(out, prose.Clip(words, maxItem))
		}
	}
	return strings.Join(out, "; ")
}

// cameOut is what a reply says first about how things came out: its first
// sentences that are no cheer and announce nothing, from as many paragraphs as
// it takes to say something.
func cameOut(reply string) string {
	var out []string
	size := 0
	for _, paragraph := range prose.Paragraphs(reply) {
		if prose.BeginsWith(prose.LineWords(paragraph[0]), comesNext[:]) || size >= maxWanted/2 {
			break
		}
		if prose.IsHeading(paragraph[0]) {
			paragraph = paragraph[1:]
		}
		for _, s := range prose.Sentences(strings.Join(paragraph, "\n")) {
			if s = prose.ItemWords(s); uninformative(s) || size+len(s) > maxWanted && size > 0 {
				continue
			}
			size += len(s)
			out = append(out, ended(prose.Clip(s, maxWanted)))
		}
	}
	return strings.Join(out, " ")
}

// ended gives an item of a list the period of a sentence.
func ended(s string) string {
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(")`\"'", last) {
		return s + "."
	}
	return s
}

// admits reports whether a reply says that something does not work, or there
// is none. Otherwise a failure at the end was meant to be one.
func admits(reply string) bool {
	reply = strings.ToLower(reply)
	return reply == "" || prose.ContainsAny(reply, failing[:])
}

var failing = [...]string{
	"still fail", "still broken", "is failing", "are failing", "not pass", "doesn't work", "does not work", "not working",
	"schlägt fehl", "schlagen fehl", "échoue", "falla ", "fallan",
}

// uninformative reports a sentence that says nothing by itself.
func uninformative(s string) bool {
	words := prose.LineWords(s)
	return len(strings.Fields(words)) < 4 && strings.HasSuffix(s, "!") || strings.HasSuffix(s, ":") || prose.Trivial(words) ||
		prose.BeginsWith(words, []string{"here's", "here is", "let me", "now let", "now i", "i'll ", "you're right", "you are right", "summary", "great question"})
}

// politeQuestions are questions that ask for nothing in particular.
var politeQuestions = [...]string{
	"anything else", "is there anything", "does this help", "does that help", "does that make sense", "does this make sense", "how can i help",
	"what would you like", "what's next", "what next", "how does that sound", "any questions", "sound good", "ready to",
	"would you like me to explain", "would you like more", "want more",
}

// lastQuestion is the question that a reply ends with, "" if it ends with
// none or only a polite one.
func lastQuestion(reply string) string {
	paragraphs := prose.Paragraphs(reply)
	if len(paragraphs) == 0 {
		return ""
	}
	sentences := prose.Sentences(strings.Join(paragraphs[len(paragraphs)-1], "\n"))
	if len(sentences) == 0 {
		return ""
	}
	question := prose.ItemWords(sentences[len(sentences)-1])
	if words := prose.LineWords(question); !strings.HasSuffix(question, "?") && !strings.HasSuffix(question, "？") || prose.BeginsWith(words, politeQuestions[:]) || prose.Trivial(words) {
		return ""
	}
	return prose.Clip(question, maxItem)
}
