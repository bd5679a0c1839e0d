package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// Of much reasoning only what the turn confirms is kept: by the reply, and by
// the code that was changed.
func TestMuchThinking(t *testing.T) {
	const (
		cause   = "The problem is that `nextTide` counts the minutes in UTC but the harbour table is in local time."
		wrong   = "The real problem is that `loadTable` skips the first line because the header is missing."
		symptom = "The problem is that the ferry leaves an hour too early in summer, which is wrong."
		remedy  = "`nextTide` counts the minutes in UTC but the harbour table is in local time. The fix is to convert them with the zone of the harbour."
		reply   = "The ferry waits now. `nextTide` counted minutes in UTC, but the harbour table is in local time; the fix converts them with the zone of the harbour."
		asked   = "the ferry leaves an hour too early in summer"
	)
	let := strings.Repeat("Let me read one more of the files that may have to do with it. ", 30)
	fixed := []claudecode.Action{edit("/home/dev/app/tide/next_test.go"), change("tide/next.go", "nextTide(now)", "nextTide(now.In(zone))")}
	tests := []struct {
		name    string
		blocks  []string
		actions []claudecode.Action
		replies []string
		want    string
	}{
		{"what the reply confirms", []string{cause, let, wrong}, fixed, []string{reply},
			"Cause: `nextTide` counts the minutes in UTC but the harbour table is in local time.\nFixed in tide/next.go."},
		{"a cause with its remedy rather", []string{cause, let, remedy}, fixed, []string{reply}, remedy + "\nFixed in tide/next.go."},
		{"nothing is confirmed", []string{cause, let}, fixed, []string{"The table was read from the wrong folder; it is read from tables now."}, ""},
		{"what was asked", []string{let, symptom}, fixed, []string{"The ferry no longer leaves an hour too early in summer."}, ""},
		{"taken back", []string{cause + " But wait, the table says local time nowhere.", let}, fixed, []string{reply}, ""},
		{"own patch", []string{let, "The problem is that in the original patch `nextTide` counts the minutes in UTC but the harbour table is in local time."}, fixed, []string{reply}, ""},
		{"the turn goes on", []string{cause, let}, append(fixed, claudecode.Action{Tool: "Bash", Command: "go test ./...", Said: 1}), []string{reply}, ""},
		{"an answer", []string{let, cause}, nil, []string{reply}, "The problem is that `nextTide` counts the minutes in UTC but the harbour table is in local time."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Cwd: app.Path, Prompt: asked, Thinking: tt.blocks, Actions: tt.actions, Replies: tt.replies}
			got := ""
			for _, m := range thinking(NewTurn(turn, app, nil)) {
				got += strings.TrimPrefix(m.Text, onTopic(asked))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("thinking (-want +got):\n%s", diff)
			}
		})
	}
}

// The file that a thought was fixed in is that of the code it names, not the
// test that was written for it.
func TestFixedIn(t *testing.T) {
	const cause = "The root cause is that `closeRows` is never called when Scan fails."
	inRows := change("db/rows.go", "return err", "closeRows(r)")
	inPool := change("db/pool.go", "size = 4", "size = 8")
	inTest := change("tests/rows.go", "x", "closeRows(r)")
	for _, tt := range []struct {
		name, reply string
		actions     []claudecode.Action
		want        string
	}{
		{"the one whose code it names", "closeRows is called in every case now.", []claudecode.Action{inPool, inRows}, "db/rows.go"},
		{"not a test", "closeRows is called in every case now.", []claudecode.Action{inTest, inRows}, "db/rows.go"},
		{"the one that the reply names", "closeRows is called in every case now, see db/pool.go.", []claudecode.Action{inRows, inPool}, "db/pool.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Cwd: app.Path, Prompt: "the pool runs dry", Thinking: []string{cause}, Actions: tt.actions, Replies: []string{tt.reply}}
			kept := thinking(NewTurn(turn, app, nil))
			if len(kept) == 0 {
				t.Fatal("nothing is kept")
			}
			if want := "\nFixed in " + tt.want + "."; !strings.HasSuffix(kept[0].Text, want) {
				t.Errorf("text %q, want it to end in %q", kept[0].Text, want)
			}
		})
	}
}

// A turn that grows may confirm another thought, which takes the place of the
// one before.
func TestConfirmedReplaces(t *testing.T) {
	let := strings.Repeat("Let me read one more of the files that may have to do with it. ", 30)
	ids := map[string]bool{}
	for _, thought := range []string{
		"The problem is that `nextTide` counts the minutes in UTC but the harbour is not there.",
		"The problem is that `loadTable` skips the first line because its header is missing.",
	} {
		turn := claudecode.Turn{ID: "u1", Session: "s1", Cwd: app.Path, Prompt: "the ferry leaves too early", Thinking: []string{let, thought}, Replies: []string{thought}}
		for _, m := range thinking(NewTurn(turn, app, nil)) {
			if err := m.Normalize(); err != nil {
				t.Fatal(err)
			}
			ids[m.ID] = true
		}
	}
	if len(ids) != 1 {
		t.Errorf("%d ids, want 1: %v", len(ids), ids)
	}
}
