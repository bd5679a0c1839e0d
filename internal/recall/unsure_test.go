package recall

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// What may matter to a prompt is named in at most three lines and 80 tokens, once, and injected whole
// when it surely matters to another prompt.
func TestUnsureIsNamed(t *testing.T) {
	var all []memory.Memory
	for i := range 5 {
		all = append(all, with(sessionless(fmt.Sprintf("note-%d", i)), func(m *memory.Memory) {
			m.Title, m.Text = fmt.Sprintf("Pool %d of connections: ", i)+strings.Repeat("exhausted again ", i), fmt.Sprintf("It ran dry %d times.", i)
		}))
	}
	r := open(t, all...)
	unsure := ask(t, prompted)
	unsure.Settings = turn(t, injectNothing, "recall.heading_from", 0.01)
	res := recall(t, r, unsure)
	cost := 0
	for _, entry := range res.Entries {
		cost += block.Tokens(entry)
		if !strings.HasPrefix(entry, "may bear on this: [note] Pool ") || strings.Contains(entry, "It ran dry") {
			t.Errorf("named as %q", entry)
		}
	}
	if n := len(res.Entries); n < 2 || n > mostNamed || cost > mostNamedCost {
		t.Errorf("%d named for %d tokens:\n%s", n, cost, res.Context)
	}
	again := unsure
	again.Session.Injected = res.Keys
	for _, b := range recall(t, r, again).Injected {
		if res.Keys[b.ID+"#heading?"] != "" {
			t.Errorf("%s was named twice", b.ID)
		}
	}
	sure := ask(t, prompted)
	sure.Settings = turn(t, injectAll, "recall.heading_from", 0.4)
	sure.Session.Injected = res.Keys
	for _, b := range res.Injected {
		if got := found(t, recall(t, r, sure), b.ID).Outcome; got != api.OutcomeInjected {
			t.Errorf("%s was named, and where it surely matters to the prompt: %s", b.ID, got)
		}
	}
}

// What several memories of a session say in the same words is named once.
func TestUnsureIsNamedOnce(t *testing.T) {
	titled := func(id, title string) memory.Memory {
		return with(sessionless(id), func(m *memory.Memory) { m.Title, m.Text = title, "It ran dry, says "+id+"." })
	}
	r := open(t, titled("note-1", "The connection pool was exhausted at noon"), titled("dec-2", "the connection pool was exhausted at noon."), titled("note-3", "Another pool ran dry"))
	unsure := ask(t, prompted)
	unsure.Settings = turn(t, injectNothing, "recall.heading_from", 0.01)
	res := recall(t, r, unsure)
	if n := strings.Count(strings.ToLower(res.Context), "exhausted at noon"); n != 1 || !strings.Contains(res.Context, "note-3") {
		t.Errorf("named %d times, want once, and note-3:\n%s", n, res.Context)
	}
}
