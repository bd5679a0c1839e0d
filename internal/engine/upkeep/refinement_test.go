package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"recollect/internal/capture"
	"recollect/internal/capture/finding"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/store/storetest"
)

// startModel starts a server that speaks Ollama's protocol and answers every
// question with answer(), or with status 500 where that is empty. It counts
// the questions.
func startModel(t *testing.T, answer func() string) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text := answer()
		if text == "" {
			http.Error(w, "out of memory", http.StatusInternalServerError)
			return
		}
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"message": {"role": "assistant", "content": %s}, "done": true}`, quoted)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// useModel has the server at url asked; more settings of [capture] may follow.
func useModel(t *testing.T, home, url, more string) {
	t.Helper()
	configure(t, home, fmt.Sprintf("[capture]\nextractor = \"ollama\"\nmodel = \"m\"\nurl = %q\n%s", url, more))
}

const wire = `{"memories": [{"turn": 1, "source": "journal", "title": "Signals are warmed by a heating wire", "evidence": "A heating wire of 40 watts keeps them dry", "confidence": 0.9}]}`

// newRefining returns a refinement over a store of its own, and a transcript
// of one turn.
func newRefining(t *testing.T, home string) (*Refinement, *store.Store, string) {
	t.Helper()
	s := storetest.Open(t, home)
	settings, err := config.NewLive(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := capture.New(filepath.Join(home, "sessions"), s, func(_ context.Context, ms []clean.Memory) error { return s.Append(ms...) })
	path := filepath.Join(home, "s1.jsonl")
	if err := os.WriteFile(path, []byte(turn("1", "how do we warm the signals?", "A heating wire of 40 watts keeps them dry.")), 0o600); err != nil {
		t.Fatal(err)
	}
	return NewRefinement(c, settings, plainly, func(string) memory.Project { return memory.Project{Name: "trains"} }, quiet), s, path
}

// A session is read once it is quiet. A model that cannot be asked is left
// alone for a while; one that answers rubbish is not asked for the same again.
func TestRefinement(t *testing.T) {
	home := t.TempDir()
	var answer atomic.Value
	answer.Store("")
	url, asked := startModel(t, func() string { return answer.Load().(string) })
	r, s, path := newRefining(t, home)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	r.Later(path, "Stop", now)
	if r.Pass(t.Context(), now.Add(time.Hour)); asked.Load() != 0 || r.Problem() != nil {
		t.Fatal("a model was asked that nobody wants")
	}
	useModel(t, home, url, "")
	r.Later(path, "SubagentStop", now)
	r.Pass(t.Context(), now.Add(time.Hour))
	r.Later(path, "Stop", now)
	r.Later(path, "Stop", now.Add(time.Minute))
	if r.Pass(t.Context(), now.Add(refineAfter)); asked.Load() != 0 {
		t.Fatal("a session was read that is not quiet")
	}
	steps := []struct {
		name   string
		after  time.Duration // since the step before
		answer string
		asked  int64 // questions so far
		stored int
		want   string // in the problem; "" for none
	}{
		{"out of memory", refineAfter + time.Minute, "", 1, 0, "out of memory"},
		{"left alone", refineAgain - time.Second, wire, 1, 0, "out of memory"},
		{"fails again", time.Second, "", 2, 0, "out of memory"},
		{"left alone for longer", 2*refineAgain - time.Second, wire, 2, 0, "out of memory"},
		{"answers", time.Second, wire, 3, 1, ""},
		{"nothing is left to ask", 24 * time.Hour, wire, 3, 1, ""},
	}
	for _, step := range steps {
		now = now.Add(step.after)
		answer.Store(step.answer)
		r.Pass(t.Context(), now)
		err := r.Problem()
		if (err == nil) != (step.want == "") || err != nil && !strings.Contains(err.Error(), step.want) || asked.Load() != step.asked || s.Len() != step.stored {
			t.Fatalf("%s: problem %v, %d questions, %d memories; want %q, %d, %d", step.name, err, asked.Load(), s.Len(), step.want, step.asked, step.stored)
		}
	}
}

func TestRefinementOfRubbish(t *testing.T) {
	home := t.TempDir()
	url, asked := startModel(t, func() string { return "I would rather not." })
	r, s, path := newRefining(t, home)
	useModel(t, home, url, "")
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r.Later(path, "Stop", now)
	r.Pass(t.Context(), now.Add(refineAfter))
	if err := r.Problem(); !errors.Is(err, finding.ErrAnswer) || s.Len() != 0 {
		t.Errorf("problem %v, %d memories", err, s.Len())
	}
	if r.Pass(t.Context(), now.Add(24*time.Hour)); asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

// A session that nobody came to read is read by the next daemon; one whose
// transcript is gone is nobody's problem.
func TestRefinementIsCaughtUp(t *testing.T) {
	home := t.TempDir()
	url, asked := startModel(t, func() string { return wire })
	r, s, path := newRefining(t, home)
	useModel(t, home, url, "")
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r.Later(path, "Stop", now)
	gone := filepath.Join(home, "gone.jsonl")
	r.revisits.Add(Revisit{Path: gone, Due: now})

	next := NewRefinement(r.capture, r.settings, plainly, r.project, quiet)
	if got := next.capture.Unrefined(); !slices.Equal(got, []string{path}) {
		t.Fatalf("Unrefined() = %q", got)
	}
	r.Pass(t.Context(), now.Add(refineAfter))
	if err := r.Problem(); err != nil || asked.Load() != 1 || s.Len() != 1 {
		t.Errorf("problem %v, %d questions, %d memories", err, asked.Load(), s.Len())
	}
	if got := next.capture.Unrefined(); len(got) != 0 {
		t.Errorf("Unrefined() = %q, want none", got)
	}
}

// As many sessions are read at once as capture.parallel says.
func TestRefinementInParallel(t *testing.T) {
	for _, want := range []int64{1, 2} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			home := t.TempDir()
			var now, most atomic.Int64
			both := make(chan struct{}, 2)
			url, _ := startModel(t, func() string {
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				if both <- struct{}{}; want == 2 {
					for len(both) < 2 && t.Context().Err() == nil {
						runtime.Gosched() // the other one is on its way
					}
				}
				return wire
			})
			r, _, path := newRefining(t, home)
			useModel(t, home, url, fmt.Sprintf("parallel = %d\n", want))
			again := filepath.Join(home, "s2.jsonl")
			if err := os.WriteFile(again, []byte(turn("2", "and how are they lit?", "A heating wire of 40 watts keeps them dry.")), 0o600); err != nil {
				t.Fatal(err)
			}
			begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			r.Later(path, "Stop", begin)
			r.Later(again, "Stop", begin)
			r.Pass(t.Context(), begin.Add(refineAfter))
			if err := r.Problem(); err != nil || most.Load() != want {
				t.Errorf("%d questions at once, problem %v; want %d", most.Load(), err, want)
			}
		})
	}
}

// configure writes a user's settings into home.
func configure(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func turn(id, prompt, reply string) string {
	return record("user", "u"+id, `"`+prompt+`"`) + record("assistant", "a"+id, `[{"type":"text","text":"`+reply+`"}]`)
}

// record is a line of a transcript; content is JSON.
func record(kind, id, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:00:00Z","message":{"id":%q,"role":%q,"content":%s}}`+"\n",
		kind, id, id, kind, content)
}

// plainly reads all of a transcript.
func plainly(path string) capture.Input { return capture.Input{Path: path} }
