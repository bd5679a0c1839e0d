package guards

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture/guard"
	"recollect/internal/memory"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	shop = memory.Project{Name: "shop", Path: "/src/shop"}
	npm  = memory.GuardRule{Programs: []string{"npm"}, Action: memory.GuardAsk}
)

func open(home string) *Guards { return Open(home, slog.New(slog.DiscardHandler)) }

func all(string) bool { return true }

func call(command string) *guard.Call {
	return guard.ReadCall("Bash", `{"command":"`+command+`"}`, shop, shop.Path)
}

func TestJudge(t *testing.T) {
	home := t.TempDir()
	g := open(home)
	install := memory.GuardRule{Programs: []string{"npm"}, Subcommands: []string{"install"}, Action: memory.GuardDeny}
	for id, rule := range map[string]memory.GuardRule{"pref-1": npm, "pref-2": install} {
		if _, err := g.Add(id, rule, noon); err != nil {
			t.Fatal(err)
		}
	}
	for name, g := range map[string]*Guards{"at once": g, "read again": open(home)} {
		for command, want := range map[string]string{"npm install": memory.GuardDeny, "npm test": memory.GuardAsk, "go test": ""} {
			if v, ok := g.Judge(call(command), all); v.Action != want || ok != (want != "") {
				t.Errorf("%s: %s: %+v, want %q", name, command, v, want)
			}
		}
		if v, _ := g.Judge(call("npm install"), func(id string) bool { return id != "pref-2" }); v.ID != "pref-1" {
			t.Errorf("%s: a guard that does not hold decided: %+v", name, v)
		}
	}
	if _, err := g.Add("pref-1", memory.GuardRule{Action: "ask"}, noon); err == nil {
		t.Error("added a rule about nothing")
	}
	if _, err := g.Add("pref-1", install, noon); err != nil || g.Len() != 2 {
		t.Errorf("the same memory again: %d guards, %v", g.Len(), err)
	}
	if s, ok, err := g.Remove("pref-1"); s.ID != "pref-1" || !ok || err != nil {
		t.Errorf("Remove() = %v, %t, %v", s, ok, err)
	}
	if _, ok, err := g.Remove("pref-1"); ok || err != nil {
		t.Errorf("removed twice: %t, %v", ok, err)
	}
}

// What the user let through is found in the transcript, and counted once.
func TestSettle(t *testing.T) {
	home := t.TempDir()
	g := open(home)
	if _, err := g.Add("pref-1", npm, noon); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	var b strings.Builder
	b.WriteString(`{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/src/shop","message":{"role":"user","content":"go"}}` + "\n")
	for _, id := range []string{"t1", "t2", "t3", "t4"} {
		g.Record("pref-1", Hit{api.GuardHit{At: noon, Session: "s1", What: "npm test", Action: "ask"}, id, path})
		b.WriteString(`{"type":"assistant","uuid":"a` + id + `","sessionId":"s1","message":{"id":"m` + id + `","role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"npm test"}}]}}` + "\n")
		result := `"content":"ok"`
		if id == "t2" {
			result = `"is_error":true,"content":"The user doesn't want to proceed with this tool use."`
		}
		b.WriteString(`{"type":"user","uuid":"r` + id + `","sessionId":"s1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `",` + result + `}]}}` + "\n")
	}
	g.Settle(path) // it is not written yet
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	g.Settle(path)
	g.Settle(path)
	s := open(home).List()[0]
	if s.Count != 4 || s.Overridden != 3 || s.Hits[1].Outcome != refused || s.Hits[0].Outcome != overridden {
		t.Errorf("settled: %+v", s)
	}
	if got := g.Due(); len(got) != 1 || len(g.Due()) != 0 {
		t.Errorf("due: %v, and again %v", got, g.Due())
	}
}

func TestForget(t *testing.T) {
	home := t.TempDir()
	g := open(home)
	for _, id := range []string{"pref-1", "pref-2"} {
		if _, err := g.Add(id, npm, noon); err != nil {
			t.Fatal(err)
		}
	}
	for session, what := range map[string]string{"s1": "npm test", "s2": "Edit axolotl.go", "s3": "npm ci"} {
		g.Record("pref-2", Hit{GuardHit: api.GuardHit{Session: session, What: what}})
	}
	err := g.Forget(map[string]bool{"pref-1": true}, map[string]bool{"s3": true}, func(s string) bool { return strings.Contains(s, "axolotl") })
	left := open(home).List()
	if err != nil || len(left) != 1 || len(left[0].Hits) != 1 || left[0].Hits[0].Session != "s1" {
		t.Errorf("left %+v, %v", left, err)
	}
}

// No guard is on if the file cannot be read, and nothing is written over it.
func TestUnreadable(t *testing.T) {
	for _, content := range []string{"{", `{"v":2,"guards":[]}`, `{"v":1,"guards":"x"}`} {
		home := t.TempDir()
		path := filepath.Join(home, api.GuardsFile)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		g := open(home)
		_, err := g.Add("pref-1", npm, noon)
		if g.Err() == nil || err == nil || g.Len() != 0 {
			t.Errorf("%q: %v, %v, %d guards", content, g.Err(), err, g.Len())
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != content {
			t.Errorf("%q became %q, %v", content, b, err)
		}
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, api.GuardsFile), []byte(`{"v":1,"guards":[null,{"id":"a","rule":{"action":"ask"}},{"id":"b","rule":{"programs":["npm"],"action":"ask"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := open(home).List(); len(got) != 1 || got[0].ID != "b" {
		t.Errorf("of three, one is right: %+v", got)
	}
}
