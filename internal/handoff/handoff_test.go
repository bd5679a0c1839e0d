package handoff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/claudecode"
	"recollect/internal/extract"
	"recollect/internal/memory"
	"recollect/internal/toolcall"
)

// minute is a time within the session that the tests tell of.
func minute(n int) time.Time { return time.Date(2026, 10, 1, 10, n, 0, 0, time.UTC) }

func edited(file string) claudecode.Action {
	return claudecode.Action{Tool: "Edit", File: "/app/" + file, Output: "updated"}
}

func ranWell(command string) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Output: "ok"}
}

func ranBadly(command, output string) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Output: output, Failed: true}
}

func todoList(items string) claudecode.Action {
	return claudecode.Action{Tool: "TodoWrite", Input: `{"todos":[` + items + `]}`, Output: "ok"}
}

// worked returns the handoff of a session of these turns.
func worked(turns ...claudecode.Turn) (memory.Draft, bool) {
	var w Session
	var before *extract.Scene
	for i, t := range turns {
		t.Session, t.ID, t.Cwd = "s1", fmt.Sprint("u", i+1), "/app"
		t.At, t.End = minute(i), minute(i).Add(5*time.Second)
		before = extract.NewScene(t, memory.Project{Name: "app", Path: "/app"}, before)
		w.Add(before)
	}
	return w.Draft()
}

