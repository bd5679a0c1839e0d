package claudecode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// rec returns a line of a transcript: kind, uuid, time in seconds, content,
// then further fields by name.
func rec(kind, id string, second int, content any, fields ...any) string {
	line := map[string]any{
		"type": kind, "uuid": id, "timestamp": at(second), "sessionId": "s1", "cwd": "/home/dev/app", "gitBranch": "main",
		"message": map[string]any{"role": kind, "content": content},
	}
	for i := 0; i < len(fields); i += 2 {
		line[fields[i].(string)] = fields[i+1]
	}
	out, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return string(out) + "\n"
}

func at(second int) time.Time {
	return time.Date(2026, 2, 10, 12, 0, second, 0, time.UTC)
}

type block = map[string]any

func say(words string) block { return block{"type": "text", "text": words} }

func use(id, tool string, input any) block {
	return block{"type": "tool_use", "id": id, "name": tool, "input": input}
}

func result(id, output string) block {
	return block{"type": "tool_result", "tool_use_id": id, "content": output}
}

func failure(id, output string) block {
	return block{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": true}
}

// streamed is an assistant's message, which repeats under the same id.
func streamed(id string, content ...any) map[string]any {
	return map[string]any{"id": id, "role": "assistant", "model": "m", "content": content}
}

func read(t *testing.T, in string, offset int64) ([]Turn, Scan) {
	t.Helper()
	var turns []Turn
	scan, err := ReadTurns(strings.NewReader(in[offset:]), offset, func(turn Turn) error {
		turns = append(turns, turn)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return turns, scan
}

func TestReadTurnsWhole(t *testing.T) {
	in := rec("user", "u1", 1, "fix the build") +
		rec("assistant", "a1", 2, []any{block{"type": "thinking", "thinking": "look first"}, say("I look.")}) +
		rec("assistant", "a2", 3, []any{use("t1", "Bash", block{"command": "go build ./...", "description": "Build"})}) +
		rec("user", "r1", 4, []any{failure("t1", "Exit code 1\nx.go:3: undefined: y")}) +
		rec("assistant", "a3", 5, []any{use("t2", "Edit", block{"file_path": "/home/dev/app/x.go", "old_string": "y", "new_string": "z"})}) +
		rec("user", "r2", 6, []any{block{"type": "tool_result", "tool_use_id": "t2", "content": []any{say("updated"), say("ok")}}}) +
		rec("assistant", "a4", 7, []any{say("Fixed.")})
	want := []Turn{{
		Session: "s1", ID: "u1", Cwd: "/home/dev/app", Branch: "main",
		Prompt: "fix the build", At: at(1), End: at(7), Stop: int64(len(in)),
		Replies: []string{"I look.", "Fixed."}, Thinking: []string{"look first"},
		Actions: []Action{
			{
				Tool: "Bash", ID: "t1", Command: "go build ./...", Description: "Build", Said: 1, Failed: true, At: at(3), End: at(4),
				Input: `{"command":"go build ./...","description":"Build"}`, Output: "Exit code 1\nx.go:3: undefined: y",
			},
			{
				Tool: "Edit", ID: "t2", File: "/home/dev/app/x.go", Output: "updated\nok", Said: 1, At: at(5), End: at(6),
				Input: `{"file_path":"/home/dev/app/x.go","new_string":"z","old_string":"y"}`,
			},
		},
	}}
	got, scan := read(t, in, 0)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Scan{End: int64(len(in)), Lines: 7}, scan); diff != "" {
		t.Errorf("scan (-want +got):\n%s", diff)
	}
}

// Each record of a message has its usage so far, and what a cache had costs no new reading.
func TestTokens(t *testing.T) {
	used := func(id string, wrote int, content any) map[string]any {
		usage := block{"input_tokens": 3, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 9000, "output_tokens": wrote}
		return map[string]any{"id": id, "role": "assistant", "content": []any{content}, "usage": usage}
	}
	in := rec("user", "u1", 1, "fire the kiln") +
		rec("assistant", "a1", 2, nil, "message", used("m1", 2, say("I fire it."))) +
		rec("assistant", "a2", 3, nil, "message", used("m1", 40, use("t1", "Bash", block{"command": "fire"}))) +
		rec("user", "r1", 4, []any{result("t1", "hot")}) +
		rec("assistant", "a3", 5, nil, "message", used("m2", 10, say("It is hot."))) +
		rec("user", "u2", 6, "and now?") +
		rec("assistant", "a4", 7, []any{say("Wait.")})
	turns, _ := read(t, in, 0)
	if len(turns) != 2 || turns[0].Tokens != 143+113 || turns[0].Actions[0].Tokens != 143 || turns[1].Tokens != 0 {
		t.Errorf("turns = %+v, want 256 tokens, 143 at the call, and none", turns)
	}
}

// brief is what the tables below compare of a turn.
type brief struct {
	Prompt, Said, Did string
	Agent             string
	Interrupted       bool
}

func briefs(turns []Turn) []brief {
	var out []brief
	for _, turn := range turns {
		var did []string
		for _, a := range turn.Actions {
			did = append(did, a.Tool+map[bool]string{true: "!"}[a.Failed]+map[bool]string{true: "?"}[a.Refused]+"="+a.Output)
		}
		out = append(out, brief{
			turn.Prompt, strings.Join(turn.Replies, "|"), strings.Join(did, "|"), turn.Agent, turn.Interrupted,
		})
	}
	return out
}

func TestReadTurns(t *testing.T) {
	first := rec("user", "u1", 1, "one")
	answer := rec("assistant", "a1", 2, []any{say("1")})
	second := rec("user", "u2", 3, "two") + rec("assistant", "a2", 4, []any{say("2")})
	bash := use("t1", "Bash", block{"command": "true"})
	both := []brief{{Prompt: "one", Said: "1"}, {Prompt: "two", Said: "2"}}
	tests := []struct {
		name string
		in   string
		want []brief
	}{
		{"empty", "", nil},
		{"two turns", first + answer + second, both},
		{"unknown kinds", `{"type":"hologram","message":[1]}` + "\n" + first + answer + `{"type":7}` + "\n" + second, both},
		{"rubbish between", "// a comment\n" + first + "\x00\xff\x1f\n{\n[]\nnull\n" + answer + "\n\r\n" + second, both},
		{"torn line between", first + answer + strings.TrimSpace(second)[:40] + "\n" + second, both},
		{"half a prompt", first + answer + `{"type":"user","uuid":"x","message":{"content":"torn"}` + "\n" + second, both},
		{"no newline at the end", first + answer + strings.TrimSpace(second), both},
		{"carriage returns", strings.ReplaceAll(first+answer+second, "\n", "\r\n"), both},
		{"answer without a prompt", answer + second, both[1:]},
		{"wrong types", `{"type":"user","uuid":1,"message":{"content":{"a":1}}}` + "\n" + `{"type":"user","message":"x","timestamp":5}` + "\n" +
			`{"type":"assistant","message":{"content":[1,null,{"type":3},{"type":"text","text":{}}]}}` + "\n" + second, both[1:]},
		{"missing fields", `{"type":"user","message":{"content":"one"}}` + "\n" +
			`{"type":"assistant","message":{"content":"1"}}` + "\n", both[:1]},
		{"texts and pictures", rec("user", "u", 1, []any{say("see"), block{"type": "image", "source": block{"data": "AAAA"}}, say("this")}),
			[]brief{{Prompt: "see\nthis"}}},
		{"picture alone ends the turn", first + answer + rec("user", "u", 3, []any{block{"type": "image"}}) +
			rec("assistant", "a", 4, []any{say("a cat")}), both[:1]},
		{"reminders", rec("user", "u", 1, "<system-reminder>be brief</system-reminder>one") + answer, both[:1]},
		{"only a reminder", first + rec("user", "u", 1, "<system-reminder>be brief</system-reminder>") + answer, both[:1]},
		{"meta", first + rec("user", "u", 1, "Launching skill", "isMeta", true) + answer, both[:1]},
		{"notification goes on", first + rec("user", "u", 2, "<task-notification>x</task-notification>") + answer, both[:1]},
		{"unknown author goes on", first + rec("user", "u", 2, "wake up", "origin", block{"kind": "loop"}) + answer, both[:1]},
		{"system source goes on", first + rec("user", "u", 2, "wake up", "promptSource", "system") + answer, both[:1]},
		{"human and sdk", rec("user", "u1", 1, "one", "origin", block{"kind": "human"}, "promptSource", "typed") + answer +
			rec("user", "u2", 3, "two", "promptSource", "sdk") + rec("assistant", "a2", 4, []any{say("2")}), both},
		{"local command goes on", first + rec("user", "u", 2, "<command-name>/cost</command-name>") +
			rec("user", "u", 2, "<local-command-stdout>1 $</local-command-stdout>") + answer, both[:1]},
		{"custom command", first + answer + rec("user", "u", 3, "<command-message>x</command-message>\n<command-name>/x</command-name>") +
			rec("assistant", "b", 3, []any{say("did x")}) + second, []brief{both[0], {Prompt: "/x", Said: "did x"}, both[1]}},
		{"bash mode ends the turn", first + answer + rec("user", "u", 3, "<bash-input>ls</bash-input>") +
			rec("user", "u", 3, "<bash-stdout>a</bash-stdout>") + rec("assistant", "b", 3, []any{say("a file")}) + second, both},
		{"other session ends the turn", first + answer + rec("user", "u", 3, "Another Claude session sent a message:\nhi",
			"isMeta", true, "origin", block{"kind": "peer"}) + rec("assistant", "b", 3, []any{say("hi")}) + second, both},
		{"interruption", first + answer + rec("user", "u", 3, []any{say("[Request interrupted by user]")}) + second,
			[]brief{{Prompt: "one", Said: "1", Interrupted: true}, both[1]}},
		{"API error", first + rec("assistant", "a", 2, []any{say("API Error: 500")}, "isApiErrorMessage", true) + answer, both[:1]},
		{"synthetic reply", first + rec("assistant", "a", 2, nil, "message", block{"model": "<synthetic>", "content": []any{say("No response")}}) +
			answer, both[:1]},
		{"attachments and requests", first + `{"type":"attachment","attachment":{"content":["CTX"]}}` + "\n" +
			`{"type":"api-request-blob","message":{"role":"user","content":"x"}}` + "\n" + answer, both[:1]},
		{"repeated blocks", first + rec("assistant", "a1", 2, nil, "message", streamed("m1", say("1"))) +
			rec("assistant", "a2", 2, nil, "message", streamed("m1", say("1"), bash)) +
			rec("assistant", "a3", 2, nil, "message", streamed("m1", bash)), []brief{{Prompt: "one", Said: "1", Did: "Bash="}}},
		{"same words in two messages", first + rec("assistant", "a1", 2, nil, "message", streamed("m1", say("ok"))) +
			rec("assistant", "a2", 2, nil, "message", streamed("m2", say("ok"))), []brief{{Prompt: "one", Said: "ok|ok"}}},
		{"prompt between results", first + rec("assistant", "a1", 2, []any{bash, use("t2", "Read", block{})}) +
			rec("user", "r1", 3, []any{result("t1", "fine")}) + rec("user", "u2", 4, "two") + rec("user", "r2", 5, []any{failure("t2", "gone")}) +
			rec("assistant", "a2", 6, []any{say("2")}), []brief{{Prompt: "one", Did: "Bash=fine|Read!=gone"}, both[1]}},
		{"call without a result", first + rec("assistant", "a1", 2, []any{bash}) + second + rec("user", "u3", 5, "three"),
			[]brief{{Prompt: "one", Did: "Bash="}, both[1], {Prompt: "three"}}},
		{"result twice", first + rec("assistant", "a1", 2, []any{bash}) + rec("user", "r1", 3, []any{result("t1", "fine")}) +
			rec("user", "r2", 4, []any{failure("t1", "again")}), []brief{{Prompt: "one", Did: "Bash=fine"}}},
		{"result of an unknown call", first + rec("user", "r", 2, []any{result("t9", "x"), say("aside")}) + answer, both[:1]},
		{"refused and failed", first + rec("assistant", "a1", 2, []any{bash, use("t2", "Edit", nil), use("t3", "Edit", nil)}) +
			rec("user", "r", 3, []any{failure("t1", "The user doesn't want to proceed with this tool use. The tool use was rejected"),
				result("t2", "<tool_use_error>not found</tool_use_error>"), result("t3", "done")}),
			[]brief{{Prompt: "one", Did: "Bash?=The user doesn't want to proceed with this tool use. The tool use was rejected|Edit!=not found|Edit=done"}}},
		{"side chain of older clients", first + rec("user", "x1", 2, "count", "isSidechain", true, "parentUuid", nil) +
			rec("assistant", "a0", 2, []any{say("I ask")}) +
			rec("assistant", "x2", 3, []any{say("5")}, "isSidechain", true, "parentUuid", "x1") +
			rec("assistant", "a1", 4, []any{say("done")}) + second,
			[]brief{{Prompt: "one", Said: "I ask|done"}, {Prompt: "count", Said: "5"}, both[1]}},
		{"file of a sub-agent", rec("user", "x1", 2, "count", "isSidechain", true, "agentId", "a7") +
			rec("assistant", "x2", 3, []any{say("5")}, "isSidechain", true, "agentId", "a7", "attributionAgent", "Explore") +
			rec("user", "x3", 4, "again", "isSidechain", true, "agentId", "a7"),
			[]brief{{Prompt: "count", Said: "5", Agent: "Explore"}, {Prompt: "again", Agent: "a7"}}},
		{"prompt in several records", rec("user", "u1", 1, []any{say("<ide_opened_file>x</ide_opened_file>")}, "parentUuid", nil) +
			rec("user", "u2", 1, []any{say("one")}, "parentUuid", "u1") + rec("user", "u3", 1, []any{block{"type": "image"}}, "parentUuid", "u2") +
			rec("user", "u4", 1, []any{say("more")}, "parentUuid", "u3") + answer, []brief{{Prompt: "one\nmore", Said: "1"}}},
		{"copy on resume", first + answer + second +
			rec("user", "c1", 1, "one", "parentUuid", nil) + rec("assistant", "c2", 2, []any{say("1")}, "parentUuid", "c1") +
			rec("user", "c3", 3, "two", "parentUuid", "c2") + rec("assistant", "c4", 4, []any{say("2")}, "parentUuid", "c3") +
			rec("user", "u5", 5, "three", "parentUuid", "c4"), append(both[:2:2], brief{Prompt: "three"})},
		{"copy of the last turn", first + answer + rec("user", "c1", 1, "one", "parentUuid", "a1") + rec("assistant", "c2", 2, []any{say("1")}),
			both[:1]},
		{"clock set back", second + rec("user", "u1", 1, "one", "parentUuid", "a2") + answer, []brief{both[1], both[0]}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turns, _ := read(t, tt.in, 0)
			if diff := cmp.Diff(tt.want, briefs(turns)); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadTurnsMakesIDs(t *testing.T) {
	line := `{"type":"user","sessionId":"s1","timestamp":"2026-02-10T12:00:00Z","message":{"content":"one"}}` + "\n"
	first, _ := read(t, line, 0)
	again, _ := read(t, "\n"+line, 0)
	other, _ := read(t, strings.Replace(line, "one", "two", 1), 0)
	if first[0].ID == "" || first[0].ID != again[0].ID || first[0].ID == other[0].ID {
		t.Errorf("ids %q, %q and %q: want the first two equal", first[0].ID, again[0].ID, other[0].ID)
	}
}

func TestReadTurnsSummary(t *testing.T) {
	summary := func(id, words string) string {
		return rec("user", id, 2, words, "isCompactSummary", true, "isVisibleInTranscriptOnly", true)
	}
	first, second := rec("user", "u1", 1, "one"), rec("user", "u2", 3, "two")
	command := rec("user", "c1", 2, "<command-message>x</command-message>")
	long := strings.Repeat("é", maxSummary)
	tests := []struct {
		name, in string
		want     []string // of each turn
	}{
		{"none", first + second, []string{"", ""}},
		{"after a turn", first + summary("s1", "so far") + second, []string{"so far", ""}},
		{"at the end", first + second + summary("s1", "so far"), []string{"", "so far"}},
		{"within a turn", first + summary("s1", "so far") + rec("assistant", "a1", 4, []any{say("1")}), []string{"so far"}},
		{"twice", first + summary("s1", "so far") + summary("s2", "further"), []string{"further"}},
		{"after a command", first + command + summary("s1", "so far"), []string{"so far"}},
		{"reminders in it", first + summary("s1", "so\n<system-reminder>\nbe brief</system-reminder>far"), []string{"so\nfar"}},
		{"before any turn", summary("s1", "so far") + first, []string{""}},
		{"long", first + summary("s1", "begins "+long+" ends"), []string{"begins …é ends"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turns, _ := read(t, tt.in, 0)
			var got []string
			for _, turn := range turns {
				if len(turn.Summary) > maxSummary {
					t.Errorf("summary of %d bytes", len(turn.Summary))
				}
				got = append(got, strings.ReplaceAll(strings.ReplaceAll(turn.Summary, "é", ""), "\n…\n", "…é"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("summaries (-want +got):\n%s", diff)
			}
			if last := turns[len(turns)-1]; last.Stop != int64(len(tt.in)) {
				t.Errorf("last turn reaches to %d, want %d", last.Stop, len(tt.in))
			}
		})
	}
}

// Reading in two parts, cut anywhere, must find what reading at once finds.
func TestReadTurnsResumes(t *testing.T) {
	in := rec("user", "u1", 1, "one") +
		rec("user", "x1", 2, "count", "isSidechain", true, "parentUuid", nil) +
		rec("assistant", "x2", 3, []any{say("5")}, "isSidechain", true, "parentUuid", "x1") +
		rec("assistant", "a1", 3, []any{say("1"), use("t1", "Bash", block{"command": "true"})}) +
		"not a record\n" +
		rec("user", "u2", 4, "two") +
		rec("user", "r1", 5, []any{result("t1", "late")}) +
		rec("assistant", "a2", 6, []any{say("2")})
	want, whole := read(t, in, 0)
	for split := range len(in) + 1 {
		head, scan := read(t, in[:split], 0)
		if scan.End > int64(split) || scan.Offset > scan.End {
			t.Fatalf("cut at %d: scan %+v", split, scan)
		}
		tail, rest := read(t, in, scan.Offset)
		if rest.End != whole.End || rest.Offset != whole.Offset {
			t.Fatalf("cut at %d: ended at %+v, want %+v", split, rest, whole)
		}
		got := map[string]Turn{}
		for _, turn := range append(head, tail...) {
			got[turn.ID] = turn
		}
		for _, turn := range want {
			if diff := cmp.Diff(turn, got[turn.ID]); diff != "" {
				t.Fatalf("cut at %d, turn %s (-want +got):\n%s", split, turn.ID, diff)
			}
		}
	}
}

func TestReadTurnsLeavesHalfLine(t *testing.T) {
	whole := rec("user", "u1", 1, "one")
	_, scan := read(t, whole+strings.TrimSuffix(rec("user", "u2", 2, "two"), "}\n"), 0)
	if diff := cmp.Diff(Scan{End: int64(len(whole)), Lines: 1}, scan); diff != "" {
		t.Errorf("scan (-want +got):\n%s", diff)
	}
}

// endless holds n bytes of text, none of them in memory for long.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.n)], strings.Repeat("x", 4096))
	e.n -= n
	return n, nil
}

func TestReadTurnsLongLines(t *testing.T) {
	first, second := rec("user", "u1", 1, "one"), rec("user", "u2", 2, strings.Repeat("long ", 2<<20))
	in := io.MultiReader(strings.NewReader(first+`{"type":"user","x":"`), &endless{maxLine}, strings.NewReader("\"}\n"+second))
	var prompts []int
	scan, err := ReadTurns(in, 0, func(turn Turn) error {
		prompts = append(prompts, len(turn.Prompt))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{3, maxText - 1}, prompts); diff != "" {
		t.Errorf("lengths of prompts (-want +got):\n%s", diff)
	}
	if scan.Lines != 3 || scan.Skipped != 1 {
		t.Errorf("scan = %+v, want 3 lines, 1 skipped", scan)
	}
}

func TestReadTurnsBounds(t *testing.T) {
	long := strings.Repeat("é", maxInput)
	turns, _ := read(t, rec("user", "u1", 1, "one")+
		rec("assistant", "a1", 2, []any{use("t1", "Write", block{"file_path": "/home/dev/a", "content": long, "list": []string{long}})})+
		rec("user", "r1", 3, []any{result("t1", "head "+long+" tail")}), 0)
	action := turns[0].Actions[0]
	if len(action.Input) > maxInput || !json.Valid([]byte(action.Input)) || !strings.Contains(action.Input, `"/home/dev/a"`) {
		t.Errorf("input has %d bytes: %.200s", len(action.Input), action.Input)
	}
	out := action.Output
	if len(out) > maxOutput || !strings.HasPrefix(out, "head é") || !strings.HasSuffix(out, "é tail") || strings.Contains(out, "\uFFFD") {
		t.Errorf("output has %d bytes: %.40s", len(out), out)
	}
}

func TestReadTurnsErrors(t *testing.T) {
	first, second := rec("user", "u1", 1, "one"), rec("user", "u2", 2, "two")
	broken := errors.New("disk on fire")
	tests := []struct {
		name string
		in   io.Reader
		fail string // prompt whose turn is not taken
		want string
		from int64
	}{
		{"reader", io.MultiReader(strings.NewReader(first+second[:9]), iotest.ErrReader(broken)), "", "read transcript: disk on fire", 0},
		{"first turn", strings.NewReader(first + second), "one", "no one", 0},
		{"last turn", strings.NewReader(first + second), "two", "no two", int64(len(first))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scan, err := ReadTurns(tt.in, 0, func(turn Turn) error {
				if turn.Prompt == tt.fail {
					return fmt.Errorf("no %s", tt.fail)
				}
				return nil
			})
			if err == nil || err.Error() != tt.want || scan.Offset != tt.from {
				t.Errorf("ReadTurns = %+v, %v; want offset %d, %s", scan, err, tt.from, tt.want)
			}
		})
	}
}

func FuzzReadTurns(f *testing.F) {
	f.Add(rec("user", "u1", 1, "one")+rec("assistant", "a1", 2, []any{use("t1", "Bash", block{"command": "true"})}), uint16(40))
	f.Add(rec("user", "r1", 3, []any{failure("t1", "no")})+rec("user", "x", 2, "sub", "isSidechain", true, "parentUuid", nil), uint16(7))
	f.Fuzz(func(t *testing.T, in string, at uint16) {
		offset := min(int64(at), int64(len(in)))
		turns, scan := read(t, in, offset)
		if scan.Offset < offset || scan.Offset > scan.End || scan.End > int64(len(in)) || scan.Skipped > scan.Lines {
			t.Fatalf("scan %+v of %d bytes from %d", scan, len(in), offset)
		}
		for _, turn := range turns {
			if turn.Start < offset || turn.Stop <= turn.Start || turn.Stop > scan.End || turn.ID == "" || turn.Prompt == "" {
				t.Errorf("turn %+v", turn)
			}
		}
		again, _ := read(t, in, offset)
		if diff := cmp.Diff(turns, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("read twice:\n%s", diff)
		}
	})
}
