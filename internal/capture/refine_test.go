package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture/finding"
	"recollect/internal/memory"
)

// A fakeModel answers each question with what it has ready, and keeps what it
// was asked.
type fakeModel struct {
	asked [][]string
	found []finding.Finding
	err   error
}

func (f *fakeModel) read(_ context.Context, turns []string) ([]finding.Finding, error) {
	f.asked = append(f.asked, turns)
	return f.found, f.err
}

func (d *desk) refine(room int, f *fakeModel) (Done, error) {
	d.t.Helper()
	return d.capture.Refine(d.t.Context(), Input{Path: d.path, Ignore: []string{"*.pem"}}, func(string) memory.Project { return memory.Project{Name: "app"} }, room, f.read)
}

// found returns what a model has added, by title.
func (d *desk) found() []string {
	var out []string
	for m := range d.store.All() {
		if slices.Contains(m.Tags, "model") {
			out = append(out, m.Title)
		}
	}
	slices.Sort(out)
	return out
}

func queueFinding(turn int) finding.Finding {
	return finding.Finding{
		Turn: turn, Source: memory.Journal, Title: "The order queue stays in Postgres", Fields: map[string]string{"rationale": "one system less to run"},
		Evidence: "the order queue stays in Postgres", Confidence: 0.9,
	}
}

const (
	queuePrompt = "so for the queue?"
	queueReply  = "As agreed the order queue stays in Postgres, one system less to run."
)

// A turn is read once, again when it has grown, and what is found twice is
// one memory.
func TestRefine(t *testing.T) {
	d := newDesk(t)
	f := &fakeModel{found: []finding.Finding{queueFinding(1)}}
	d.write(header, asked(1, poolPrompt), replied(1, poolReply), asked(2, queuePrompt), replied(2, queueReply))
	d.take(Input{})
	before := d.store.Len()
	done, err := d.refine(10_000, f)
	if err != nil || done.Added != 1 || done.Turns != 2 || d.store.Len() != before+1 {
		t.Fatalf("Refine() = %+v, %v, %d memories, had %d", done, err, d.store.Len(), before)
	}
	if diff := cmp.Diff([]string{"The order queue stays in Postgres"}, d.found()); diff != "" {
		t.Error(diff)
	}
	if text := strings.Join(f.asked[0], ""); len(f.asked) != 1 || !strings.Contains(text, "User: "+poolPrompt) || !strings.Contains(text, "Claude: "+queueReply) {
		t.Errorf("asked %q", f.asked)
	}
	if done, err := d.refine(10_000, f); err != nil || done != (Done{}) || len(f.asked) != 1 {
		t.Errorf("nothing new: %+v, %v, %d questions", done, err, len(f.asked))
	}
	d.write(replied(3, "It is called orders_queue now."))
	f.found = []finding.Finding{queueFinding(0)}
	if done, err := d.refine(10_000, f); err != nil || done.Turns != 1 || done.Added != 0 || len(f.asked) != 2 || strings.Contains(f.asked[1][0], poolPrompt) {
		t.Errorf("the last turn grew: %+v, %v, asked %q", done, err, f.asked[1:])
	}
	d.write(asked(4, "and the queue of the returns?"), replied(4, queueReply))
	if _, err := d.refine(10_000, f); err != nil || len(d.found()) != 1 {
		t.Errorf("another turn says the same: %v, %q", err, d.found())
	}
	for m := range d.store.All() {
		if slices.Contains(m.Tags, "model") && (m.Occurrences() != 2 || m.Confidence <= 0.7) {
			t.Errorf("confirmed %d times, confidence %v", m.Occurrences(), m.Confidence)
		}
	}
}

// What belongs to nobody's question is not sent: private words, secrets,
// ignored files, what tools and the web put out, our own questions.
func TestRefineSendsNoSecrets(t *testing.T) {
	d := newDesk(t)
	tool := `{"type":"assistant","uuid":"a8","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:08:05Z","message":{"id":"m8","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat prod.pem"}},{"type":"tool_use","id":"t2","name":"WebFetch","input":{"url":"https://example.com/page"}}]}}`
	results := `{"type":"user","uuid":"u9","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:09:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"words of the key"},{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"words of the web"}]}}`
	d.write(header, asked(1, "my token is ghp_0123456789abcdefghijABCDEFGHIJ012345 <private>my salary</private> so deploy it"), tool, results, replied(9, poolReply),
		asked(10, "[RECOLLECT_INTERNAL] The record: of another session"), replied(10, poolReply))
	f := &fakeModel{}
	if _, err := d.refine(10_000, f); err != nil || len(f.asked) != 1 {
		t.Fatalf("Refine() = %v, %d questions", err, len(f.asked))
	}
	text := strings.Join(f.asked[0], "")
	for _, never := range []string{"ghp_", "salary", "words of the key", "words of the web", "another session"} {
		if strings.Contains(text, never) {
			t.Errorf("%q was sent: %s", never, text)
		}
	}
	if !strings.Contains(text, "so deploy it") {
		t.Errorf("the prompt was not sent: %s", text)
	}
}

