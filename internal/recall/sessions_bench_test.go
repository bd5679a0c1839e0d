package recall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
)

// session makes what capture leaves of a session of so many turns: an episode each, a decision in
// every fourth, and a handoff. Every tenth decision takes the place of one of earlier, the decisions
// of another session.
func (d *developer) session(number, turns int, earlier []memory.Memory) (all, decisions []memory.Memory) {
	began := now.Add(-time.Duration(100-number) * 24 * time.Hour)
	add := func(turn int, m memory.Memory) memory.Memory {
		m.Session, m.Turn = fmt.Sprint("session-", number), fmt.Sprint("turn-", number, "-", turn)
		m.OccurredAt = began.Add(time.Duration(turn) * time.Minute)
		m.SetHome(here)
		if err := m.Normalize(); err != nil {
			panic(err) // a developer writes text
		}
		all = append(all, m)
		return m
	}
	for turn := range turns {
		add(turn, memory.Memory{Source: memory.Episodes, Title: d.sentence(), Text: d.sentence() + " " + d.sentence(), Files: []string{d.file()}})
		if turn%4 != 0 {
			continue
		}
		decided := memory.Memory{Source: memory.Journal, Title: d.sentence(), Tags: []string{memory.TagDecision}}
		if len(earlier) > 0 && turn%40 == 0 {
			decided.Supersedes = []string{earlier[d.rand.IntN(len(earlier))].ID}
		}
		decisions = append(decisions, add(turn, decided))
	}
	lines := func(n int) string {
		var b strings.Builder
		for turn := range n {
			fmt.Fprintf(&b, "%s (turn %d)\n", d.sentence(), turn+1)
		}
		return b.String()
	}
	add(turns, memory.Memory{Source: memory.Handoffs, Title: d.sentence(), Fields: map[string]string{"cause": lines(2), "done": lines(8), "open": lines(3), "next": lines(1)}})
	return all, decisions
}

// withSessions makes a Recall over some 2,000 memories of sessions of so many turns.
func withSessions(b *testing.B, turns int) (*Recall, []memory.Memory) {
	b.Helper()
	r, d, v := open(b), newDeveloper(3), meanings(b, config.Default().Embedder)
	var all, earlier []memory.Memory
	for number := 0; len(all) < 2000; number++ {
		var ms []memory.Memory
		ms, earlier = d.session(number, turns, earlier)
		all = append(all, ms...)
	}
	if err := r.put(all); err != nil {
		b.Fatal(err)
	}
	if err := v.Update(b.Context(), all, nil, nil); err != nil {
		b.Fatal(err)
	}
	r.UseVectors(v)
	return r, all
}

// BenchmarkSessions answers prompts of words of the memories, among as many memories in long
// sessions and in short ones. Nothing may depend on how long a session was.
func BenchmarkSessions(b *testing.B) {
	for _, turns := range []int{400, 20} {
		b.Run(fmt.Sprintf("turns=%d", turns), func(b *testing.B) {
			r, all := withSessions(b, turns)
			at := 0
			benchmark(b, r, func(*developer) string {
				at = (at + 37) % len(all)
				words := strings.Fields(all[at].Title)
				return strings.Join(words[:min(8, len(words))], " ")
			})
		})
	}
}
