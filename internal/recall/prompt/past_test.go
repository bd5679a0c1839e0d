package prompt

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(pastRules()); err != nil {
		t.Error(err)
	}
}

// Every rule is tried for its own example.
func TestCues(t *testing.T) {
	tables := pastRules()
	for _, r := range slices.Concat(tables.Resume, tables.Next, tables.Decided, tables.Last) {
		if !hasPastCue(strings.ToLower(r.Takes)) {
			t.Errorf("rule %s: %q has no cue", r.Name, r.Takes)
		}
	}
}

func TestAsked(t *testing.T) {
	tests := []struct {
		prompt string
		want   Past
	}{
		{"Where were we?", Past{Next, ""}},
		{"ok I'm back! what was next on our list?", Past{Next, "our list"}},
		{"so, what's left for the parser?", Past{Next, "the parser"}},
		{"whats next", Past{Next, ""}},
		{"What do we still have to do?", Past{Next, ""}},
		{"any open points?", Past{Next, ""}},
		{"where did you leave off yesterday", Past{Next, ""}},
		{"what's the status of the invoice export?", Past{Next, "the invoice export"}},
		{"continue", Past{Resume, ""}},
		{"Let's pick up where we left off.", Past{Resume, ""}},
		{"go on with the shader cache", Past{Resume, "the shader cache"}},
		{"what did we decide about retries last week?", Past{Decided, "retries"}},
		{"hi! which queue did we settle on?", Past{Decided, "queue"}},
		{"why did we drop redis?", Past{Decided, "redis"}},
		{"what did we do yesterday?", Past{Last, ""}},
		{"Outcome of the pricing meeting?", Past{Last, "pricing"}},
		{"remind me how the tokens are rotated", Past{Last, "the tokens are rotated"}},
		{"Wo waren wir stehengeblieben?", Past{Next, ""}},
		{"Was ist noch offen?", Past{Next, ""}},
		{"Was hatten wir zum Rabatt beschlossen?", Past{Decided, "rabatt"}},
		{"Où en étions-nous ?", Past{Next, ""}},
		{"qu'est-ce qu'on a décidé pour la livraison ?", Past{Decided, "la livraison"}},
		{"¿Dónde nos quedamos?", Past{Next, ""}},
		{"¿qué decidimos sobre los descuentos?", Past{Decided, "los descuentos"}},

		{"what is the next token", Past{}},
		{"add a status page", Past{}},
		{"show me the open file handles of the process", Past{}},
		{"continue statements make this loop hard to read, rewrite it", Past{}},
		{"why did the build fail?", Past{}},
		{"what changed in python 3.12?", Past{}},
		{"sort the list", Past{}},
		{"which port does the server listen on", Past{}},
		{"Was ist der Unterschied zwischen Kafka und NATS?", Past{}},
		{"what do you think of this function", Past{}},
		{"thanks", Past{}},
		{"", Past{}},
	}
	for _, tt := range tests {
		if got := AskedPast(tt.prompt); got != tt.want {
			t.Errorf("Asked(%q) = %+v, want %+v", tt.prompt, got, tt.want)
		}
	}
}
