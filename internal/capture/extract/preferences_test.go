package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// titlesOf extracts from a prompt and returns the titles.
func titlesOf(prompt string, extract extractor) []string {
	var out []string
	for _, m := range extract(NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: prompt}, app, nil)) {
		out = append(out, m.Title)
	}
	return out
}

func TestPreferences(t *testing.T) {
	for _, tt := range []struct{ name, prompt, want string }{
		{"always", "Always run the linter before you commit.", "The user wants: Always run the linter before you commit"},
		{"sloppy", "ok pls never use emojis in the readme", "The user wants: never use emojis in the readme"},
		{"never ever, loudly", "no no no. never ever push to main", "The user wants: never ever push to main"},
		{"bare preference", "I prefer tabs", "The user said: I prefer tabs"},
		{"Chinese", "请始终用中文回答", "The user wants: 请始终用中文回答"},
		{"do not ever", "don't ever push to main", "The user wants: don't ever push to main"},
		{"after a request", "Fix the login bug. And from now on always write a test first.", "The user wants: from now on always write a test first"},
		{"at the end", "use conventional commits from now on", "The user wants: use conventional commits from now on"},
		{"stop", "please stop adding comments to every line", "The user wants: stop adding comments to every line"},
		{"stop, asked", "can you stop apologizing all the time?", "The user wants: stop apologizing all the time"},
		{"prefer", "I prefer composition over inheritance", "The user said: I prefer composition over inheritance"},
		{"rather", "i'd rather have small functions than long ones", "The user said: i'd rather have small functions than long ones"},
		{"instead of", "use pnpm instead of npm", "The user wants: use pnpm instead of npm"},
		{"no, use", "no, use ripgrep instead", "The user wants: use ripgrep instead"},
		{"told you", "I told you to use tabs", "The user wants: use tabs"},
		{"remember", "remember that staging is deployed by hand", "The user said: staging is deployed by hand"},
		{"convention", "we don't use default exports in this repo", "The user said: we don't use default exports in this repo"},
		{"here", "In this repo, always use the generated client.", "The user wants: In this repo, always use the generated client"},
		{"general rule", "Commit messages must always be in English.", "The user said: Commit messages must always be in English"},
		{"whenever", "whenever you touch the schema, regenerate the client", "The user wants: whenever you touch the schema, regenerate the client"},
		{"list", "- fix the typo in the header\n- never use inline styles", "The user wants: never use inline styles"},
		{"do not", "do not add docstrings to tests", "The user wants: do not add docstrings to tests"},
		{"tongue", "answer in German please", "The user wants: answer in German please"},
		{"German", "Bitte antworte immer auf Deutsch.", "The user wants: antworte immer auf Deutsch"},
		{"German infinitive", "bitte immer pnpm verwenden", "The user wants: immer pnpm verwenden"},
		{"German from now on", "Ab jetzt keine Kommentare mehr in den Tests.", "The user wants: Ab jetzt keine Kommentare mehr in den Tests"},
		{"French", "Réponds toujours en français", "The user wants: Réponds toujours en français"},
		{"Spanish", "a partir de ahora usa tabulaciones", "The user wants: a partir de ahora usa tabulaciones"},
		{"Spanish never", "nunca uses var en JavaScript", "The user wants: nunca uses var en JavaScript"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([]string{tt.want}, titlesOf(tt.prompt, preferences)); diff != "" {
				t.Errorf("preferences(%q) (-want +got):\n%s", tt.prompt, diff)
			}
		})
	}
}

