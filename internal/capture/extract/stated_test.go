package extract

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
)

//go:embed testdata/stated.txt
var statedText string

// worked is a turn in which Claude worked, understood one in which it only acknowledged.
var (
	worked = claudecode.Turn{
		Replies: []string{"I had a look at it and changed two files; the tests pass."},
		Actions: []claudecode.Action{{Tool: "Read", Input: `{"file_path":"/home/dev/shop/a.go"}`, Output: "package a"}},
	}
	understood = claudecode.Turn{Replies: []string{"Understood."}}
)

// TestStated reads prompts in which a user states a wish, a rule or a decision, alone or beside
// a task, and those in which nobody does.
func TestStated(t *testing.T) {
	for line := range strings.Lines(statedText) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n")
		kind, rest, _ := strings.Cut(line, "|")
		words, prompt, _ := strings.Cut(rest, "|")
		switch kind {
		case "y":
			for _, turn := range []claudecode.Turn{worked, understood} {
				if got := statedIn(turn, prompt); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, strings.ToLower(words)) }) {
					t.Errorf("%q gives %q after %q, want %q", prompt, got, turn.Replies[0], words)
				}
			}
		case "n":
			if got := statedIn(worked, rest); len(got) > 0 {
				t.Errorf("%q gives %q, want none", rest, got)
			}
		}
	}
}

// statedIn returns what a turn with a prompt makes of wishes, rules and decisions, in lower case.
func statedIn(turn claudecode.Turn, prompt string) []string {
	turn.Session, turn.ID, turn.Prompt = "s1", "u1", prompt
	var out []string
	for _, m := range NewTurn(turn, app, nil).Drafts() {
		if m.Source == memory.Preferences || m.Source == memory.Patterns || m.Source == memory.Journal {
			out = append(out, strings.ToLower(m.Title+"\n"+m.Body()))
		}
	}
	return out
}

func TestListedRules(t *testing.T) {
	for prompt, want := range map[string][]string{
		"Some house rules before you start:\n1. lines are at most 80 characters\n2. no wildcard imports\nNow write the parser.": {
			"The user wants: lines are at most 80 characters", "The user wants: no wildcard imports",
		},
		"Coding guidelines:\n\n- names are nouns":                                       {"The user wants: names are nouns"},
		"The rules of the game:\n1. players draw two cards\n2. the first player passes": nil,
		"Some house rules before you start:\nplease write the parser":                   nil,
	} {
		s := NewTurn(claudecode.Turn{ID: "u1", Prompt: prompt}, app, nil)
		var got []string
		for _, m := range preferences(s) {
			got = append(got, m.Title)
			if by := RuleOf(m.Memory); by != aListedRule.Name && by != "no-such-thing-where" {
				t.Errorf("rule of %q: %s", m.Title, by)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("preferences(%q) = %q, want %q", prompt, got, want)
		}
	}
}

// An item of a list that is taken by its place is in the memory.
func TestItemTaken(t *testing.T) {
	offer := "There are two ways:\n1. keep cron\n2. move to systemd timers. They log better."
	for _, tt := range []struct{ name, before, prompt, want string }{
		{"quoted", "", "You listed:\n\n> 1. keep cron\n> 2. a queue\n\nWe take the second option for all hosts.", "we take the second option for all hosts (a queue)"},
		{"offered", offer, "We go with the last variant everywhere.", "we go with the last variant everywhere (move to systemd timers)"},
		{"not there", offer, "We take the third option for all hosts.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := after(tt.before, claudecode.Turn{ID: "u1", Prompt: tt.prompt})
			got := ""
			for _, m := range decidedByUser(s) {
				got = m.Title
				if by := RuleOf(m.Memory); by != statements.DecisionRules().ByPlace.Name {
					t.Errorf("rule of %q: %s", m.Title, by)
				}
			}
			if got != tt.want {
				t.Errorf("decision = %q, want %q", got, tt.want)
			}
		})
	}
}
