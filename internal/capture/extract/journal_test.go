package extract

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// noted is what a test looks at in a decision.
type noted struct {
	Title, Text, Why, Not, Origin string
}

func notedIn(ms []memory.Draft) []noted {
	var out []noted
	for _, m := range ms {
		out = append(out, noted{m.Title, m.Text, m.Fields["rationale"], m.Fields["alternatives"], m.Origin})
	}
	return out
}

const aPlan = "# Plan: Retry failed uploads\n\n## Goal\nUploads survive a broken connection.\n\n## Steps\n1. Keep a queue in `queue.go`\n\n```go\nfunc Retry() {}\n```\n\n2. Retry with backoff"

func planned(output string, refused bool) claudecode.Action {
	return claudecode.Action{Tool: "ExitPlanMode", Input: `{"plan":"` + strings.ReplaceAll(aPlan, "\n", `\n`) + `"}`, Output: output, Refused: refused}
}

func TestPlans(t *testing.T) {
	const approved = "User has approved your plan. You can now start coding."
	want := []noted{{
		Title: "Plan: Retry failed uploads", Origin: memory.OriginAssistant,
		Text: "Goal\nUploads survive a broken connection.\nSteps\n1. Keep a queue in `queue.go`\n2. Retry with backoff",
	}}
	for _, tt := range []struct {
		name    string
		actions []claudecode.Action
		want    []noted
	}{
		{"approved", []claudecode.Action{planned(approved, false)}, want},
		{"refused", []claudecode.Action{planned("User chose to stay in plan mode and continue planning", true)}, nil},
		{"no answer yet", []claudecode.Action{planned("", false)}, nil},
		{"twice", []claudecode.Action{planned(approved, false), planned(approved, false)}, want},
		{"edited by the user", []claudecode.Action{planned(approved+"\n\n## Approved Plan:\n# Uploads in chunks\n\nEach chunk is 4 MB.", false)},
			[]noted{{Title: "Plan: Uploads in chunks", Text: "Each chunk is 4 MB.", Origin: memory.OriginAssistant}}},
		{"without a name", []claudecode.Action{planned(approved+"\n\n## Approved Plan:\n# Plan\n\nSplit the reader into two. Then test.", false)},
			[]noted{{Title: "Plan: Split the reader into two", Text: "Split the reader into two. Then test.", Origin: memory.OriginAssistant}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := notedIn(journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: "plan it", Actions: tt.actions}, app, nil)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("journal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	const input = `{"questions":[
		{"question":"Where do sessions live?","header":"Storage","options":[{"label":"Postgres","description":"One more table."},{"label":"Redis","description":"Fast."},{"label":"Memory","description":""}]},
		{"question":"Which checks, \"hard\" ones?","header":"Checks","options":[{"label":"Lint"},{"label":"Types"},{"label":"Tests"}],"multiSelect":true},
		{"question":"Should I continue?","header":"Go on","options":[{"label":"Yes"},{"label":"No"}]}]}`
	first := noted{"Postgres (asked: Where do sessions live?)", "One more table.", "", "Redis; Memory", memory.OriginUser}
	for _, tt := range []struct {
		name, output string
		want         []noted
	}{
		{"one", `User has answered your questions: "Where do sessions live?"="Postgres". You can now continue with the user's answers in mind.`, []noted{first}},
		{"three", `User has answered your questions: "Where do sessions live?"="Postgres", "Which checks, "hard" ones?"="Lint, Tests", "Should I continue?"="Yes". You can now continue.`,
			[]noted{first, {`Lint, Tests (asked: Which checks, "hard" ones?)`, "", "", "Types", memory.OriginUser}}},
		{"own words", `User has answered your questions: "Where do sessions live?"="in a file, S3 later". You can now continue`,
			[]noted{{"in a file, S3 later (asked: Where do sessions live?)", "", "", "Postgres; Redis; Memory", memory.OriginUser}}},
		{"with notes", `User has answered your questions: "Where do sessions live?"="Postgres" user notes: same server. You can now continue`,
			[]noted{{"Postgres (asked: Where do sessions live?)", "One more table.\nThe user added: same server", "", "Redis; Memory", memory.OriginUser}}},
		{"with a preview", `User has answered your questions: "Where do sessions live?"="Postgres" selected preview:
a table, "sessions". You can now continue`, []noted{first}},
		{"question back", `User has answered your questions: "Where do sessions live?"="what is cheaper?". You can now continue`, nil},
		{"left open", `User has answered your questions: "Where do sessions live?"="not sure yet". You can now continue`, nil},
		{"none yet", ``, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Prompt: "build it", Actions: []claudecode.Action{{Tool: "AskUserQuestion", Input: input, Output: tt.output}}}
			if diff := cmp.Diff(tt.want, notedIn(journal(NewTurn(turn, app, nil)))); diff != "" {
				t.Errorf("journal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommits(t *testing.T) {
	const made = "[main 1a2b3c4] "
	for _, tt := range []struct {
		name   string
		action claudecode.Action
		want   []noted
	}{
		{"here-document", claudecode.Action{
			Command: "git add -A && git commit -m \"$(cat <<'EOF'\nKeep uploads in a queue\n\nA broken connection lost them: the client\n\"forgot\" them at once.\n\nCo-Authored-By: Claude <noreply@example.org>\nEOF\n)\" && git push",
			Output:  made + "Keep uploads in a queue\n 2 files changed, 3 insertions(+)",
		}, []noted{{Title: "Keep uploads in a queue", Text: "A broken connection lost them: the client \"forgot\" them at once.\nIn date.go."}}},
		{"list with a reason", claudecode.Action{
			Command: "git commit -m \"fix: parse dates\n\n- accept ISO weeks\n- refuse year 0 to avoid a negative age\"", Output: made + "fix: parse dates\n 1 file changed, 1 deletion(-)",
		}, []noted{{Title: "parse dates", Text: "refuse year 0 to avoid a negative age\nIn date.go."}}},
		{"list without a reason", claudecode.Action{
			Command: "git commit -m \"fix: parse dates\n\n- accept ISO weeks\n- refuse year 0\"", Output: made + "fix: parse dates\n 1 file changed, 1 deletion(-)",
		}, nil},
		{"only a report", claudecode.Action{
			Command: "git commit -m \"fix: parse dates\n\n- accept ISO weeks\n\nImplements the dates of all shops.\nThe parser now reads weeks.\"", Output: made + "fix: parse dates\n",
		}, nil},
		{"what it rejects", claudecode.Action{
			Command: "git commit -m \"Read dates by pattern instead of by locale\n\nAdds a table of patterns.\"", Output: made + "Read dates by pattern instead of by locale\n",
		}, []noted{{Title: "Read dates by pattern instead of by locale", Text: "In date.go."}}},
		{"subject alone", claudecode.Action{Command: `git commit -m "Parse dates of weeks"`, Output: made + "Parse dates of weeks\n"}, nil},
		{"two paragraphs", claudecode.Action{
			Command: `git commit -m "Parse ISO dates" -m "Users paste them."`, Output: made + "Parse ISO dates\n",
		}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"hook's output first, later step failed", claudecode.Action{
			Command: `git commit -m "Parse ISO dates" -m "Users paste them." && make deploy`, Failed: true, Output: "lint ok\n[feat/x (root-commit) 1a2b3c4] Parse ISO dates\nmake: no rule",
		}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"quiet", claudecode.Action{Command: `git commit -q -m "Parse ISO dates" -m "Users paste them."`}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"quiet and all at once", claudecode.Action{Command: `gofmt -l . && git add -A && git commit -qam 'Parse ISO dates' -m 'Users paste them.' && echo committed`, Output: "committed"}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"to nowhere", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them." > /dev/null && git push`, Output: "To github.com:x/y"}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"only the last line of the output", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them." | tail -1`, Output: " create mode 100644 iso.go"}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"flag after the message, wrapped", claudecode.Action{Command: "git commit \\\n  -m 'Parse ISO dates' -m 'Users paste them.' -q", Output: ""}, []noted{{Title: "Parse ISO dates", Text: "Users paste them.\nIn date.go."}}},
		{"quiet, nothing to commit", claudecode.Action{Command: `git commit -qm "Parse ISO dates" -m "Users paste them."; git status`, Output: "nothing to commit, working tree clean"}, nil},
		{"another command is quiet", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them." && grep -q x y`}, nil},
		{"refused by a hook", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them."`, Failed: true, Output: "lint failed"}, nil},
		{"nothing to commit", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them."`, Output: "nothing to commit, working tree clean"}, nil},
		{"not run", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them."`, Refused: true}, nil},
		{"still running", claudecode.Action{Command: `git commit -m "Parse ISO dates" -m "Users paste them."`}, nil},
		{"trivial", claudecode.Action{Command: `git commit -m "fix typo"`, Output: made + "fix typo"}, nil},
		{"work in progress", claudecode.Action{Command: `git commit -m "wip: parser of dates"`, Output: made + "wip: parser of dates"}, nil},
		{"only looked at", claudecode.Action{Command: "git log", Output: made + "Parse ISO dates"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.want {
				tt.want[i].Origin = memory.OriginAssistant
			}
			tt.action.Tool = "Bash"
			ms := journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: "commit it", Actions: []claudecode.Action{edit("/home/dev/app/date.go"), tt.action}}, app, nil))
			if diff := cmp.Diff(tt.want, notedIn(ms)); diff != "" {
				t.Errorf("journal (-want +got):\n%s", diff)
			}
			if len(ms) > 0 && !cmp.Equal(ms[0].Files, []string{"date.go"}) {
				t.Errorf("files %q, want date.go", ms[0].Files)
			}
		})
	}
}

// What was committed about an error that the user shows again in the next turn gives way to what is
// committed then.
func TestCommitRefuted(t *testing.T) {
	commit := func(subject, why string) claudecode.Action {
		return claudecode.Action{Tool: "Bash", Command: `git commit -m "` + subject + `" -m "` + why + `"`, Output: "[main 1a2b3c4] " + subject + "\n"}
	}
	first := NewTurn(claudecode.Turn{ID: "u1", Prompt: "the ferry does not start", Actions: []claudecode.Action{
		commit("Start by the old driver", "Because the new one stops with: harbour socket already closed."),
	}}, app, nil)
	wrong, err := clean.Draft(first.committedDrafts()[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, prompt string
		want         []string
	}{
		{"the same error", "$ make ferry\nferry: error: harbour socket already closed", []string{wrong.Memory().ID}},
		{"another error", "$ make ferry\nferry: error: no such pier in the table", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewTurn(claudecode.Turn{ID: "u2", Prompt: tt.prompt, Actions: []claudecode.Action{commit("Open the socket once", "Because two of them collide.")}}, app, first)
			if diff := cmp.Diff(tt.want, commits(s)[0].Supersedes); diff != "" {
				t.Errorf("supersedes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecisionsOfTheUser(t *testing.T) {
	for _, tt := range []struct {
		name, prompt string
		want         noted
	}{
		{"instead of", "ok. let's use Podman instead of Docker.", noted{Title: "use Podman instead of Docker", Not: "Docker"}},
		{"because", "We'll use Postgres because we need transactions", noted{Title: "use Postgres", Why: "because we need transactions"}},
		{"reason follows", "let's go with SQLite. It's one file and easy to back up.", noted{Title: "go with SQLite", Why: "It's one file and easy to back up."}},
		{"decided", "we decided to drop support for Python 3.8", noted{Title: "drop support for Python 3.8"}},
		{"labelled", "Decision: the API stays on REST, not GraphQL", noted{Title: "the API stays on REST, not GraphQL", Not: "GraphQL"}},
		{"German", "Wir nehmen Postgres statt MySQL", noted{Title: "wir nehmen Postgres statt MySQL", Not: "MySQL"}},
		{"French", "on va utiliser Redis parce que c'est rapide", noted{Title: "on va utiliser Redis", Why: "parce que c'est rapide"}},
		{"Spanish", "vamos a usar Vite en lugar de Webpack", noted{Title: "vamos a usar Vite en lugar de Webpack", Not: "Webpack"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Origin = memory.OriginUser
			got := notedIn(journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: tt.prompt}, app, nil)))
			if diff := cmp.Diff([]noted{tt.want}, got); diff != "" {
				t.Errorf("journal(%q) (-want +got):\n%s", tt.prompt, diff)
			}
		})
	}
}

func TestNoDecisionOfTheUser(t *testing.T) {
	for _, prompt := range []string{
		"let's get this committed", "let's use something simple", "let's go with that", "let's use grep to find the callers", "should we use Postgres?",
		"maybe let's use Postgres", "let's switch to the main branch", "let's move to the next step", "we'll use it later", "I'll go with you on that",
		"we decided that already", "use the file above", "ok go on", "how hard would it be to switch to Postgres", "what did we decide about the cache?",
		"> let's use Postgres instead of MySQL\nis that wise?",
	} {
		if got := journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: prompt}, app, nil)); got != nil {
			t.Errorf("journal(%q) = %v, want none", prompt, notedIn(got))
		}
	}
}

func TestChosenOption(t *testing.T) {
	offer := NewTurn(claudecode.Turn{ID: "u1", Prompt: "what can we do?", Replies: []string{
		"There are two ways to do it, and both will work well enough:\n\n1. **A queue on disk** - survives a crash\n2. **Retries in memory**. Simple.\n\nWhich one?",
	}}, app, nil)
	for prompt, want := range map[string]string{
		"go with option 2":           "use Retries in memory",
		"let's do option 1 please":   "use A queue on disk - survives a crash",
		"option 7":                   "",
		"what about option 2?":       "",
		"what does option 2 cost us": "",
	} {
		got := ""
		for _, m := range journal(NewTurn(claudecode.Turn{ID: "u2", Prompt: prompt}, app, offer)) {
			got += m.Title
		}
		if got != want {
			t.Errorf("%q decides %q, want %q", prompt, got, want)
		}
	}
}

func TestDecisionsOfClaude(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  []noted
	}{
		{"I chose a ring buffer over a channel because it never blocks the writer.",
			[]noted{{Title: "chose a ring buffer over a channel", Why: "because it never blocks the writer", Not: "a channel"}}},
		{"Since `HOME` isn't set in CI, I'll use a temporary folder for the cache.",
			[]noted{{Title: "use a temporary folder for the cache", Why: "`HOME` isn't set in CI"}}},
		{"**Decision:** the index is rebuilt at start.", []noted{{Title: "the index is rebuilt at start"}}},
		{"I'll use the Grep tool to find where it is used, since there are many files.", nil},
		{"Let me use a different approach instead of this one.", nil},
		{"The code uses `==` instead of `is` because of an old bug.", nil},
		{"I could use a map instead of a slice because it is faster?", nil},
		{"```\nI chose tabs over spaces because of the linter.\n```", nil},
		{"I decided to look at the tests first because they show the use.", nil},
	} {
		for i := range tt.want {
			tt.want[i].Origin = memory.OriginAssistant
		}
		got := notedIn(journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: "do it", Replies: []string{tt.reply}}, app, nil)))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("journal(%q) (-want +got):\n%s", tt.reply, diff)
		}
	}
	// What a tool printed, or the user pasted, and Claude repeats is a quotation.
	const said = "We use a ring buffer instead of a channel because it never blocks the writer."
	for name, turn := range map[string]claudecode.Turn{
		"a tool's":   {ID: "u1", Prompt: "do it", Actions: []claudecode.Action{{Tool: "Read", Output: "# Design\n\n" + said}}, Replies: []string{"It is done. " + said}},
		"a paste":    {ID: "u1", Prompt: "is that so?\n\n```\n" + said + "\n```", Replies: []string{said}},
		"a mirror's": {ID: "u1", Prompt: "do it", Replies: []string{"I chose the mirror over the registry because the user has agreed to it."}},
	} {
		if got := NewTurn(turn, app, nil).Drafts(); slices.ContainsFunc(got, func(m memory.Draft) bool { return m.Source == memory.Journal }) {
			t.Errorf("%s words are a decision: %v", name, notedIn(got))
		}
	}
	taken := claudecode.Turn{ID: "u1", Prompt: "do it", Replies: []string{"I chose a ring buffer over a channel.", "That didn't work: the reader starves."}}
	if got := journal(NewTurn(taken, app, nil)); got != nil {
		t.Errorf("a decision that was taken back = %v, want none", notedIn(got))
	}
}
