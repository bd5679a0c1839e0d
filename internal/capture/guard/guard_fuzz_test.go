package guard

import (
	"encoding/json"
	"testing"

	"recollect/internal/memory"
)

// Whatever a call is, it is read, and the same call always has the same answer.
func FuzzReadCall(f *testing.F) {
	for _, way := range ways {
		f.Add("Bash", hide(way, "npm install x"))
	}
	f.Add("Bash", "x=(a b); ${x[@]:1} ${x//a/b} ${!x} $((1+1)) <(a) >(b) {a,b,{c,d}} {}")
	f.Add("Bash", "$'\\x' $'\\400' \"$(\" `")
	f.Add("Edit", "src/a.ts")
	f.Fuzz(func(t *testing.T, tool, text string) {
		input, err := json.Marshal(map[string]any{"command": text, "file_path": text, "new_string": text})
		if err != nil {
			t.Skip()
		}
		for _, rule := range []memory.GuardRule{
			{Programs: []string{"npm"}, Subcommands: []string{"install"}, Flags: []string{"-rf"}, Paths: []string{"**/x"}, Action: memory.GuardAsk},
			{Paths: []string{"src/**"}, Content: "x", Action: memory.GuardAsk},
			{Activities: []string{"deploy"}, Action: memory.GuardAsk},
		} {
			m := MustCompile(rule)
			what, ok := m.Match(ReadCall(tool, string(input), shop, shop.Path))
			if again, same := m.Match(ReadCall(tool, string(input), shop, shop.Path)); what != again || ok != same {
				t.Errorf("%q: %q, %t, then %q, %t", text, what, ok, again, same)
			}
		}
	})
}

// Whatever is said, a rule that is made of it is right and the same each time.
func FuzzDraft(f *testing.F) {
	for _, g := range guarded {
		f.Add(g.sentence)
	}
	f.Add("don’t use `` or “” npm, pnpm/yarn . -- / ~")
	f.Fuzz(func(t *testing.T, sentence string) {
		rule, err := Draft(sentence)
		if err != nil {
			return
		}
		if _, err := Compile(rule); err != nil {
			t.Errorf("%q: %v", sentence, err)
		}
		if again, err := Draft(sentence); err != nil || Describe(again) != Describe(rule) {
			t.Errorf("%q: another rule the second time", sentence)
		}
	})
}
