package recall

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall/request"
)

// samples are the transcripts that ship with the repository. Their README
// says what they are about.
var samples = filepath.Join("..", "..", "testdata", "transcripts", "projects")

// questions are typed weeks later, some with the words of then and some with
// others. An answer is the beginning of the title of the turn and of the
// handoff of the one session that has it; without one nothing should be injected.
var questions = []struct{ project, prompt, answer string }{
	{"orders-api", "the connection pool is exhausted again, what did we do about max_open_conns?", "checkout hangs every day around noon"},
	{"orders-api", "deploy to staging exits 1 without a message, is IMAGE_TAG missing again", "staging deploy is red since we release from tags"},
	{"orders-api", "did we decide on uuid or bigint for the primary key of orders", "support wants order links"},
	{"ingest", "a worker ignores Retry-After and is rate limited, how does the backoff with jitter work", "shops API rate limited us again"},
	{"ingest", "sales around midnight land on the wrong day in a report, which time zone do we use", "the daily totals for the vienna shop are off"},
	{"orders-api", "write a haiku about autumn leaves", ""},
	{"ingest", "convert the accordion component to typescript with storybook stories", ""},
	{"shop-ui", "explain how raft elects a leader after a network partition", ""},
}

// shown is how many candidates of a question the golden file lists.
const shown = 3

// TestRanking keeps the answers to the questions, and how good they are, in
// one file. A change of ranking shows its difference in the commit.
func TestRanking(t *testing.T) {
	r := captured(t)
	var b strings.Builder
	var q quality
	for _, question := range questions {
		req := ask(t, question.prompt)
		req.Project = sampleProject(question.project)
		res := recall(t, r, req)
		rank := answerRank(res, question.answer)
		q.add(question.answer != "", rank, len(res.Injected))
		fmt.Fprintf(&b, "%s: %s\n", question.project, question.prompt)
		for _, c := range res.Explanation.Candidates[:min(shown, len(res.Explanation.Candidates))] {
			fmt.Fprintf(&b, "  %s\n", line(c, question.answer))
		}
		fmt.Fprintf(&b, "  told: %d, %s\n\n", len(res.Injected), verdict(question.answer, rank, len(res.Injected)))
	}
	golden(t, "ranking", b.String()+q.String())
}

// captured returns a Recall over what capture makes of the samples.
func captured(t *testing.T) *Recall {
	t.Helper()
	r := open(t)
	paths, err := transcript.Files(samples)
	if err != nil {
		t.Fatal(err)
	}
	c := capture.New(t.TempDir(), r.Store, func(_ context.Context, ms []clean.Memory) error { return r.putClean(ms) })
	for _, p := range paths {
		if _, err := c.File(t.Context(), capture.Input{Path: p}, func(cwd string) memory.Project { return sampleProject(path.Base(cwd)) }); err != nil {
			t.Fatal(err)
		}
	}
	if r.Store.Len() == 0 {
		t.Fatalf("no memory in %s", samples)
	}
	return r
}

func sampleProject(name string) memory.Project {
	return memory.Project{Name: name, Path: "/home/dev/src/" + name}
}

// line shows a candidate: a star for the answer, its score and relevance, and
// what became of it.
func line(c api.Candidate, answer string) string {
	mark := " "
	if answers(c.Title, answer) {
		mark = "*"
	}
	title := []rune(c.Title)
	return fmt.Sprintf("%s score %.3f, relevance %.2f of %.2f, %s: [%s %s] %s", mark, c.Score, c.Relevance, c.Required, c.Outcome,
		c.Source.Label(), c.Project, string(title[:min(60, len(title))]))
}

func answers(title, answer string) bool { return answer != "" && strings.HasPrefix(title, answer) }

// answerRank returns the position of the first answer among what was injected,
// from 1, or 0.
func answerRank(res request.Result, answer string) int {
	for i, b := range res.Injected {
		for _, c := range res.Explanation.Candidates {
			if b.ID == c.ID && answers(c.Title, answer) {
				return i + 1
			}
		}
	}
	return 0
}

func verdict(answer string, rank, injected int) string {
	switch {
	case answer == "" && injected == 0:
		return "rightly silent"
	case answer == "":
		return "should be silent"
	case rank == 0:
		return "the answer is missing"
	}
	return fmt.Sprintf("the answer at %d", rank)
}

// quality sums up how questions were answered. Only what is injected counts: a
// candidate that was held back helps nobody.
type quality struct {
	answerable, first, five int
	reciprocal              float64
	unrelated, silent       int
}

func (q *quality) add(answerable bool, rank, injected int) {
	if !answerable {
		q.unrelated++
		if injected == 0 {
			q.silent++
		}
		return
	}
	q.answerable++
	if rank == 1 {
		q.first++
	}
	if rank >= 1 && rank <= 5 {
		q.five++
	}
	if rank > 0 {
		q.reciprocal += 1 / float64(rank)
	}
}

func (q *quality) String() string {
	n := float64(q.answerable)
	return fmt.Sprintf("Recall@1 %.2f, Recall@5 %.2f, MRR %.2f of %d questions; silent at %d of %d unrelated prompts\n",
		float64(q.first)/n, float64(q.five)/n, q.reciprocal/n, q.answerable, q.silent, q.unrelated)
}