// A long session takes several questions. Those before a failure are not asked
// again; an answer that is of no use is.
func TestRefineAsksInParts(t *testing.T) {
	d := newDesk(t)
	d.write(header)
	for n := 1; n <= 6; n++ {
		d.write(asked(n, fmt.Sprintf("what does part %d of the machine do?", n)), replied(n, strings.Repeat("It turns. ", 40)))
	}
	f := &fakeModel{}
	if done, err := d.refine(1000, f); err != nil || done.Turns != 6 || len(f.asked) < 3 {
		t.Fatalf("Refine() = %+v, %v, %d questions", done, err, len(f.asked))
	}
	for _, turns := range f.asked {
		if n := len(strings.Join(turns, "")); n > 1000 {
			t.Errorf("a question of %d bytes", n)
		}
	}
	if err := os.RemoveAll(d.capture.refined.dir); err != nil {
		t.Fatal(err)
	}
	down := errors.New("connection refused")
	asks := 0
	done, err := d.capture.Refine(t.Context(), Input{Path: d.path}, func(string) memory.Project { return memory.Project{} }, 1000, func(context.Context, []string) ([]finding.Finding, error) {
		if asks++; asks == 2 {
			return nil, down
		}
		return nil, nil
	})
	if !errors.Is(err, down) || asks != 2 {
		t.Fatalf("Refine() = %+v, %v after %d questions", done, err, asks)
	}
	all := len(f.asked)
	f.asked = nil
	if _, err := d.refine(1000, f); err != nil || len(f.asked) != all-1 {
		t.Errorf("after a failure: %v, %d questions, want %d", err, len(f.asked), all-1)
	}
	if err := os.RemoveAll(d.capture.refined.dir); err != nil {
		t.Fatal(err)
	}
	f = &fakeModel{err: fmt.Errorf("%w: I cannot help", finding.ErrAnswer)}
	if _, err := d.refine(1000, f); !errors.Is(err, finding.ErrAnswer) || len(f.asked) != all {
		t.Errorf("useless answers: %v, %d questions, want %d", err, len(f.asked), all)
	}
	if _, err := d.refine(1000, f); err != nil || len(f.asked) != all {
		t.Errorf("useless answers are asked for again: %v, %d questions", err, len(f.asked))
	}
}

// Where the rules found the same, it is not told twice: their memory gains
// what it lacks and keeps its words.
func TestRefineAddsToTheRules(t *testing.T) {
	d := newDesk(t)
	prompt := "We decided to use Postgres for the queue instead of Redis. Now write the migration."
	d.write(header, asked(1, prompt), replied(1, poolReply))
	d.take(Input{})
	var own memory.Memory
	for m := range d.store.All() {
		if m.Source == memory.Journal {
			own = m
		}
	}
	if own.ID == "" {
		t.Fatal("the rules find no decision")
	}
	f := &fakeModel{found: []finding.Finding{{
		Source: memory.Journal, Title: "The queue uses Postgres and not Redis", Evidence: "decided to use Postgres for the queue",
		Fields: map[string]string{"rationale": "the migration comes now"}, Confidence: 0.8,
	}}}
	before := d.store.Len()
	if _, err := d.refine(10_000, f); err != nil || d.store.Len() != before {
		t.Fatalf("Refine() = %v, %d memories, had %d", err, d.store.Len(), before)
	}
	now, err := d.store.Get(own.ID)
	if err != nil || now.Title != own.Title || now.Fields["rationale"] != "the migration comes now" || now.Fields["alternatives"] != own.Fields["alternatives"] {
		t.Errorf("%+v, %v", now, err)
	}
	if _, err := d.store.Delete(own.OccurredAt, own.ID); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(d.capture.refined.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := d.refine(10_000, f); err != nil || d.store.Len() != before-1 {
		t.Errorf("what was forgotten came back: %v, %d memories", err, d.store.Len())
	}
}

func TestUnrefined(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), replied(1, poolReply))
	if got := d.capture.Unrefined(); len(got) != 0 {
		t.Errorf("before: %q", got)
	}
	for range 2 {
		if err := d.capture.Await(d.path); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{d.path}, d.capture.Unrefined()); diff != "" {
		t.Errorf("awaited: %s", diff)
	}
	if _, err := d.refine(10_000, &fakeModel{}); err != nil {
		t.Fatal(err)
	}
	if err := d.capture.Await(d.path); err != nil || len(d.capture.Unrefined()) != 0 {
		t.Errorf("refined: %v, %q", err, d.capture.Unrefined())
	}
	d.write(asked(2, corsPrompt), replied(2, corsReply))
	if diff := cmp.Diff([]string{d.path}, d.capture.Unrefined()); diff != "" {
		t.Errorf("grown: %s", diff)
	}
}
