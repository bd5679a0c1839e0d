package guard

import (
	"fmt"
	"testing"

	"recollect/internal/memory"
)

// BenchmarkMatch measures what reading a call and asking 200 rules about it costs.
func BenchmarkMatch(b *testing.B) {
	var rules []*Matcher
	for i := range 200 {
		rule := memory.GuardRule{Programs: []string{fmt.Sprintf("guarded%d", i)}, Subcommands: []string{"install"}, Action: memory.GuardAsk}
		switch i % 4 {
		case 1:
			rule = memory.GuardRule{Paths: []string{fmt.Sprintf("src/part%d/**", i)}, Action: memory.GuardAsk}
		case 2:
			rule = memory.GuardRule{Programs: []string{"git"}, Content: fmt.Sprintf("(?i)word%d", i), Action: memory.GuardAsk}
		case 3:
			rule = memory.GuardRule{Activities: []string{"deploy"}, Action: memory.GuardAsk}
		}
		m, err := Compile(rule)
		if err != nil {
			b.Fatal(err)
		}
		rules = append(rules, m)
	}
	const input = `{"command":"cd web && env CI=1 sh -c \"go test ./pkg -run 'TestCart'\" 2>&1 | tail -20"}`
	b.ReportAllocs()
	for b.Loop() {
		c := ReadCall("Bash", input, shop, shop.Path)
		for _, m := range rules {
			if _, ok := m.Match(c); ok {
				b.Fatal("a rule fits")
			}
		}
	}
}
