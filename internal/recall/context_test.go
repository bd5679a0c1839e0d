package recall

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
)

// exhausted is a prompt with five words to look for.
const exhausted = "connection pool exhausted migration checksum"

// turnOf makes a turn of a session, so many minutes after its beginning.
func turnOf(session string, minute int, text string) memory.Memory {
	m := inbox(turnID(session, minute), text, "")
	m.Source, m.Session = memory.Episodes, session
	m.OccurredAt = now.Add(-10 * day).Add(time.Duration(minute) * time.Minute)
	return m
}

func turnID(session string, minute int) string { return fmt.Sprintf("ep-%s-%04d", session, minute) }

// talk makes a session of n turns, of which texts gives those that have words
// of a prompt.
func talk(session string, n int, texts map[int]string) []memory.Memory {
	ms := make([]memory.Memory, n)
	for i := range ms {
		text := texts[i]
		if text == "" {
			text = fmt.Sprintf("Chatter %s%d", session, i)
		}
		ms[i] = turnOf(session, i, text)
	}
	return ms
}

// scoredFor returns the scored candidates for a request, of which each retriever hands on so many.
func scoredFor(t *testing.T, r *Recall, req request.Request, limit int) *scored {
	t.Helper()
	q, why := newQuery(&question{req: &req}, prompt.Reading{Question: req.Prompt})
	if why != "" {
		t.Fatal(why)
	}
	q.all, q.limit = req.All, limit
	got, err := r.scoreQuery(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func idsOf(found []*candidate) []string {
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = c.id
	}
	slices.Sort(ids)
	return ids
}

// searchIDs lists what a search finds, in its order.
func searchIDs(t *testing.T, r *Recall, req request.Request) []string {
	t.Helper()
	results, err := r.Search(t.Context(), req, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range results {
		ids = append(ids, f.Memory.ID)
	}
	return ids
}

// minutes lists the ids of turns of a session, both ends included.
func minutes(session string, from, to int) []string {
	var ids []string
	for i := from; i <= to; i++ {
		ids = append(ids, turnID(session, i))
	}
	return ids
}

// The answer has no word of the prompt; the turn of another session that it
// is ranked above has one.
func TestAnswerBesideItsQuestion(t *testing.T) {
	r := open(t, append(
		talk("s", 2, map[int]string{0: "Why is the connection pool exhausted?", 1: "Rows were never closed."}),
		talk("u", 1, map[int]string{0: "A swimming pool was built in town."})...)...)
	req := ask(t, exhausted)
	want := []string{turnID("s", 0), turnID("s", 1), turnID("u", 0)}
	if diff := cmp.Diff(want, searchIDs(t, r, req)); diff != "" {
		t.Errorf("Search (-want +got):\n%s", diff)
	}
	answer := found(t, recall(t, r, req), turnID("s", 1))
	if len(answer.Matched) > 0 || answer.BM25Rank != 0 || answer.VectorRank != 0 {
		t.Errorf("the answer was found by itself: %+v", answer)
	}
	for _, p := range answer.Parts {
		if context := p.Name == "neighbour" || p.Name == "session" || p.Name == "whole_session"; context != (p.Value > 0) && p.Name != "length" && p.Name != "size" && p.Name != "everyday" && p.Name != "bias" {
			t.Errorf("%s of the answer is %v", p.Name, p.Value)
		}
	}
}

// How far from the turns with the words others become candidates.
func TestReach(t *testing.T) {
	var five []memory.Memory
	for i := range 5 {
		words := strings.Fields(exhausted)[:5-i]
		five = append(five, talk(fmt.Sprint(i), 41, map[int]string{20: strings.Join(words, " ")})...)
	}
	var forty []memory.Memory
	var nearest []string
	for i := range 40 {
		session := fmt.Sprintf("s%02d", i)
		forty = append(forty, talk(session, 3, map[int]string{1: exhausted})...)
		if i < 32 {
			nearest = append(nearest, minutes(session, 0, 2)...)
		} else {
			nearest = append(nearest, turnID(session, 1))
		}
	}
	tests := []struct {
		name     string
		memories []memory.Memory
		want     []string
	}{
		{"sixteen turns on both sides", talk("s", 41, map[int]string{20: exhausted}), minutes("s", 4, 36)},
		{"the session is shorter", talk("s", 9, map[int]string{3: exhausted}), minutes("s", 0, 8)},
		{"nothing has a word", talk("s", 9, nil), []string{}},
		{"two around another turn of the session", talk("s", 41, map[int]string{1: exhausted, 30: "connection pool"}),
			slices.Concat(minutes("s", 0, 17), minutes("s", 28, 32))},
		{"two turns whose surroundings overlap", talk("s", 41, map[int]string{1: exhausted, 17: "connection pool"}),
			minutes("s", 0, 19)},
		{"two in all but the best three sessions", five, slices.Concat(
			minutes("0", 4, 36), minutes("1", 4, 36), minutes("2", 4, 36), minutes("3", 18, 22), minutes("4", 18, 22))},
		{"a memory without a session takes no session's place", append(five[:3*41:3*41], inbox("note-a", exhausted, "")), slices.Concat(
			minutes("0", 4, 36), minutes("1", 4, 36), minutes("2", 4, 36), []string{"note-a"})},
		{"none around a turn that is not among the best", forty, nearest},
		{"no session", []memory.Memory{inbox("note-a", exhausted, ""), inbox("note-b", "Chatter", "")}, []string{"note-a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			if diff := cmp.Diff(tt.want, idsOf(scoredFor(t, r, ask(t, exhausted), hitsOfRetriever).relevant)); diff != "" {
				t.Errorf("candidates (-want +got):\n%s", diff)
			}
		})
	}
}

// What may not be injected is not, because it stands beside what may.
func TestNeighboursHeldBack(t *testing.T) {
	ms := talk("s", 6, map[int]string{2: exhausted})
	ms[4].SetHome(other)
	fresh := inbox("note-fresh", "Corrected", "")
	fresh.Supersedes = []string{turnID("s", 1)}
	goal := turnOf("s", 6, "Goal")
	goal.Source = memory.Goals
	r := open(t, append(ms, fresh, goal)...)
	if _, err := r.Store.Delete(now, turnID("s", 3)); err != nil { // the index does not know yet
		t.Fatal(err)
	}
	id := func(minute int) string { return turnID("s", minute) }
	tests := []struct {
		name   string
		filter request.Filter
		want   []string
	}{
		{"superseded and deleted", request.Filter{}, []string{id(0), id(2), id(4), id(5), id(6)}},
		{"by name of the project", request.Filter{Project: here.Name}, []string{id(0), id(2), id(5), id(6)}},
		{"by its path", request.Filter{Project: here.Path}, []string{id(0), id(2), id(5), id(6)}},
		{"by source", request.Filter{Source: memory.Goals}, []string{id(6)}},
		{"by both", request.Filter{Project: other.Name, Source: memory.Goals}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, exhausted)
			req.Filter = tt.filter
			got := searchIDs(t, r, req)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Search (-want +got):\n%s", diff)
			}
			for _, c := range scoredFor(t, r, req, hitsOfRetriever).found {
				if p := tt.filter.Project; p != "" && c.memory.Project != p && c.memory.ProjectPath != p {
					t.Errorf("%s of %s is a candidate", c.id, c.memory.Project)
				}
			}
		})
	}
	res := recall(t, r, ask(t, exhausted))
	if c := found(t, res, id(1)); c.Outcome != "superseded by note-fresh" {
		t.Errorf("the superseded turn: %s", c.Outcome)
	}
}

