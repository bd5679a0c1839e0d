package extract

import (
	"slices"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// What made a memory is found anew from what it keeps: it must be what made it.
func TestRuleOf(t *testing.T) {
	counted := map[memory.Source]int{}
	for _, root := range []string{"../../../testdata/transcripts/projects", "../testdata/labelled"} {
		for s := range turnsBelow(t, root) {
			for _, made := range madeOf(s) {
				counted[made.memory.Source]++
				if err := made.memory.Normalize(); err != nil {
					t.Fatal(err)
				}
				if got := RuleOf(made.memory.Memory); got != made.rule {
					t.Errorf("%s: %q is by %q, want %q", made.memory.Source, made.memory.Title, got, made.rule)
				}
			}
		}
	}
	for _, src := range []memory.Source{memory.Preferences, memory.Journal, memory.Thinking, memory.Failures, memory.Patterns} {
		if counted[src] == 0 {
			t.Errorf("%s: no memory of a rule among the transcripts", src)
		}
	}
}

func TestRuleOfPrompt(t *testing.T) {
	offer := NewTurn(claudecode.Turn{ID: "u1", Prompt: "where do the jobs go?", Replies: []string{"1. A Redis stream\n2. A Postgres table"}}, app, nil)
	for _, tt := range []struct{ name, prompt, want string }{
		{"wish", "Always run the linter before you commit.", "always-verb"},
		{"wish of a pair", "Don't mock the database. Use testcontainers instead.", "do-not-verb"},
		{"reminder", "Remember: the staging database has no backups.", "reminder"},
		{"convention", "In this project we wrap every error with its operation.", "in-this-project-we"},
		{"convention of a place", "Integration tests live in lab/e2e.", "place"},
		{"goal", "Our goal for this sprint is to halve the start-up time of the daemon.", "our-goal-is"},
		{"decision", "Let's go with cursor pagination because offsets get slow.", "let-us-use"},
		{"decision behind a lead", "After the incident, we decided to keep the timeout at 5 s", "we-decided"},
		{"change", "We switched from npm to pnpm, can you update the docs?", "we-switched"},
		{"change behind a lead", "NATS lost messages, back to Redis", "back-to"},
		{"decision by number", "Let's go with option 2", "by-number"},
		{"decision in a word", "ok, Redis it is", "it-is"},
		{"decision that nothing changes", "Ok, Redis stays for the sessions because it is fast.", "stays"},
		{"decision that was agreed on", "Agreed: sessions in Redis, jobs in Postgres.", "agreed-on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewTurn(claudecode.Turn{ID: "u2", Prompt: tt.prompt}, app, offer)
			var got []string
			for _, m := range slices.Concat(conventions(s), journal(s), preferences(s), s.statedGoals()) {
				got = append(got, RuleOf(m.Memory))
			}
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("RuleOf(%q) = %q, want %q", tt.prompt, got, tt.want)
			}
		})
	}
}

// A made is a memory with the name of the rule that made it.
type made struct {
	memory memory.Draft
	rule   string
}

// madeOf makes of a turn what extractors make of it by rules.
func madeOf(s *Turn) []made {
	out := slices.Concat(wished(s), decided(s))
	for _, r := range s.statements {
		if statements.StatesConvention(r.Text) {
			m := s.Draft(memory.Patterns, memory.OriginUser)
			m.Title, m.Evidence = r.Text, r.Text
			out = append(out, made{m, statements.ConventionRuleOf(r.Text).Name})
		}
		if goal, by := statements.StatedGoal(r.Text); goal != "" {
			out = append(out, made{s.userGoal(goal, r.Text), by.Name})
		}
	}
	var blocks []string
	for _, block := range s.Thinking {
		blocks = append(blocks, clean.Text(block))
	}
	for _, thought := range dialogue.Thoughts(blocks, s.Asked) {
		if m, ok := s.thinkingMemory(thought, ""); ok {
			out = append(out, made{m, thought.Rule})
		}
	}
	for _, f := range toolcall.Failures(s.Actions, nil, s.Paths) {
		out = append(out, made{s.failureMemory(s, f, ""), f.Rule})
	}
	return out
}

func wished(s *Turn) []made {
	var out []made
	short := s.short
	for i, say := range s.statements {
		w, ok := statements.WishIn(say, short)
		if i+1 < len(s.statements) {
			if both, form, joined := statements.PairOf(say, s.statements[i+1], short); joined {
				say, w, ok = both, form, true
			}
		}
		if ok {
			out = append(out, made{s.draftOfWish(w, say), w.Name})
		}
	}
	return out
}

func decided(s *Turn) []made {
	var out []made
	for _, r := range s.statements {
		if d, ok := s.chosenIn(r); ok {
			out = append(out, made{s.draftOfDecision(d, memory.OriginUser, confidenceSaid), d.Rule})
		}
	}
	for _, reply := range s.replies {
		for _, r := range reply.Statements() {
			if d, ok := statements.ChoiceIn(r); ok {
				d.Evidence = r.Text
				out = append(out, made{s.draftOfDecision(d, memory.OriginAssistant, confidenceStated), d.Rule})
			}
		}
	}
	return out
}

// turnsBelow yields the turns of all transcripts below a folder.
func turnsBelow(t *testing.T, root string) func(func(*Turn) bool) {
	t.Helper()
	files, err := transcript.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	var turns []*Turn
	for _, file := range files {
		before := map[string]*Turn{}
		_, err := transcript.Turns(file, 0, func(turn claudecode.Turn) error {
			s := NewTurn(turn, app, before[turn.Agent])
			before[turn.Agent] = s
			if s.before != nil {
				clone := *s.before
				s.before = &clone // NewTurn of the next turn forgets what was before it
			}
			turns = append(turns, s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.Values(turns)
}