func TestNoPreference(t *testing.T) {
	for _, tt := range []struct{ name, prompt string }{
		{"complaint", "it never works"},
		{"complaint first", "Never works on my machine."},
		{"fact", "the job always fails after an hour"},
		{"fact of ours", "we never got an answer from the server"},
		{"blame", "you always break the tests"},
		{"one place", "use a loop instead of map"},
		{"one-off", "don't change anything else yet"},
		{"this file", "never mind, don't touch this file"},
		{"file above", "use the file above"},
		{"pointing", "don't add it to the list"},
		{"question", "should we always use tabs?"},
		{"why", "why do you never run the tests?"},
		{"thought", "maybe we should always cache the result"},
		{"spec", "the function should always return a list"},
		{"stop a thing", "stop the server and restart it"},
		{"stop doing", "stop doing that"},
		{"prefer an offer", "i prefer the second option"},
		{"rather not now", "I'd rather not do this now"},
		{"order told", "I told you to fix the header"},
		{"reminder", "remember when we discussed the cache"},
		{"do you remember", "do you remember that we always use tabs?"},
		{"quoted", `the reviewer wrote "please always use tabs here and never spaces"`},
		{"quotation", "> always use tabs\n\nwhat do you think of that comment?"},
		{"pasted feedback", "here is the feedback:\nAlways use const.\nNever mutate arguments."},
		{"code", "fix this\n```\n// never use this directly\nalways use foo\n```"},
		{"log", "2026-01-02 10:00:00 WARN never use this in production\nwhat does that mean"},
		{"German fact", "der Test ist immer kaputt"},
		{"French fact", "ça ne marche jamais"},
		{"Spanish fact", "nunca funciona a la primera"},
		{"fact of the future", "Henceforth, selecting a point triggers the same traceback."},
		{"how to do it", "use `gh` to authenticate"},
		{"what we do not want now", "we really don't want to release this"},
		{"long task", strings.Repeat("The parser reads the header and the body. ", 20) + "Use a map instead of a slice."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := titlesOf(tt.prompt, preferences); got != nil {
				t.Errorf("preferences(%q) = %q, want none", tt.prompt, got)
			}
		})
	}
}

func TestPreferenceIsOneMemory(t *testing.T) {
	extract := func(turn claudecode.Turn) memory.Draft {
		t.Helper()
		ms := preferences(NewTurn(turn, app, nil))
		if len(ms) != 1 || ms[0].Normalize() != nil {
			t.Fatalf("preferences(%q) = %v, want one", turn.Prompt, ms)
		}
		return ms[0]
	}
	first := extract(claudecode.Turn{Session: "s1", ID: "u1", Prompt: "Please always use pnpm."})
	again := extract(claudecode.Turn{Session: "s2", ID: "u9", Prompt: "the build is red.\n\nok, always use pnpm!!"})
	other := extract(claudecode.Turn{Session: "s2", ID: "u9", Prompt: "always use yarn"})
	if first.ID != again.ID || first.ID == other.ID {
		t.Errorf("ids %s and %s of one wish, %s of another", first.ID, again.ID, other.ID)
	}
	if first.AppliesTo != "project:" || first.Project != "app" || first.Evidence != "always use pnpm." || first.Origin != memory.OriginUser {
		t.Errorf("wish of a project = %+v", first)
	}
	for prompt, project := range map[string]string{
		"always answer in German":                             "",
		"never use emojis":                                    "",
		"never use emojis in commit messages":                 "app",
		"in all my projects, always use conventional commits": "",
		"call me Sam":                                         "",
		"always use tabs":                                     "app",
	} {
		m := extract(claudecode.Turn{ID: "u2", Prompt: prompt})
		if m.Project != project || (m.AppliesTo == "global") != (project == "") {
			t.Errorf("%q is of project %q and applies to %q, want project %q", prompt, m.Project, m.AppliesTo, project)
		}
	}
}

func TestOnlyTheUserHasPreferences(t *testing.T) {
	for _, turn := range []claudecode.Turn{
		{Prompt: "always use tabs", Sidechain: true},
		{Prompt: "always use tabs", Agent: "reviewer"},
		{Prompt: "fix it", Replies: []string{"Always use tabs."}, Actions: []claudecode.Action{{Tool: "Read", Output: "Always use tabs."}}},
		{Prompt: "<task-notification>always use tabs</task-notification>"},
	} {
		if got := preferences(NewTurn(turn, app, nil)); got != nil {
			t.Errorf("preferences(%+v) = %v, want none", turn, got)
		}
	}
}