// A deleted turn that the index has forgotten too leaves those around it.
func TestNeighboursOfDeleted(t *testing.T) {
	r := open(t, talk("s", 5, map[int]string{2: exhausted})...)
	gone := turnID("s", 3)
	if _, err := r.Store.Delete(now, gone); err != nil {
		t.Fatal(err)
	}
	if err := r.Index.Update(nil, []string{gone}, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{turnID("s", 0), turnID("s", 1), turnID("s", 2), turnID("s", 4)}
	if diff := cmp.Diff(want, idsOf(scoredFor(t, r, ask(t, exhausted), hitsOfRetriever).relevant)); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

// However long a session is, few of its turns are looked at, and only those
// are read that may be injected.
func TestLongSession(t *testing.T) {
	const n = 3000
	all, one := map[int]string{}, map[int]string{n / 2: exhausted}
	for i := range n {
		all[i] = fmt.Sprintf("Pool %d", i)
	}
	all[n/2] = exhausted
	// Each of the best turns brings its neighbours, three of them more.
	most := hitsOfRetriever + 2*(bestTurns*len(nearness)+bestSessions*sessionReach)
	tests := []struct {
		name       string
		memories   []memory.Memory
		candidates int // candidates at most
		read       int // memories at most, when not all are asked for
	}{
		{"one turn has the words", talk("s", n, one), 2*sessionReach + 1, 1 + 2*sessionReach},
		{"all have one of them", talk("s", n, all), most, 2 * mostRead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			req := ask(t, exhausted)
			all := scoredFor(t, r, req, hitsOfRetriever)
			if len(all.relevant) > tt.candidates || len(all.byID) > tt.candidates || len(all.relevant) < tt.read {
				t.Errorf("%d candidates of %d looked at, want at most %d and more than %d", len(all.relevant), len(all.byID), tt.candidates, tt.read)
			}
			req.All = false
			if read := read(scoredFor(t, r, req, hitsOfRetriever)); read > tt.read || read == 0 {
				t.Errorf("%d memories read, want at most %d", read, tt.read)
			}
		})
	}
}

// read counts the memories that were considered for a retrieval, and so may be read.
func read(t *scored) int {
	n := 0
	for _, c := range t.byID {
		if c.considered {
			n++
		}
	}
	return n
}

// The neighbour of the best turn has one word of the prompt, which puts it
// behind so many others that it would not be read for that.
func TestWeakNeighbourIsRead(t *testing.T) {
	ms := talk("s", 2, map[int]string{0: exhausted, 1: "The swimming pool in the middle of the town was closed for repairs."})
	for i := range 2 * mostRead {
		ms = append(ms, turnOf(fmt.Sprintf("u%d", i), 0, "connection pool"))
	}
	req := ask(t, exhausted)
	req.All = false
	req.Settings.Sources.Episodes.MinRelevance = 0.1
	if got := idsOf(scoredFor(t, open(t, ms...), req, len(ms)).relevant); !slices.Contains(got, turnID("s", 1)) {
		t.Errorf("the neighbour of the best turn is no candidate: %v", got)
	}
}

// What the session adds to a candidate, checked against its definition in
// sessions and prompts made at random.
func TestContextFeatures(t *testing.T) {
	dice := rand.New(rand.NewPCG(7, 1))
	words := strings.Fields(exhausted + " swimming town weather lunch train ticket garden")
	text := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[dice.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	var ms []memory.Memory
	for s, n := range []int{1, 1, 2, 3, 5, 12} {
		texts := map[int]string{}
		for i := range n {
			texts[i] = text(1 + dice.IntN(8))
		}
		ms = append(ms, talk(fmt.Sprint(s), n, texts)...)
	}
	ms = append(ms, talk("pools", 3, map[int]string{0: "pool pool", 1: "pool pool", 2: "pool pool"})...)
	for i := range 6 {
		ms = append(ms, inbox(fmt.Sprintf("note-%d", i), text(4), ""))
	}
	r := openMeaning(t, ms...)
	prompts := []string{"pool"}
	for range 20 {
		prompts = append(prompts, text(1+dice.IntN(6)))
	}
	for _, prompt := range prompts {
		got := scoredFor(t, r, ask(t, prompt), hitsOfRetriever)
		for _, c := range got.relevant {
			checkContext(t, got, c, ms)
		}
	}
}

// checkContext compares the features that c has from its session with those
// that it should have among ms, in which a session's turns stand in order.
func checkContext(t *testing.T, got *scored, c *candidate, ms []memory.Memory) {
	t.Helper()
	var session []*candidate
	for i := range ms {
		if ms[i].Session == c.memory.Session && ms[i].Session != "" {
			session = append(session, got.byID[ms[i].ID])
		}
	}
	want := map[relevance.Feature]float64{relevance.Neighbour: 0, relevance.OfSession: 0, relevance.WholeSession: 0, relevance.Cosine: max(0, c.Cosine), relevance.Closeness: c.Closeness}
	if len(session) > 0 {
		covered := make([]float64, len(got.Clauses))
		for at, other := range session {
			if other == nil {
				continue
			}
			for i, met := range other.Met {
				covered[i] = max(covered[i], met)
			}
			switch apart := slices.Index(session, c) - at; apart {
			case -1, 1:
				want[relevance.Neighbour] += other.Features[relevance.Strength]
			case -2, 2:
				want[relevance.Neighbour] += other.Features[relevance.Strength] / 2
			}
		}
		want[relevance.Neighbour] = min(1, want[relevance.Neighbour])
		want[relevance.WholeSession] = got.scorer.ShareMet(covered)
		want[relevance.OfSession] = want[relevance.WholeSession] - c.Features[relevance.Coverage]
		want[relevance.Cosine] /= float64(len(session))
		want[relevance.Closeness] /= float64(len(session))
	}
	for f, value := range want {
		if math.Abs(c.Features[f]-value) > 1e-9 {
			t.Errorf("%q: %s of %s is %v, want %v", got.Prompt, relevance.Names[f], c.id, c.Features[f], value)
		}
		if v := c.Features[f]; f != relevance.Closeness && !(v >= 0 && v <= 1) {
			t.Errorf("%q: %s of %s is %v, want 0 to 1", got.Prompt, relevance.Names[f], c.id, v)
		}
	}
}

func TestAround(t *testing.T) {
	tests := []struct {
		name, turns, id string
		reach           int
		want            string
	}{
		{"in the middle", "a b c d e f g", "d", 2, "bcdef"},
		{"at the beginning", "a b c d e f g", "a", 2, "abc"},
		{"at the end", "a b c d e f g", "g", 2, "efg"},
		{"farther than there is", "a b c", "b", 16, "abc"},
		{"no reach", "a b c", "b", 0, "b"},
		{"several memories a turn", "ab cd e fg", "d", 1, "abcde"},
		{"not there", "a b c", "x", 2, ""},
		{"nothing there", "", "x", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var turns [][]string
			for _, turn := range strings.Fields(tt.turns) {
				turns = append(turns, strings.Split(turn, ""))
			}
			if got := strings.Join(turnsAround(turns, tt.id, tt.reach), ""); got != tt.want {
				t.Errorf("around(%s, %s, %d) = %s, want %s", tt.turns, tt.id, tt.reach, got, tt.want)
			}
		})
	}
}
