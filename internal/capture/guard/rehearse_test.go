package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

func TestRehearse(t *testing.T) {
	m, err := Compile(memory.GuardRule{Programs: []string{"npm"}, Action: memory.GuardAsk})
	if err != nil {
		t.Fatal(err)
	}
	bash := func(command string) claudecode.Action {
		return claudecode.Action{Tool: "Bash", Command: command, Input: `{"command":"` + command + `"}`}
	}
	refused := bash("npm ci")
	refused.Refused = true
	for _, tt := range []struct {
		name string
		turn claudecode.Turn
		next string
		want []Past
	}{
		{"nothing", claudecode.Turn{Actions: []claudecode.Action{bash("pnpm i")}}, "no, never use npm", nil},
		{"let be", claudecode.Turn{Actions: []claudecode.Action{bash("cd web && npm i")}}, "great, now the tests", []Past{{"npm i", false}}},
		{"no prompt after it", claudecode.Turn{Actions: []claudecode.Action{bash("npm i")}}, "", []Past{{"npm i", false}}},
		{"refused", claudecode.Turn{Actions: []claudecode.Action{refused}}, "", []Past{{"npm ci", true}}},
		{"objected to", claudecode.Turn{Actions: []claudecode.Action{bash("npm i")}}, "please don't use npm in this repo", []Past{{"npm i", true}}},
		{"another named", claudecode.Turn{Actions: []claudecode.Action{bash("npm i")}}, "pnpm instead of npm please", []Past{{"npm i", true}}},
		{"objected to something else", claudecode.Turn{Actions: []claudecode.Action{bash("npm i")}}, "the button must never be blue", []Past{{"npm i", false}}},
		{"stopped at it", claudecode.Turn{Interrupted: true, Actions: []claudecode.Action{bash("npm i"), bash("npm test")}}, "", []Past{{"npm i", false}, {"npm test", true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.turn.Cwd = shop.Path
			if diff := cmp.Diff(tt.want, m.Rehearse(tt.turn, tt.next, shop)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
