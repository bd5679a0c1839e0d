package connect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

const command = "'/home/me/.recollect/bin/recollect-hook' --agent codex"

func codex(t testing.TB) Agent {
	t.Helper()
	a, err := Find("codex")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Whatever the settings look like, the hook is entered for each event, behind what is there, and
// removing it restores every byte.
func TestEnterAndRemove(t *testing.T) {
	a := codex(t)
	for _, tt := range []struct{ name, text string }{
		{"empty object", "{}"},
		{"empty object with space", "{ \n }\n"},
		{"no hooks", "{\n  \"theme\": \"dark\"\n}\n"},
		{"one line", `{"theme":"dark","hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`},
		{"tabs", "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": []}\n\t\t]\n\t},\n\t\"z\": 1\n}"},
		{"lines of Windows", "{\r\n  \"theme\": \"dark\",\r\n  \"hooks\": {\r\n    \"Stop\": [ ]\r\n  }\r\n}\r\n"},
		{"byte order mark", "\ufeff{\n  \"a\": [1, {\"b\": \"}\"}]\n}"},
		{"empty hooks", `{"hooks": { }}`},
		{"empty lists", `{"hooks": {"Stop": [], "SessionStart": [ ]}}`},
		{"escaped", `{"h\u006foks": {"Stop": []}, "x": "\u2028\"{"}`},
		{"another of ours", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"recollect-hook --agent droid"}]}]}}`},
		{"with us in the middle", `{"hooks":{"Stop":[{"hooks":[{"command":"mine"},{"command":"recollect-hook --agent codex"}]}]}}`},
		{"blank", blank},
	} {
		t.Run(tt.name, func(t *testing.T) {
			edited, made, err := a.Enter(tt.text, command)
			if err != nil {
				t.Fatal(err)
			}
			commands, err := a.Commands(edited)
			if err != nil || !a.Complete(commands, command) {
				t.Errorf("got %v, %v in\n%s", commands, err, edited)
			}
			if strings.Count(tt.text, "\r\n") > 0 && strings.Count(edited, "\n") != strings.Count(edited, "\r\n") {
				t.Errorf("line ends are mixed in\n%q", edited)
			}
			back, err := a.Remove(edited, made)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.text, back); d != "" {
				t.Errorf("removed (-want +got):\n%s", d)
			}
		})
	}
}

// Cursor lists hooks where others list groups of them.
func TestFlat(t *testing.T) {
	a, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	const command = "'/home/me/.recollect/bin/recollect-hook' --agent cursor"
	for _, text := range []string{
		a.Blank(),
		`{"version":1,"hooks":{"stop":[{"command":"mine"}],"beforeSubmitPrompt":[]}}`,
		`{"version":1,"hooks":{"stop":[{"hooks":[{"command":"recollect-hook --agent cursor"}]}]}}`,
	} {
		edited, made, err := a.Enter(text, command)
		if err != nil {
			t.Fatal(err)
		}
		commands, err := a.Commands(edited)
		if err != nil || !a.Complete(commands, command) {
			t.Errorf("got %v, %v in\n%s", commands, err, edited)
		}
		if got := gjson.Get(edited, "hooks.stop.@reverse.0.command").String(); got != command {
			t.Errorf("got %q at the end of\n%s", got, edited)
		}
		back, err := a.Remove(edited, made)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text, back); d != "" {
			t.Errorf("removed (-want +got):\n%s", d)
		}
	}
}

// The user, or the agent, has changed what is around the entries.
func TestRemoveAfterEdits(t *testing.T) {
	a := codex(t)
	edited, made, err := a.Enter(`{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}`, command)
	if err != nil {
		t.Fatal(err)
	}
	ours := gjson.Get(edited, "hooks.Stop.1").Raw
	for _, tt := range []struct{ name, text, want string }{
		{"something behind", strings.Replace(edited, ours, ours+`, {"hooks":[{"command":"later"}]}`, 1), `{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}, {"hooks":[{"command":"later"}]}]}}`},
		{"something before", strings.Replace(edited, `{"hooks":{`, `{"a":1,"hooks":{`, 1), `{"a":1,"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}`},
		{"a key in our list", strings.Replace(edited, `"PreCompact": [`, `"PreCompact": [{"hooks":[]},`, 1), `{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}],"PreCompact": [{"hooks":[]}]}}`},
		{"twice", strings.Replace(edited, ours, ours+","+ours, 1), `{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}`},
		{"written anew", `{"hooks":{"PreCompact":[]}}`, `{"hooks":{"PreCompact":[]}}`},
	} {
		got, err := a.Remove(tt.text, made)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestEnterRefuses(t *testing.T) {
	a := codex(t)
	for text, want := range map[string]string{
		"": "nothing in it", "{": "not JSON", "[]": "not a JSON object", "// x\n{}": "comments", `{"hooks":[]}`: "hooks: is no object",
		`{"hooks":{"Stop":{}}}`: "hooks.Stop: is no list", `{"hooks":{},"hooks":{}}`: "2 times", `{"hooks":{"Stop":[],"Stop":[]}}`: "2 times",
	} {
		if _, _, err := a.Enter(text, command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", text, err, want)
		}
	}
}

func FuzzEnter(f *testing.F) {
	f.Add(`{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}`)
	f.Add("\ufeff{\r\n \"hooks\" : { \"Stop\" : [ ] , \"x\":{}}}")
	a := codex(f)
	f.Fuzz(func(t *testing.T, text string) {
		edited, made, err := a.Enter(text, command)
		if err != nil {
			return
		}
		if !gjson.Valid(strings.TrimPrefix(edited, byteOrderMark)) {
			t.Errorf("%q became %q", text, edited)
		}
		if back, err := a.Remove(edited, made); err != nil || back != text {
			t.Errorf("%q became %q, %v", text, back, err)
		}
	})
}