func TestHandoff(t *testing.T) {
	const ask = "make the importer skip broken rows"
	fix := claudecode.Turn{
		Prompt: ask, Actions: []claudecode.Action{edited("import.go"), ranWell("go test ./...")},
		Replies: []string{"The importer skips rows that do not parse and counts them."},
	}
	with := func(t claudecode.Turn, change func(*claudecode.Turn)) claudecode.Turn {
		t.Actions = slices.Clone(t.Actions)
		change(&t)
		return t
	}
	commit := ranWell(`git commit -am "import: skip broken rows"`)
	summary := "This session is being continued from a previous conversation.\n\nSummary:\n1. Primary Request and Intent:\n   The user wants the importer to be robust.\n\n" +
		"2. Key Technical Concepts:\n   - CSV\n\n7. Pending Tasks:\n   - Report broken rows in the log\n   - Write the manual\n\n8. Current Work:\n   The reader was being split.\n\n" +
		"9. Optional Next Step:\n   Move the counting into the reader.\n\nIf you need specific details from before compaction, read the full transcript at: /x.jsonl"
	tests := []struct {
		name               string
		turns              []claudecode.Turn
		title, text        string
		done, open, nextUp string
		files              []string
	}{
		{"edits", []claudecode.Turn{fix}, "Handoff: " + ask, "", "The importer skips rows that do not parse and counts them. Edited import.go.", "", "", []string{"import.go"}},
		{"committed", []claudecode.Turn{with(fix, func(t *claudecode.Turn) { t.Actions = append(t.Actions, commit) })}, "Handoff: " + ask, "",
			`The importer skips rows that do not parse and counts them. Committed "import: skip broken rows". Edited import.go.`, "", "", []string{"import.go"}},
		{"edited after the commit", []claudecode.Turn{with(fix, func(t *claudecode.Turn) { t.Actions = append(t.Actions, commit, edited("doc.go")) })}, "Handoff: " + ask, "",
			`The importer skips rows that do not parse and counts them. Committed "import: skip broken rows". Edited doc.go, import.go.`, "not committed: doc.go", "", []string{"doc.go"}},
		{"fails at the end", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Actions = append(t.Actions, ranBadly("go test ./import", "--- FAIL: TestRows\nrows_test.go:9: got 2, want 3"))
			t.Replies = []string{"TestRows still fails because the header counts as a row."}
		})}, "Handoff: " + ask, "", "TestRows still fails because the header counts as a row. Edited import.go.",
			"`go test ./import` failed last: rows_test.go:9: got 2, want 3", "", []string{"import.go"}},
		{"failure that was meant", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Actions = append(t.Actions, ranBadly("go run . broken.csv", "exit status 2"))
		})}, "Handoff: " + ask, "", "The importer skips rows that do not parse and counts them. Edited import.go.", "", "", []string{"import.go"}},
		{"interrupted", []claudecode.Turn{with(fix, func(t *claudecode.Turn) { t.Interrupted, t.Replies = true, nil })}, "Handoff: " + ask, "",
			"Edited import.go.", "interrupted by the user", "", []string{"import.go"}},
		{"question", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Replies = []string{"The importer skips broken rows.\n\nShould a broken header stop the import?"}
		})}, "Handoff: " + ask, "", "The importer skips broken rows. Should a broken header stop the import? Edited import.go.",
			"asked the user: Should a broken header stop the import?", "", []string{"import.go"}},
		{"polite question", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Replies = []string{"The importer skips broken rows from now on.\n\nIs there anything else I can do?"}
		})}, "Handoff: " + ask, "", "The importer skips broken rows from now on. Is there anything else I can do? Edited import.go.", "", "", []string{"import.go"}},
		{"next steps", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Replies = []string{"Done!\n\nThe importer skips broken rows.\n\n## Next steps:\n\n1. **Report** them in the log\n2. Write the manual\n\n```sh\ngo test\n```\n\n## Notes\n\nRows are counted."}
		})}, "Handoff: " + ask, "", "The importer skips broken rows. Edited import.go.", "", "Report them in the log; Write the manual", []string{"import.go"}},
		{"to-dos", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Actions = append(t.Actions, todoList(`{"content":"Report broken rows","status":"pending"},{"content":"Skip broken rows","status":"completed"}`))
		})}, "Handoff: " + ask, "", "The importer skips rows that do not parse and counts them. Edited import.go.", "to do: Report broken rows", "", []string{"import.go"}},
		{"title is what most was done for", []claudecode.Turn{
			{Prompt: "which files hold the importer?", Replies: []string{"import.go does."}}, fix,
			{Prompt: "and what does a row look like?", Replies: []string{"It has three columns."}},
		}, "Handoff: " + ask, "Last asked: and what does a row look like?", "The importer skips rows that do not parse and counts them. Edited import.go.", "", "", []string{"import.go"}},
		{"scratch files and removed ones", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Actions = append(t.Actions, edited("try.go"), claudecode.Action{Tool: "Write", File: "/tmp/x.go"}, ranWell("rm -f try.go && go vet ./..."))
		})}, "Handoff: " + ask, "", "The importer skips rows that do not parse and counts them. Edited import.go.", "", "", []string{"import.go"}},
		{"summary", []claudecode.Turn{with(fix, func(t *claudecode.Turn) { t.Summary, t.Branch = summary, "robust" })}, "Handoff: " + ask,
			"Wanted: The user wants the importer to be robust.\nAt work on: The reader was being split.\nBranch: robust",
			"The importer skips rows that do not parse and counts them. Edited import.go.", "Report broken rows in the log; Write the manual", "Move the counting into the reader.", []string{"import.go"}},
		{"old summary", []claudecode.Turn{with(fix, func(t *claudecode.Turn) { t.Summary = summary }), fix, fix}, "Handoff: " + ask,
			"Wanted: The user wants the importer to be robust.", "The importer skips rows that do not parse and counts them. Edited import.go.", "", "", []string{"import.go"}},
		{"German next steps", []claudecode.Turn{with(fix, func(t *claudecode.Turn) {
			t.Replies = []string{"Der Import überspringt kaputte Zeilen.\n\n**Nächste Schritte:**\n- Handbuch schreiben"}
		})}, "Handoff: " + ask, "", "Der Import überspringt kaputte Zeilen. Edited import.go.", "", "Handbuch schreiben", []string{"import.go"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := worked(tt.turns...)
			if !ok {
				t.Fatal("no handoff")
			}
			got := []string{m.Title, m.Text, m.Fields["done"], m.Fields["open"], m.Fields["next"]}
			if diff := cmp.Diff([]string{tt.title, tt.text, tt.done, tt.open, tt.nextUp}, got); diff != "" {
				t.Errorf("title, text, done, open, next (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.files, m.Files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoHandoff(t *testing.T) {
	chat := claudecode.Turn{Prompt: "why is the sky blue?", Replies: []string{"Air scatters blue light more than red light."}}
	agent := claudecode.Turn{Prompt: "edit import.go", Agent: "Explore", Sidechain: true, Actions: []claudecode.Action{edited("import.go")}}
	tests := []struct {
		name  string
		turns []claudecode.Turn
	}{
		{"nothing", nil},
		{"one question", []claudecode.Turn{chat}},
		{"questions", []claudecode.Turn{chat, chat, chat}},
		{"offer in a short session", []claudecode.Turn{{Prompt: "why is the sky blue?", Replies: []string{"Next steps:\n- look at it"}}}},
		{"interrupted question", []claudecode.Turn{chat, {Prompt: "and the sea?", Interrupted: true}}},
		{"sub-agent", []claudecode.Turn{agent}},
		{"looked around", []claudecode.Turn{{Prompt: "what is in here?", Actions: []claudecode.Action{ranWell("ls -la"), ranWell("go test ./...")}, Replies: []string{"Three files."}}}},
		{"edit refused", []claudecode.Turn{{Prompt: "fix it all", Actions: []claudecode.Action{{Tool: "Edit", File: "/app/a.go", Refused: true}}}}},
		{"our own prompt", []claudecode.Turn{{Prompt: "[RECOLLECT_INTERNAL] edit", Actions: []claudecode.Action{edited("import.go")}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if m, ok := worked(tt.turns...); ok {
				t.Errorf("handoff %q: %s", m.Title, m.Body())
			}
		})
	}
}

func TestHandoffIsBounded(t *testing.T) {
	long := claudecode.Turn{Prompt: strings.Repeat("import ", 2000), Replies: []string{strings.Repeat("The importer is done. ", 2000) + "\n\nNext steps:\n" + strings.Repeat("- one more thing to do\n", 500)}}
	for i := range 300 {
		long.Actions = append(long.Actions, edited(fmt.Sprintf("a/long/path/to/a/file/of/the/importer_%d.go", i)), ranWell(fmt.Sprintf("git commit -m 'commit %d'", i)))
	}
	m, ok := worked(long, long, long)
	if err := m.Normalize(); !ok || err != nil {
		t.Fatalf("handoff: %v, %v", ok, err)
	}
	if n := len(m.Title) + len(m.Body()); n > 3*maxHandoffPart+1000 || len(m.Files) > toolcall.MaxFiles {
		t.Errorf("%d bytes, %d files:\n%s", n, len(m.Files), m.Body())
	}
}
