package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// decidedIn returns the titles of what is decided in a turn.
func decidedIn(turn claudecode.Turn, before *Turn) []string {
	var out []string
	for _, m := range journal(NewTurn(turn, app, before)) {
		out = append(out, m.Title)
	}
	return out
}

func TestWaysToDecide(t *testing.T) {
	for prompt, want := range map[string]string{
		"scratch that, kafka it is":                                 "kafka",
		"ok postgres it is then":                                    "postgres",
		"fine, sqlite it is, we can migrate later":                  "sqlite",
		"forget that, redis it is. memcached cant persist":          "redis",
		"agreed: retries stay in the client, no queue":              "retries stay in the client, no queue",
		"Agreed - two tables, one per tenant":                       "two tables, one per tenant",
		"ok, bigint stays":                                          "bigint stays",
		"alright rest stays, graphql goes":                          "rest stays, graphql goes",
		"we stick with redis because ops knows it":                  "stick with redis",
		"lets stay with one repo":                                   "stay with one repo",
		"we're moving to vite, webpack is too slow":                 "moving to vite, webpack is too slow",
		"we won't support internet explorer":                        "we won't support internet explorer",
		"we no longer ship 32 bit builds":                           "we no longer ship 32 bit builds",
		"let's not use a queue for mails":                           "not to use a queue for mails",
		"final decision: feature flags live in the db":              "feature flags live in the db",
		"we do api-first":                                           "we do api-first",
		"we want one process so that we can debug it easily":        "we want one process",
		"we take the locale from the header, not from the cookie":   "we take the locale from the header, not from the cookie",
		"kubernetes is overkill for this project":                   "kubernetes is overkill for this project",
		"we'll use nats since it is already running":                "use nats",
		"wir bleiben bei mysql":                                     "wir bleiben bei mysql",
		"dann nehmen wir doch kafka":                                "dann nehmen wir doch kafka",
		"wir speichern alles in utc, weil die server verteilt sind": "wir speichern alles in utc",
		"abgemacht: ein repo für alles":                             "ein repo für alles",
		"ok, postgres bleibt":                                       "postgres bleibt",
		"on reste sur mysql":                                        "on reste sur mysql",
		"on utilise vite parce que webpack est lent":                "on utilise vite",
		"nos quedamos con postgres":                                 "nos quedamos con postgres",
		"usamos redis porque ya está en producción":                 "usamos redis",
	} {
		if diff := cmp.Diff([]string{want}, decidedIn(claudecode.Turn{ID: "u1", Prompt: prompt}, nil)); diff != "" {
			t.Errorf("journal(%q) (-want +got):\n%s", prompt, diff)
		}
	}
}

func TestNoWaysToDecide(t *testing.T) {
	for _, prompt := range []string{
		"what it is", "show me where it is", "leave it as it is", "i don't know what it is", "so slow it is",
		"the spinner stays on the screen", "ok the spinner stays on the screen after saving", "ok, it stays red", "yes but the page stays blank",
		"agreed", "agreed, go ahead", "agreed: please fix the tests", "let's not do that now", "we won't have time for this today", "we won't use it",
		"we want it so that we can see it", "do we want one process so that we can debug it?", "maybe we want one process so that we can debug it",
		"we are going on with the next step", "stay on topic", "let's stay on this branch", "let's go with the second one",
		"we take too long instead of failing early", "we run out of memory instead of blocking", "we need to see it instead of guessing", "that's overkill",
		"the parser returns nil instead of an error because of the cache", "what would you use, kafka or nats?",
		"wir bleiben dabei", "dann nehmen wir das", "on garde ça", "on passe à la suite", "vamos con eso",
	} {
		if got := decidedIn(claudecode.Turn{ID: "u1", Prompt: prompt}, nil); got != nil {
			t.Errorf("journal(%q) = %q, want none", prompt, got)
		}
	}
}

func TestWaysInWhichClaudeDecides(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  noted
	}{
		{"I kept the old column rather than dropping it, because the report still reads it.",
			noted{Title: "kept the old column rather than dropping it", Why: "because the report still reads it", Not: "dropping it"}},
		{"A mutex instead of a channel, since the section is three lines long.",
			noted{Title: "A mutex instead of a channel", Why: "since the section is three lines long", Not: "a channel"}},
		{"Retrying on the client rather than the proxy: otherwise a broken pod would be asked twice.",
			noted{Title: "retrying on the client rather than the proxy", Why: "otherwise a broken pod would be asked twice", Not: "the proxy"}},
		{"Polling every second would wake the disk, so the watcher uses inotify.",
			noted{Title: "the watcher uses inotify", Why: "Polling every second would wake the disk"}},
		{"We take the zone from the profile and not from the browser, because travellers would see other dates.",
			noted{Title: "take the zone from the profile and not from the browser", Why: "because travellers would see other dates", Not: "from the browser"}},
		{"I ruled out a trigger because the migration tool drops it.",
			noted{Title: "ruled out a trigger", Why: "because the migration tool drops it"}},
		{"I'll answer with the origin itself, but only for hosts on a list: any other would let each page read the cart.", noted{}},
		{"The parser returns an empty map instead of an error because the file is missing.", noted{}},
		{"The page shows the old total instead of the new one because the cache is stale.", noted{}},
		{"It uses a slice instead of a map since order matters.", noted{}},
		{"I would use a queue rather than a cron job, because jobs take longer than a minute. Shall I?", noted{}},
		{"I ran the tests again because the first run was cut off.", noted{}},
		{"That would break the build, so I reverted it.", noted{}},
		{"Running it twice would fail, so let me clean up first.", noted{}},
	} {
		var want []noted
		if tt.want.Title != "" {
			tt.want.Origin = memory.OriginAssistant
			want = append(want, tt.want)
		}
		got := notedIn(journal(NewTurn(claudecode.Turn{ID: "u1", Prompt: "do it", Replies: []string{tt.reply}}, app, nil)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("journal(%q) (-want +got):\n%s", tt.reply, diff)
		}
	}
}

// What Claude proposed is decided once the user agrees, and says no more.
func TestAssent(t *testing.T) {
	const proposal = "I would keep the jobs in a table rather than a queue, because we need to search them. Shall I go on with that?"
	offer := NewTurn(claudecode.Turn{ID: "u1", Prompt: "where do the jobs go?", Replies: []string{proposal}}, app, nil)
	const decided = "keep the jobs in a table rather than a queue"
	for prompt, want := range map[string][]string{
		"ok do it":                     {decided},
		"Yes, sounds good!":            {decided},
		"hm ok":                        {decided},
		"ja, mach das":                 {decided},
		"no":                           nil,
		"ok, but why not a queue?":     nil,
		"yes and rename the table too": {decided},
	} {
		if diff := cmp.Diff(want, decidedIn(claudecode.Turn{ID: "u2", Prompt: prompt}, offer)); diff != "" {
			t.Errorf("after a proposal, journal(%q) (-want +got):\n%s", prompt, diff)
		}
	}
	two := NewTurn(claudecode.Turn{ID: "u1", Prompt: "where do the jobs go?", Replies: []string{
		"I would use a table, because we need to search them. I would use a queue instead of polling, because it is faster.",
	}}, app, nil)
	if got := decidedIn(claudecode.Turn{ID: "u2", Prompt: "ok"}, two); got != nil {
		t.Errorf("agreed to one of two proposals: %q", got)
	}
}
