package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
)

// What the log shows changes what a prompt is worth, unless that is switched off; with what is forgotten, its traces go.
func TestHabits(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	id := r.remember("the database pool has 40 connections")[0]
	explain := func() *api.Worth {
		t.Helper()
		e, err := r.Explain(t.Context(), api.Prompt{Prompt: "how many connections does the database pool have?"})
		if err != nil {
			t.Fatal(err)
		}
		return e.Worth
	}
	before := explain()
	if before.Learned != nil {
		t.Fatalf("learned %+v of nothing", before.Learned)
	}
	r.end()
	var log []byte
	for i := range 100 {
		unused := false
		line, err := json.Marshal(usage.Injection{V: 1, ID: id, Session: fmt.Sprint("s", i), At: time.Now().UTC(), Event: usage.PromptEvent, Used: &unused})
		if err != nil {
			t.Fatal(err)
		}
		log = append(append(log, line...), '\n')
	}
	if err := os.WriteFile(filepath.Join(home, "usage.jsonl"), log, 0o600); err != nil {
		t.Fatal(err)
	}
	r = start(t, home)
	var h api.Health
	r.Health(&h)
	if w := explain(); w.Value >= before.Value || w.Learned == nil || h.Learned == nil || math.Abs(h.Learned.Worth+0.25) > 1e-9 {
		t.Errorf("a prompt is worth %v instead of %v; health says %+v", w.Value, before.Value, h.Learned)
	}
	configure(t, home, "[recall]\nlearn = false\n")
	h = api.Health{}
	r.Health(&h)
	if w := explain(); w.Value != before.Value || w.Learned != nil || h.Learned != nil {
		t.Errorf("switched off, a prompt is worth %v instead of %v; health says %+v", w.Value, before.Value, h.Learned)
	}
	configure(t, home, "")
	r.says(id, api.Wrong)
	if h := r.habits.Load(); h.Wrong != 1 || h.Worth >= -0.25 {
		t.Errorf("after what the owner said, learned %+v", h)
	}
	r.says(id, "")
	if h := r.habits.Load(); h.Wrong != 0 || h.Worth < -0.25 {
		t.Errorf("after they took it back, learned %+v", h)
	}
	if _, err := r.Forget(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if h := r.habits.Load(); h != nil {
		t.Errorf("of what was forgotten remains %+v", h)
	}
}
