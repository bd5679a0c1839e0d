package consolidate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// wish is a preference that turn n states, n hours after a day began. Wishes
// of one subject, their tag, contradict each other.
func wish(n int, subject, text string) memory.Memory {
	m := memory.Memory{
		ID: fmt.Sprintf("pref-%012d", n), Source: memory.Preferences, Title: text, Tags: []string{subject}, Origin: memory.OriginUser,
		ProjectPath: "/src/app", Project: "app", Turn: fmt.Sprintf("t%d", n), Confidence: 0.6, OccurredAt: confirmDay.Add(time.Duration(n) * time.Hour),
	}
	return m
}

// byTag makes what has the same tags rivals.
var byTag = rivalry{
	keys:   func(s *node) keys { return keys{exact: slices.Clone(s.Tags)} },
	same:   func(a, b *node) bool { return slices.Equal(a.Tags, b.Tags) },
	amends: func(_, _ *node) bool { return false },
}

// consolidated returns what becomes of ms, by id.
func consolidated(ms []memory.Memory) map[string]memory.Memory { return consolidatedBy(ms, byTag) }

func consolidatedBy(ms []memory.Memory, r rivalry) map[string]memory.Memory {
	out := map[string]memory.Memory{}
	for _, m := range ms {
		out[m.ID] = m
	}
	for _, group := range byProject(ms) {
		changes, _ := consolidate(group, r)
		for _, c := range changes {
			out[c.Now.ID] = c.Now
		}
	}
	return out
}

