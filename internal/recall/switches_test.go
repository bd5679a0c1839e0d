package recall

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// markers are words that only memories of one source have: whatever block has one has text of that
// source.
var markers = map[memory.Source][]string{
	memory.Handoffs: {"quokka", "wallaby", "numbat"}, memory.Journal: {"walrus", "narwhal"}, memory.Episodes: {"ep-mark", "heron"},
	memory.Thinking: {"osprey"}, memory.Preferences: {"marmot"}, memory.Patterns: {"ibex"}, memory.Failures: {"lemur"},
	memory.Goals: {"tapir"}, memory.Registry: {"gecko"}, memory.Inbox: {"puffin"}, memory.Team: {"otter"},
}

// switchedStore has a session with a memory of each source that a brief is made of, a later one that
// says nothing about it, and a memory of every other source. All are about the irrigation of a garden.
func switchedStore(t *testing.T) (*Recall, memory.Project) {
	t.Helper()
	home, file := shared(t)
	of := func(src memory.Source, minute int, title, text string, fields map[string]string) memory.Memory {
		m := memory.Memory{ID: fmt.Sprintf("%s%d", src.Prefix(), minute), Source: src, Title: title, Text: text, Fields: fields, OccurredAt: now.Add(-48*time.Hour + time.Duration(minute)*time.Minute)}
		m.SetHome(home)
		return m
	}
	in := func(m memory.Memory) memory.Memory {
		m.Session, m.Turn = "garden", fmt.Sprintf("t%d", m.OccurredAt.Minute())
		return m
	}
	tagged := in(of(memory.Journal, 2, "probes report millibar, says the walrus", "", map[string]string{"rationale": "narwhal"}))
	tagged.Tags, tagged.Origin = []string{memory.TagDecision}, memory.OriginUser
	shared := of(memory.Team, 9, "the moisture probe floods bed seven, says the otter", "Otter.", nil)
	shared.Origin, shared.Evidence, shared.Turn, shared.Tags = memory.OriginTeam, file, "dec-1", []string{memory.TagKind + "decision", memory.TagBy + "Ana"}
	wish := of(memory.Preferences, 5, memory.TitleWants+"never commit the moisture probe of bed seven, by the marmot", "", nil)
	wish.Origin, wish.Importance = memory.OriginUser, memory.High
	return openMeaning(t,
		in(of(memory.Episodes, 1, "the irrigation controller floods bed seven, by ep-mark", "Outcome: the moisture probe of bed seven is a heron.", nil)),
		tagged,
		in(of(memory.Thinking, 3, "Cause: the moisture probe of bed seven is an osprey", "The osprey reads the moisture probe of bed seven.", nil)),
		in(of(memory.Handoffs, 4, "Irrigation controller quokka", "", map[string]string{"open": "wallaby of bed nine (turn 3)", "next": "numbat (turn 3)", "cause": "bed seven was a wallaby (turn 1)"})),
		wish,
		of(memory.Patterns, 6, "the moisture probe of bed seven is commited by the ibex", "Ibex.", nil),
		of(memory.Failures, 7, "`git commit` fails: lemur in the moisture probe of bed seven → `git commit -n`", "", map[string]string{"error": "lemur", "fix": "`git commit -n` by the lemur"}),
		of(memory.Goals, 8, "replace the moisture probe of bed seven by a tapir", "", nil),
		of(memory.Registry, 10, "garden: moisture probe of bed seven, gecko", "Gecko.", nil),
		of(memory.Inbox, 11, "the moisture probe of bed seven is a puffin", "Puffin.", nil),
		shared,
	), home
}

// A way is one in which a memory's text reaches Claude.
type way struct {
	name     string
	relevant bool // by relevance
	injected func(t *testing.T, r *Recall, req request.Request) string
}

func byPrompt(prompt string, change func(*request.Request)) func(*testing.T, *Recall, request.Request) string {
	return func(t *testing.T, r *Recall, req request.Request) string {
		req.Prompt = prompt
		if change != nil {
			change(&req)
		}
		return recall(t, r, req).Context
	}
}

const flooded = "why does the irrigation controller flood bed seven, is it the moisture probe?"

