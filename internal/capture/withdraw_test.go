package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A tale writes a transcript in which each record is the child of the one before it.
type tale struct {
	lines []string
	last  string
	n     int
}

func (s *tale) record(kind, id, parent, content, more string) *tale {
	s.n++
	if parent == "" {
		parent = s.last
	}
	quoted := `"` + parent + `"`
	if parent == "" {
		quoted = "null"
	}
	s.lines = append(s.lines, fmt.Sprintf(`{"parentUuid":%s,"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/src/app","timestamp":"2026-02-10T12:%02d:%02dZ"%s,"message":{"content":%s}}`,
		quoted, kind, id, s.n/60, s.n%60, more, content))
	s.last = id
	return s
}

// ask is a prompt and the reply to it. Without a parent it follows the record before it.
func (s *tale) ask(id, parent, prompt, reply string) *tale {
	s.record("user", id, parent, fmt.Sprintf("%q", prompt), "")
	return s.record("assistant", id+"a", "", fmt.Sprintf(`[{"type":"text","text":%q}]`, reply), "")
}

// edit is a prompt that is answered by an edit.
func (s *tale) edit(id, parent, prompt, file, reply string) *tale {
	s.record("user", id, parent, fmt.Sprintf("%q", prompt), "")
	s.record("assistant", id+"c", "", fmt.Sprintf(`[{"type":"tool_use","id":"%st","name":"Edit","input":{"file_path":"/src/app/%s","old_string":"a","new_string":"b"}}]`, id, file), "")
	s.record("user", id+"r", "", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"%st","content":"ok"}]`, id), "")
	return s.record("assistant", id+"a", "", fmt.Sprintf(`[{"type":"text","text":%q}]`, reply), "")
}

const (
	redisWish  = "from now on always use Redis for queues in this repo, never cron"
	redisReply = "I will use Redis for every queue of this repository and leave cron alone from here on."
	logWish    = "from now on always write the log as JSON, never as plain text"
	logReply   = "The log is JSON from here on, one object a line, and plain text is gone from the writers."
)

// What was taken back is not known any more, however the transcript was read, and what stands is.
func TestTakenBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	start := func() *tale {
		return (&tale{}).edit("t1", "", "set up the skeleton of the job runner", "main.go", "The skeleton of the job runner stands in main.go, with one worker for each queue.")
	}
	for _, tt := range []struct {
		name       string
		in         *tale
		gone, kept []string // words of wishes
	}{
		{"nothing", start().ask("t2", "", redisWish, redisReply).ask("t3", "", logWish, logReply), nil, []string{"Redis", "JSON"}},
		{"the last turn", start().ask("t2", "", redisWish, redisReply).ask("t3", "t1a", logWish, logReply), []string{"Redis"}, []string{"JSON"}},
		{"two turns", start().ask("t2", "", redisWish, redisReply).ask("t3", "", logWish, logReply).edit("t4", "t1a", "name the worker", "worker.go", "The worker has the name of its queue now."), []string{"Redis", "JSON"}, nil},
		{"all turns", start().ask("t2", "", redisWish, redisReply).record("user", "t3", "null", `"start over with the job runner in Go"`, ""), []string{"Redis"}, nil},
		{"and said again", start().ask("t2", "", redisWish, redisReply).ask("t3", "t1a", redisWish, redisReply), nil, []string{"Redis"}},
		{"and said again later", start().ask("t2", "", redisWish, redisReply).ask("t3", "t1a", logWish, logReply).ask("t4", "", redisWish, redisReply), nil, []string{"Redis", "JSON"}},
		{"what was said before, too", start().ask("t2", "", redisWish, redisReply).ask("t3", "", logWish, logReply).ask("t4", "", redisWish, redisReply).ask("t5", "t3a", "and the docs?", "They say so."), nil, []string{"Redis", "JSON"}},
		{"twice", start().ask("t2", "", redisWish, redisReply).ask("t3", "t1a", logWish, logReply).ask("t4", "t1a", "and the docs?", "They say so."), []string{"Redis", "JSON"}, nil},
		{"and it goes on all the same", start().ask("t2", "", redisWish, redisReply).ask("t3", "t1a", logWish, logReply).ask("t4", "t2a", "and the docs?", "They say so."), []string{"JSON"}, []string{"Redis"}},
		{"before it was answered", start().record("user", "t2", "", fmt.Sprintf("%q", redisWish), "").ask("t3", "t1a", logWish, logReply), []string{"Redis"}, []string{"JSON"}},
		{"far back, after much", start().ask("t2", "", redisWish, redisReply).edit("t3", "", "name the worker", "worker.go", "The worker has the name of its queue now.").
			edit("t4", "", "count the jobs", "count.go", "The jobs are counted in count.go now.").ask("t5", "t1a", logWish, logReply), []string{"Redis"}, []string{"JSON"}},
		{"a chain that is broken", start().ask("t2", "", redisWish, redisReply).ask("t3", "gone", logWish, logReply), nil, []string{"Redis", "JSON"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := make([]string, len(tt.in.lines))
			for i, line := range tt.in.lines {
				lines[i] = strings.Replace(line, `"parentUuid":"null"`, `"parentUuid":null`, 1)
			}
			once := newDesk(t)
			once.write(lines...)
			once.take(Input{Whole: true})
			for every, d := range map[string]*desk{"each line": newDesk(t), "each line, by another daemon": newDesk(t), "each second line": newDesk(t)} {
				for i, line := range lines {
					d.write(line)
					if every == "each second line" && i%2 == 0 {
						continue
					}
					if strings.Contains(every, "another") {
						d.restart()
					}
					d.take(Input{})
				}
				d.take(Input{})
				if diff := cmp.Diff(once.known(), d.known()); diff != "" {
					t.Errorf("read at %s (-at once +so):\n%s", every, diff)
				}
				d.take(Input{Whole: true})
				if diff := cmp.Diff(once.known(), d.known()); diff != "" {
					t.Errorf("read at %s, then imported (-at once +so):\n%s", every, diff)
				}
			}
			known := strings.Join(once.known(), "\n")
			for _, word := range tt.gone {
				if strings.Contains(known, word) {
					t.Errorf("%s is still known:\n%s", word, known)
				}
			}
			for _, word := range tt.kept {
				if !strings.Contains(known, word) {
					t.Errorf("%s is not known:\n%s", word, known)
				}
			}
		})
	}
}

// known lists what the store holds, by source, title and body.
func (d *desk) known() []string {
	var out []string
	for m, err := range d.store.Everything() {
		if err != nil {
			d.t.Fatal(err)
		}
		out = append(out, string(m.Source)+": "+m.Title+" | "+m.Body())
	}
	slices.Sort(out)
	return out
}