// claims tells who supersedes whom: "3>1,2 5>4".
func claims(ms map[string]memory.Memory) string {
	var out []string
	for id, m := range ms {
		if len(m.Supersedes) > 0 {
			var olds []string
			for _, old := range m.Supersedes {
				olds = append(olds, strings.TrimLeft(old, "pref-0"))
			}
			out = append(out, strings.TrimLeft(id, "pref-0")+">"+strings.Join(olds, ","))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestConsolidate(t *testing.T) {
	with := func(m memory.Memory, change func(*memory.Memory)) memory.Memory {
		change(&m)
		return m
	}
	byHand := func(m memory.Memory) memory.Memory {
		return with(m, func(m *memory.Memory) { m.Turn, m.Confidence = "", 0 })
	}
	const tabs, spaces, two = "Use tabs for indentation", "Use spaces for indentation", "Indent by two"
	seenAgain := func(m memory.Memory, n int) memory.Memory {
		return with(m, func(m *memory.Memory) {
			m.LastSeen, m.ConfirmedBy = confirmDay.Add(time.Duration(n)*time.Hour), []string{fmt.Sprintf("t%d", n)}
		})
	}
	tests := []struct {
		name string
		in   []memory.Memory
		want string
	}{
		{"nothing to do", []memory.Memory{wish(1, "a", tabs), wish(2, "b", two)}, ""},
		{"the same in nearly the same words", []memory.Memory{wish(1, "a", tabs), wish(2, "b", "please use tabs for indentation")}, "2>1"},
		{"the one that says why", []memory.Memory{with(wish(1, "a", tabs), func(m *memory.Memory) { m.Fields = map[string]string{"rationale": "x"} }), wish(2, "b", tabs)}, "1>2"},
		{"newer on the subject", []memory.Memory{wish(1, "a", tabs), wish(2, "a", spaces)}, "2>1"},
		{"the newest replaces them all", []memory.Memory{wish(1, "a", tabs), wish(2, "a", spaces), wish(3, "a", two+" for indentation")}, "3>1,2"},
		{"said again, so newer", []memory.Memory{seenAgain(wish(1, "a", tabs), 9), wish(2, "a", spaces)}, "1>2"},
		{"said again in other words, so newer", []memory.Memory{wish(1, "a", tabs), wish(2, "a", spaces), wish(3, "a", tabs+"!")}, "3>1,2"},
		{"a twin seen last", []memory.Memory{seenAgain(wish(1, "a", tabs), 9), wish(2, "a", tabs+"!"), wish(3, "a", spaces+", for indentation")}, "2>1,3"},
		{"two projects", []memory.Memory{wish(1, "a", tabs), with(wish(2, "a", tabs), func(m *memory.Memory) { m.ProjectPath = "/src/web" })}, ""},
		{"one remote", []memory.Memory{
			with(wish(1, "a", tabs), func(m *memory.Memory) { m.ProjectRemote = "host/app" }),
			with(wish(2, "a", tabs), func(m *memory.Memory) { m.ProjectRemote, m.ProjectPath = "host/app", "/else" })}, "2>1"},
		{"another scope", []memory.Memory{wish(1, "a", tabs), with(wish(2, "b", tabs), func(m *memory.Memory) { m.AppliesTo = "*.go" })}, ""},
		{"a note of the user's is older", []memory.Memory{byHand(wish(1, "a", tabs)), wish(2, "a", spaces)}, ""},
		{"a note of the user's is newer", []memory.Memory{wish(1, "a", tabs), byHand(wish(2, "a", spaces))}, "2>1"},
		{"a note of the user's says the same", []memory.Memory{byHand(wish(1, "a", tabs)), wish(2, "b", tabs)}, "1>2"},
		{"two notes of the user's", []memory.Memory{byHand(wish(1, "a", tabs)), byHand(wish(2, "b", tabs))}, "2>1"},
		{"what a tool said does not replace the user's words", []memory.Memory{wish(1, "a", tabs),
			with(wish(2, "a", spaces), func(m *memory.Memory) { m.Origin = memory.OriginTool })}, ""},
		{"a note of the user's, then taken up again", []memory.Memory{seenAgain(wish(1, "a", tabs), 9),
			with(byHand(wish(2, "a", spaces)), func(m *memory.Memory) { m.Supersedes = []string{"pref-000000000001"} })}, ""},
		{"a claim of the user's on another subject", []memory.Memory{wish(1, "a", tabs), with(wish(2, "b", two), func(m *memory.Memory) { m.Supersedes = []string{"pref-000000000001"} })}, "2>1"},
		{"other claims are kept", []memory.Memory{with(wish(1, "a", tabs), func(m *memory.Memory) { m.Supersedes = []string{"pref-000000000007"} }), wish(2, "a", spaces)}, "1>7 2>1"},
		{"taken up again: the claim against it goes", []memory.Memory{
			seenAgain(wish(1, "a", tabs), 9), with(wish(2, "a", spaces), func(m *memory.Memory) { m.Supersedes = []string{"pref-000000000001"} })}, "1>2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := consolidated(tt.in)
			if claims(got) != tt.want {
				t.Errorf("claims %q, want %q", claims(got), tt.want)
			}
			for _, m := range tt.in {
				if now := got[m.ID]; now.Title != m.Title || now.Text != m.Text || now.Turn != m.Turn || !now.OccurredAt.Equal(m.OccurredAt) {
					t.Errorf("%s became %+v, was %+v", m.ID, now, m)
				}
			}
		})
	}
}

func TestTwinTakesOver(t *testing.T) {
	a, b := wish(1, "a", "Close the rows on every path"), wish(2, "b", "close the rows on every path!")
	a.ConfirmedBy, a.LastSeen = []string{"t2", "t7"}, confirmDay.Add(7*time.Hour)
	want := b
	want.ConfirmedBy, want.LastSeen, want.Supersedes = []string{"t1", "t7"}, a.LastSeen, []string{a.ID}
	want.Confidence = raiseConfidence(raiseConfidence(b.Confidence))
	got, merges := consolidate([]memory.Memory{a, b}, byTag)
	if diff := cmp.Diff([]Change{{Was: b, Now: want}}, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Merge{{New: b, Old: a, Twin: true}}, merges); diff != "" {
		t.Errorf("merges (-want +got):\n%s", diff)
	}
}

// randomWishes says a few things again and again, in several words, with
// changes of mind, in two projects, some by hand.
func randomWishes(r *rand.Rand) []memory.Memory {
	words := []string{"Use tabs for indentation", "please use tabs for indentation.", "Use spaces for indentation", "Answer in German", "answer in german!", "Answer in English"}
	var ms []memory.Memory
	for i := range 2 + r.IntN(12) {
		w := r.IntN(len(words))
		m := wish(i+1, fmt.Sprint(w/3), words[w])
		m.OccurredAt = confirmDay.Add(time.Duration(r.IntN(8)) * time.Hour)
		if r.IntN(8) == 0 {
			m.Turn, m.Confidence = "", 0
		}
		if r.IntN(8) == 0 {
			m.ProjectPath = "/src/web"
		}
		if r.IntN(3) == 0 {
			m.LastSeen, m.ConfirmedBy = m.OccurredAt.Add(time.Duration(r.IntN(5))*time.Hour), []string{fmt.Sprintf("t%d", 20+r.IntN(5))}
		}
		if r.IntN(3) == 0 {
			m.Fields = map[string]string{fmt.Sprint("f", r.IntN(3)): fmt.Sprint(i)}
		}
		ms = append(ms, m)
	}
	return ms
}

// randomDecisions decides a few topics again and again, with and without
// words that say so.
func randomDecisions(r *rand.Rand) []memory.Memory {
	texts := []string{
		"guests can cancel until 24 hours before arrival", "guests can cancel until 72 hours before arrival",
		"Change of plan: guests can cancel until 48 hours before arrival", "guests can cancel until 24 hours before arrival, please",
		"the nightly export goes to FTP", "the nightly export goes to S3 instead of FTP", "the nightly export no longer goes to S3: it comes by mail",
		"trap (asked: wrap or trap on integer overflow?)", "wrap (asked: wrap or trap on integer overflow?)", "trap is out",
		"Amended rule, superseding the export to FTP: the nightly export goes to Kafka", "the nightly export goes to FTP and guests can cancel",
		"Exports to FTP were a mistake", "the old policy is void: guests can cancel at the desk", "the rest stands", "guests can still cancel",
	}
	ms := randomWishes(r)
	for i := range ms {
		ms[i].Source, ms[i].Tags, ms[i].Title = memory.Journal, nil, texts[r.IntN(len(texts))]
		if ms[i].Session = fmt.Sprint("s", r.IntN(3)); r.IntN(3) == 0 {
			ms[i].Tags = []string{memory.TagRecap}
		}
	}
	return ms
}

// What becomes of a set of memories depends neither on their order nor on
// which of them were consolidated before the others came, nor on a further
// turn having been read before or after.
func TestConsolidateIsAFunctionOfTheSet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		random func(*rand.Rand) []memory.Memory
		rivals rivalry
		times  int
	}{
		{"wishes", randomWishes, byTag, 500},
		{"decisions", randomDecisions, byWords, 100},
	} {
		t.Run(tt.name, func(t *testing.T) { checkFunctionOfTheSet(t, tt.times, tt.random, tt.rivals) })
	}
}

