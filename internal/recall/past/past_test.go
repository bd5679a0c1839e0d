package past

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(questionRules()); err != nil {
		t.Error(err)
	}
}

// Every rule is tried for its own example.
func TestCues(t *testing.T) {
	tables := questionRules()
	for _, r := range slices.Concat(tables.Resume, tables.Next, tables.Decided, tables.Last) {
		if !hasCue(strings.ToLower(r.Takes)) {
			t.Errorf("rule %s: %q has no cue", r.Name, r.Takes)
		}
	}
}

func TestAsked(t *testing.T) {
	tests := []struct {
		prompt string
		want   Question
	}{
		{"Where were we?", Question{Next, ""}},
		{"ok I'm back! what was next on our list?", Question{Next, "our list"}},
		{"so, what's left for the parser?", Question{Next, "the parser"}},
		{"whats next", Question{Next, ""}},
		{"What do we still have to do?", Question{Next, ""}},
		{"any open points?", Question{Next, ""}},
		{"where did you leave off yesterday", Question{Next, ""}},
		{"what's the status of the invoice export?", Question{Next, "the invoice export"}},
		{"continue", Question{Resume, ""}},
		{"Let's pick up where we left off.", Question{Resume, ""}},
		{"go on with the shader cache", Question{Resume, "the shader cache"}},
		{"what did we decide about retries last week?", Question{Decided, "retries"}},
		{"hi! which queue did we settle on?", Question{Decided, "queue"}},
		{"why did we drop redis?", Question{Decided, "redis"}},
		{"what did we do yesterday?", Question{Last, ""}},
		{"Outcome of the pricing meeting?", Question{Last, "pricing"}},
		{"remind me how the tokens are rotated", Question{Last, "the tokens are rotated"}},
		{"Wo waren wir stehengeblieben?", Question{Next, ""}},
		{"Was ist noch offen?", Question{Next, ""}},
		{"Was hatten wir zum Rabatt beschlossen?", Question{Decided, "rabatt"}},
		{"Où en étions-nous ?", Question{Next, ""}},
		{"qu'est-ce qu'on a décidé pour la livraison ?", Question{Decided, "la livraison"}},
		{"¿Dónde nos quedamos?", Question{Next, ""}},
		{"¿qué decidimos sobre los descuentos?", Question{Decided, "los descuentos"}},

		{"what is the next token", Question{}},
		{"add a status page", Question{}},
		{"show me the open file handles of the process", Question{}},
		{"continue statements make this loop hard to read, rewrite it", Question{}},
		{"why did the build fail?", Question{}},
		{"what changed in python 3.12?", Question{}},
		{"sort the list", Question{}},
		{"which port does the server listen on", Question{}},
		{"Was ist der Unterschied zwischen Kafka und NATS?", Question{}},
		{"what do you think of this function", Question{}},
		{"thanks", Question{}},
		{"", Question{}},
	}
	for _, tt := range tests {
		if got := Asked(tt.prompt); got != tt.want {
			t.Errorf("Asked(%q) = %+v, want %+v", tt.prompt, got, tt.want)
		}
	}
}
