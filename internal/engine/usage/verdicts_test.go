package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

// A verdict holds until it is taken back or replaced, also after a restart; the oldest of too many go.
func TestVerdicts(t *testing.T) {
	home := t.TempDir()
	v := OpenVerdicts(home, quiet)
	set := func(id, says string, at time.Time) api.Verdict {
		t.Helper()
		before, err := v.Set(api.Verdict{ID: id, Says: says, At: at})
		if err != nil {
			t.Fatal(err)
		}
		return before
	}
	if before := set("note-1", api.Useful, noon); before.Says != "" || before.ID != "note-1" {
		t.Errorf("before the first verdict: %+v", before)
	}
	if before := set("note-1", api.Wrong, noon.Add(time.Hour)); before.Says != api.Useful || !before.At.Equal(noon) {
		t.Errorf("before the second verdict: %+v", before)
	}
	set("note-2", api.Wrong, noon)
	set("note-2", "", noon)
	v = OpenVerdicts(home, quiet)
	if all := v.All(); len(all) != 1 || !v.IsWrong("note-1") || v.IsWrong("note-2") {
		t.Errorf("after a restart: %+v, want note-1 alone", all)
	}
	if err := v.Forget(map[string]bool{"note-1": true}); err != nil || len(OpenVerdicts(home, quiet).All()) != 0 {
		t.Errorf("forgotten: %v, %+v", err, v.All())
	}
	many := map[string]api.Verdict{}
	for i := range maxVerdicts {
		id := fmt.Sprint("note-", i)
		many[id] = api.Verdict{ID: id, Says: api.Useful, At: noon.Add(time.Duration(i))}
	}
	if err := v.replace(many); err != nil {
		t.Fatal(err)
	}
	set("note-x", api.Wrong, noon.Add(time.Hour))
	if n := len(OpenVerdicts(home, quiet).All()); n != maxVerdicts || !v.IsWrong("note-x") || v.Of("note-0").Says != "" {
		t.Errorf("%d verdicts, the oldest %+v, want %d without it", n, v.Of("note-0"), maxVerdicts)
	}
}

// What the owner finds useful counts as used, once, until they take it back.
func TestUsefulCountsAsUsed(t *testing.T) {
	u := OpenLog(t.TempDir(), quiet)
	u.Add("s1", PromptEvent, injectedAs("note-1"), noon)
	u.Append([]Injection{Injection{ID: "note-1", Session: "s1"}.Assessment(false, noon)})
	check := func(when string, uses int, used bool) {
		t.Helper()
		of := u.OfSession("s1")[0]
		if got := u.Uses("note-1"); got != uses || *of.Used != used {
			t.Errorf("%s: %d uses, used %t, want %d and %t", when, got, *of.Used, uses, used)
		}
	}
	says := func(verdict string) {
		t.Helper()
		if _, err := u.Verdicts.Set(api.Verdict{ID: "note-1", Says: verdict, Session: "s1"}); err != nil {
			t.Fatal(err)
		}
	}
	check("not used", 0, false)
	says(api.Useful)
	check("useful", 1, true)
	u.Append([]Injection{Injection{ID: "note-1", Session: "s1"}.Assessment(true, noon)})
	check("useful, and used", 1, true)
	u.Append([]Injection{Injection{ID: "note-1", Session: "s1"}.Assessment(false, noon)})
	says("")
	check("taken back", 0, false)
}

// A damaged file is set aside, so that what can still be read in it survives the next verdict.
func TestDamagedVerdictsAreSetAside(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "verdicts.json")
	if err := os.WriteFile(file, []byte(`{"v":1,"verdicts":[{"id":"note-1","says":"wro`), 0o600); err != nil {
		t.Fatal(err)
	}
	v := OpenVerdicts(home, quiet)
	if _, err := v.Set(api.Verdict{ID: "note-2", Says: api.Wrong}); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(file + ".damaged")
	if err != nil || !strings.Contains(string(kept), "note-1") || !OpenVerdicts(home, quiet).IsWrong("note-2") {
		t.Errorf("kept %q, %v", kept, err)
	}
}
