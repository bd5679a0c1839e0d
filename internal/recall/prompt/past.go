package prompt

import (
	_ "embed"
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// A PastKind is what a question about past work asks for.
type PastKind int

// The kinds.
const (
	None    PastKind = iota
	Resume           // to go on; only at the beginning of a session does that mean with past work
	Next             // what is open, and what comes next
	Decided          // what was decided, or why
	Last             // what was done, or came of something
)

// String returns what a question of the kind asks.
func (k PastKind) String() string {
	return [...]string{"nothing", "to go on with past work", "what is open or comes next", "what was decided", "what was done"}[k]
}

// A Past is what a prompt asks about the user's own past work: what is left to do, what happened
// last time, what was decided. Such a prompt is about what was done, whatever words that has. The
// zero Past asks nothing.
type Past struct {
	Kind  PastKind
	About string // what it is narrowed to, "" for all
}

// maxPastPrompt is the length of a prompt, in bytes, beyond which it is about more
// than past work, and maxPastSentences is how many of its sentences are read.
const (
	maxPastPrompt    = 300
	maxPastSentences = 4
)

//go:embed rules/questions.toml
var pastRulesText string

var pastRules = rule.Read[pastTables](pastRulesText)

type pastTables struct {
	rule.Header
	Resume  []*rule.Rule `toml:"resume"`
	Next    []*rule.Rule `toml:"next"`
	Decided []*rule.Rule `toml:"decided"`
	Last    []*rule.Rule `toml:"last"`
}

// AskedPast returns what a prompt asks about past work.
func AskedPast(prompt string) Past {
	if len(prompt) > maxPastPrompt {
		return Past{}
	}
	var found Past
	sentences := prose.Sentences(strings.ReplaceAll(prompt, ";", ". "))
	for _, s := range sentences[:min(len(sentences), maxPastSentences)] {
		clauses := []string{s}
		if parts := strings.Split(s, ", "); len(parts) > 1 {
			clauses = append(clauses, parts...)
		}
		for _, clause := range clauses {
			if q := readPast(clause); q.Kind > found.Kind {
				found = q
			}
		}
	}
	return found
}

// pastCues has the words that a question about past work has one of. Most prompts have none, and
// trying each rule takes longer than the rest of a recall.
var pastCues = prose.WordSet(`what whats what's where which why did any anything something remaining pending unfinished status todo todos to-do to-dos to-do-list list next steps
	backlog catch bring get fill summarize summarise recap sum remind outcome result results conclusion upshot verdict takeaway resolution summary how
	continue carry go resume keep proceed pick move was wo wie warum worauf wofür weiter weitermachen weiterarbeiten welche offene nächste stand
	où on que qu'est-ce qu'avons-nous pourquoi continuons reprend reprends reprenons poursuivons suite la les prochaines en
	dónde donde qué por list show decisions recap summary overview ce continúa continuemos seguimos sigamos sigue retomemos have had open`)

func hasPastCue(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool { return pastCues[strings.Trim(word, "¿?.,!:")] })
}

// readPast reads one sentence.
func readPast(sentence string) Past {
	text := strings.Trim(strings.ToLower(prose.Fold(sentence)), " .!?…,:")
	text = strings.ReplaceAll(text, "’", "'")
	if !hasPastCue(text) {
		return Past{}
	}
	rules := pastRules()
	for _, t := range []struct {
		kind  PastKind
		rules []*rule.Rule
	}{{Next, rules.Next}, {Decided, rules.Decided}, {Last, rules.Last}, {Resume, rules.Resume}} {
		for _, r := range t.rules {
			if groups := r.FindStringSubmatch(text); groups != nil {
				return Past{t.kind, lastGroup(groups[1:])}
			}
		}
	}
	return Past{}
}

// lastGroup returns the last of some groups that has words.
func lastGroup(groups []string) string {
	for i := len(groups) - 1; i >= 0; i-- {
		if groups[i] != "" {
			return groups[i]
		}
	}
	return ""
}