func checkFunctionOfTheSet(t *testing.T, times int, random func(*rand.Rand) []memory.Memory, rivals rivalry) {
	consolidated := func(ms []memory.Memory) map[string]memory.Memory { return consolidatedBy(ms, rivals) }
	r := rand.New(rand.NewPCG(4, 5))
	for range times {
		ms := random(r)
		again := ms[r.IntN(len(ms))]
		again.Turn, again.OccurredAt, again.LastSeen, again.ConfirmedBy, again.Fields = "t99", confirmDay.Add(time.Duration(r.IntN(12))*time.Hour), time.Time{}, nil, nil
		learn := func(m memory.Memory) memory.Memory {
			if m.ID == again.ID {
				return Confirm(m, again, false)
			}
			return m
		}
		all := map[string]memory.Memory{}
		var whole []memory.Memory
		for _, m := range ms {
			whole = append(whole, learn(m))
		}
		want := consolidated(whole)

		at := r.IntN(len(ms) + 1)
		for step, i := range r.Perm(len(ms)) {
			all[ms[i].ID] = ms[i]
			if r.IntN(2) == 0 {
				all = consolidated(valuesOf(all))
			}
			if m, ok := all[again.ID]; ok && step >= at {
				all[again.ID] = learn(m)
			}
		}
		all[again.ID] = learn(all[again.ID])
		all = consolidated(valuesOf(all))
		if diff := cmp.Diff(want, all); diff != "" {
			t.Fatalf("step by step (-at once +got):\n%s\nof %+v", diff, ms)
		}
		if diff := cmp.Diff(all, consolidated(valuesOf(all))); diff != "" {
			t.Fatalf("a second time (-want +got):\n%s", diff)
		}
		checkClaims(t, all)
	}
}

func valuesOf(ms map[string]memory.Memory) []memory.Memory {
	var out []memory.Memory
	for _, m := range ms {
		out = append(out, m) // in any order
	}
	return out
}

// checkClaims: nothing supersedes and is superseded, over projects or over the
// user's own words.
func checkClaims(t *testing.T, ms map[string]memory.Memory) {
	t.Helper()
	for _, m := range ms {
		for _, id := range m.Supersedes {
			old := ms[id]
			if len(old.Supersedes) > 0 || old.ProjectPath != m.ProjectPath || old.Turn == "" && m.Turn != "" {
				t.Fatalf("%+v supersedes %+v", m, old)
			}
		}
	}
}

// What is on one subject shares a key, else it would never be looked at.
func TestSubjectKeys(t *testing.T) {
	texts := []string{
		"Use tabs", "Use spaces", "Use spaces instead of tabs", "Never use tabs", "Use tabs for Makefiles", "Always answer in German", "Answer in English from now on",
		"database: Postgres", "database: SQLite", "Switch to SQLite instead of Postgres", "We use pnpm", "Use yarn", "Run the linter before committing",
		"Don't run the linter before committing", "Which database? → Postgres", "Which database? → SQLite", "Keep the reports in CSV", "Keep the reports in Parquet rather than CSV",
	}
	found := 0
	for _, src := range []memory.Source{memory.Journal, memory.Preferences} {
		for i := range texts {
			for j := range texts {
				a, b := wish(1, "", texts[i]), wish(2, "", texts[j])
				a.Source, b.Source, a.Tags, b.Tags = src, src, nil, nil
				if !sameSubject(a, b) {
					continue
				}
				found++
				keys := subjectOf(b).listKeys()
				if !slices.ContainsFunc(subjectOf(a).listKeys(), func(key string) bool { return slices.Contains(keys, key) }) {
					t.Errorf("%q and %q share no key: %q, %q", texts[i], texts[j], subjectOf(a).listKeys(), keys)
				}
			}
		}
	}
	if found < 4*len(texts) {
		t.Errorf("only %d pairs of one subject", found)
	}
}

func TestConsolidateBySubject(t *testing.T) {
	ms := []memory.Memory{wish(1, "", "Use tabs"), wish(2, "", "Always answer in German"), wish(3, "", "Use spaces instead of tabs"), wish(4, "", "Answer in English from now on")}
	for i := range ms {
		ms[i].Tags = nil
	}
	_, merges := Compare(ms)
	want := []Merge{{New: ms[2], Old: ms[0]}, {New: ms[3], Old: ms[1]}}
	if diff := cmp.Diff(want, merges); diff != "" {
		t.Errorf("merges (-want +got):\n%s", diff)
	}
}