var ways = []way{
	{"a prompt", true, byPrompt(flooded, nil)},
	{"a prompt in other words", true, byPrompt("please look at the watering of the garden: the plants in bed seven stand in the wet since monday, whatever the humidity sensor says", nil)},
	{"a decision", true, byPrompt("do the probes report millibar?", nil)},
	{"a prompt with a paste", true, byPrompt(flooded+"\n{\n\"a\": 1,\n\"b\": 2\n}", nil)},
	{"headings", true, byPrompt(flooded, func(r *request.Request) { r.HeadingsOnly = true })},
	{"an activity", true, byPrompt("looks good, commit it", nil)},
	{"goals", true, byPrompt("what are our goals for the moisture probe of bed seven?", nil)},
	{"past work", false, byPrompt("where were we?", nil)},
	{"what comes next", false, byPrompt("what's next?", nil)},
	{"past work on a matter", true, byPrompt("what did we decide about the millibar probes?", nil)},
	{"a task", true, byPrompt(flooded, func(r *request.Request) { r.ForTools() })},
	{"the start", false, func(t *testing.T, r *Recall, req request.Request) string {
		res, err := r.Orient(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return res.Context
	}},
	{"a call", true, func(t *testing.T, r *Recall, req request.Request) string {
		found, err := r.Bearings(t.Context(), Call{Words: "commit moisture probe bed seven millibar", Project: req.Project, Confidence: func(*memory.Memory) float64 { return 0.9 }})
		if err != nil {
			t.Fatal(err)
		}
		req.Settings.Tools.Items = 9
		return Advise(req, nil, found).Context
	}},
}

// sourceOf returns the settings of a source, to be changed.
func sourceOf(req *request.Request, src memory.Source) *config.Source {
	name := strings.ToUpper(string(src[:1])) + string(src[1:])
	return reflect.ValueOf(&req.Settings.Sources.BySource).Elem().FieldByName(name).Addr().Interface().(*config.Source)
}

// tells reports whether a block has text of a source.
func tells(block string, src memory.Source) bool {
	return slices.ContainsFunc(markers[src], func(word string) bool { return strings.Contains(strings.ToLower(block), word) })
}

// Whatever way a memory's text takes, what the user set for its source holds: whether it is on, the
// relevance that it needs, and its tokens.
func TestSwitchesHold(t *testing.T) {
	r, home := switchedStore(t)
	asked := func() request.Request {
		req := ask(t, "")
		req.Project, req.All, req.Settings = home, false, turn(t, nil, "recall.min_worth", 0)
		req.Settings.Budget.Items = 20 // what a team shared comes last
		return req
	}
	reached := map[memory.Source]bool{}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			all := w.injected(t, r, asked())
			if all == "" {
				t.Fatal("nothing is injected with the shipped settings")
			}
			for _, src := range memory.Sources {
				if !tells(all, src) {
					continue
				}
				reached[src] = true
				for name, set := range map[string]func(*config.Source){
					"off": func(s *config.Source) { s.Enabled = false }, "without tokens": func(s *config.Source) { s.Tokens = 0 },
					"to be certain": func(s *config.Source) { s.MinRelevance = 1 },
				} {
					req := asked()
					set(sourceOf(&req, src))
					if got := w.injected(t, r, req); tells(got, src) && (w.relevant || name != "to be certain") {
						t.Errorf("%s are %s, and injected:\n%s", src, name, got)
					}
				}
			}
		})
	}
	for _, src := range memory.Sources {
		if !reached[src] {
			t.Errorf("no way reached %s", src)
		}
	}
}

// A source that is off takes nothing else with it, and the explanation says so.
func TestSwitchLeavesTheRest(t *testing.T) {
	r, home := switchedStore(t)
	tests := []struct {
		name   string
		change func(*request.Request)
		of     memory.Source
		why    string
	}{
		{"off", func(r *request.Request) { r.Settings.Sources.Handoffs.Enabled = false }, memory.Handoffs, "source handoffs is off"},
		{"no tokens", func(r *request.Request) { r.Settings.Sources.Handoffs.Tokens = 0 }, memory.Handoffs, ""},
		{"relevance", func(r *request.Request) { r.Settings.Sources.Handoffs.MinRelevance = 1 }, memory.Handoffs, api.OutcomeTooLow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, flooded)
			req.Project = home
			tt.change(&req)
			res := recall(t, r, req)
			if tells(res.Context, tt.of) || !tells(res.Context, memory.Journal) || !tells(res.Context, memory.Episodes) {
				t.Errorf("want the session without %s:\n%s", tt.of, res.Context)
			}
			if got := found(t, res, "hand-4").Outcome; !strings.HasPrefix(got, tt.why) {
				t.Errorf("explained as %q, want %q", got, tt.why)
			}
		})
	}
}
