package consolidate

import (
	"os"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

func TestBlind(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("PAIRS"))
	if err != nil {
		t.Skip()
	}
	var tp, fp, fn, tn int
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		f := strings.Split(line, "|")
		mk := func(s string) memory.Memory {
			return memory.Memory{Source: memory.Journal, Title: s, Project: "app", ProjectPath: "/app"}
		}
		o, n := mk(f[1]), mk(f[2])
		o.Turn, o.Session, n.Turn, n.Session = "t1", "s1", "t2", "s2"
		so, sn := newStatement(o), newStatement(n)
		got := so.subject.same(sn.subject) || sn.amends(so)
		switch {
		case got && f[0] == "y":
			tp++
		case got:
			fp++
			t.Logf("WRONG  %s\n", line)
		case f[0] == "y":
			fn++
			t.Logf("MISSED %s\n", line)
		default:
			tn++
		}
	}
	t.Logf("tp %d fp %d fn %d tn %d", tp, fp, fn, tn)
}

// A text that a rule takes has one of the hints, else the rule would not be asked.
func TestHints(t *testing.T) {
	rules := amendmentRules()
	for _, table := range []struct {
		rules []*rule.Rule
		hints map[string]bool
	}{
		{rules.Cue.Rules, hints.cue},
		{rules.GivenUp, hints.givenUp},
		{[]*rule.Rule{rules.WholeRule, rules.Superseded}, hints.rule},
		{[]*rule.Rule{rules.Denied}, hints.denied},
	} {
		for _, r := range table.rules {
			if !hasAny(prose.PlainWords(strings.ToLower(r.Takes)), table.hints) {
				t.Errorf("rule %s: no hint in %q", r.Name, r.Takes)
			}
		}
	}
}
