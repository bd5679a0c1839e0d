package consolidate

import (
	_ "embed"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

//go:embed rules/withdrawals.toml
var withdrawalText string

// withdrawalRules recognize what says that a rule no longer holds.
var withdrawalRules = rule.Read[withdrawalTables](withdrawalText)

type withdrawalTables struct {
	rule.Header
	Allowed  rule.Set   `toml:"allowed"`
	Needless rule.Set   `toml:"needless"`
	Dropped  rule.Set   `toml:"dropped"`
	Lasting  *rule.Rule `toml:"lasting"`
	Once     *rule.Rule `toml:"once"`
}

// A withdrawal is what a sentence says of a rule that no longer holds.
type withdrawal struct {
	words    []string // of what the rule is about, sorted
	allows   bool     // what the rule forbade
	dispense bool     // with what the rule demanded
}

// IsWithdrawal reports whether a sentence says that a rule no longer holds. Only what is stored shows whether there is one.
func IsWithdrawal(sentence string) bool { return len(withdrawalIn(sentence).words) > 0 }

// withdrawalIn reads a sentence. Without words it withdraws nothing.
func withdrawalIn(sentence string) withdrawal {
	text, rules := strings.ToLower(strings.ReplaceAll(sentence, "’", "'")), withdrawalRules()
	dropped := rules.Dropped.MatchString(text)
	mayWithdraw := dropped || rules.Lasting.MatchString(text)
	if !mayWithdraw || strings.HasSuffix(text, "?") {
		return withdrawal{}
	}
	var w withdrawal
	said := mainClause(text)
	switch {
	case dropped:
		w.allows, w.dispense = true, true
	case rules.Needless.MatchString(said):
		w.dispense = true
	case rules.Allowed.MatchString(said) && !rules.Once.MatchString(said):
		w.allows = true
	default:
		return w
	}
	if w.dispense && !w.allows && rules.Once.MatchString(withoutNeed(said)) {
		return withdrawal{}
	}
	w.words = subtract(wordsOf(said), withdrawing)
	return w
}

// withoutNeed returns a clause without the words that say that something is not needed.
func withoutNeed(said string) string {
	at := withdrawalRules().Needless.FindStringIndex(said)
	if at == nil {
		return said
	}
	return said[:at[0]] + said[at[1]:]
}

// mainClause returns a sentence without the reason that may follow it.
func mainClause(text string) string {
	if at := strings.IndexAny(text, ",;"); at > 0 && len(wordsOf(text[:at])) > 1 {
		text = text[:at]
	}
	if at := prose.FindReason(text); at != nil && at[0] > 8 {
		text = text[:at[0]]
	}
	return text
}

// withdrawing are words that only say that something is withdrawn, or add nothing and have two stems.
var withdrawing = stemsOf(`allowed permitted fine ok okay welcome free required necessary needed mandatory rule ban policy convention instruction
	requirement restriction drop scrap forget lift lifted cancel cancelled revoke remove ignore retire dropped off void gone history
	obsolete longer applies apply holds hold counts again today forward anytime yourself claude darfst kannst musst brauchst wieder sofort erlaubt
	regel vorgabe vergiss streich add adding`)

// closes reports whether w withdraws m.
func (w withdrawal) closes(m *memory.Memory) bool {
	text := strings.ToLower(withoutFrame(*m) + "\n" + m.Evidence)
	said := prose.PlainWords(text)
	forbids := slices.ContainsFunc(said, func(word string) bool { return isNegation(word) || restricting[word] })
	demands := !slices.ContainsFunc(said, isNegation)
	if !(w.allows && forbids || w.dispense && demands) {
		return false
	}
	words := subtract(wordsOf(text), withdrawing)
	if len(w.words) == 1 {
		return w.allows && w.dispense && len(intersect(w.words, words)) > 0
	}
	return len(subtract(w.words, words)) == 0 && 2*len(w.words) >= len(wordsOf(mainClause(strings.ToLower(withoutFrame(*m)))))
}

// restricting are words, besides negations, of rules that forbid something.
var restricting = prose.WordSet("only ask asking unless nur fragen")

// Withdrawn returns the statements among withdrawals that withdraw something of what stands, as they are to be: they stand and
// supersede it. What seems to withdraw several things that it names by one word, or the statements of many sessions, withdraws none.
func Withdrawn(withdrawals, memories []memory.Memory) []Change {
	superseded := map[string]bool{}
	for i := range memories {
		for _, id := range memories[i].Supersedes {
			superseded[id] = true
		}
	}
	var out []Change
	for _, m := range withdrawals {
		w := withdrawalOf(&m)
		var closed []string
		for i := range memories {
			if o := &memories[i]; !superseded[o.ID] && withdraws(w, &m, o) {
				closed = append(closed, o.ID)
			}
		}
		tooMany := len(closed) > maxAmended || len(w.words) == 1 && len(closed) > 1
		if len(closed) == 0 || tooMany {
			continue
		}
		now := m
		now.Supersedes = prose.SortedSet(append(slices.Clone(m.Supersedes), closed...))
		if m.IsCandidate() {
			now.Stand("withdraws what was said before")
		}
		out = append(out, Change{m, now})
	}
	return out
}

// withdrawalOf returns what a memory withdraws: only the user withdraws anything.
func withdrawalOf(m *memory.Memory) withdrawal {
	isDecision := m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagDecision)
	if m.Origin != memory.OriginUser || m.Source != memory.Preferences && !isDecision {
		return withdrawal{}
	}
	said, _, _ := partsOf(*m)
	return withdrawalIn(said)
}

// withdraws reports whether m, which is w, withdraws the older o.
func withdraws(w withdrawal, m, o *memory.Memory) bool {
	isThere := o.Everywhere() || isSameHome(m.Home(), o.Home())
	if len(w.words) == 0 || o.ID == m.ID || !isThere {
		return false
	}
	isOlder := o.Turn != m.Turn && lastSaid(o).Before(lastSaid(m))
	return isOlder && trustOf(*m) >= trustOf(*o) && len(withdrawalOf(o).words) == 0 && w.closes(o)
}

// lastSaid is when m was said last.
func lastSaid(m *memory.Memory) time.Time {
	if m.LastSeen.After(m.OccurredAt) {
		return m.LastSeen
	}
	return m.OccurredAt
}
