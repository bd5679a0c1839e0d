package extract

import (
	"os"
	"slices"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// A decision in plain words is one memory, under a title that says what was decided.
func TestDecidedInPlainWords(t *testing.T) {
	cases(t, "testdata/decided.txt")
}

// What was not decided, or by others, settles nothing in a discussion either.
func TestNotDecidedInTalk(t *testing.T) {
	for _, prompt := range []string{
		"we never decided to use Kafka",
		"it wasn't decided to ship on Friday",
		"we still have no decision on the port",
		"there is no decision on the port yet",
		"nobody decided that logs go to stdout",
		"the port is still undecided",
		"the compiler decided to inline this function",
		"the team next door decided to use Bazel",
		"my boss decided something else",
		"the old maintainer decided to vendor everything",
	} {
		before, turn := understood, understood
		before.Session, before.ID, before.Prompt, before.Replies = "s1", "u1", "hello, look at the repository first", []string{"I have read it."}
		turn.Session, turn.ID, turn.Prompt = "s1", "u2", prompt
		for _, m := range NewTurn(turn, app, NewTurn(before, app, nil)).Drafts() {
			if m.Source == memory.Journal {
				t.Errorf("%q decides %q", prompt, m.Title)
			}
		}
	}
}

func cases(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n"), "|")
		prompt := parts[len(parts)-1]
		for _, turn := range []claudecode.Turn{worked, understood} {
			var decided, others []memory.Draft
			turn.Session, turn.ID, turn.Prompt = "s1", "u1", prompt
			for _, m := range NewTurn(turn, app, nil).Drafts() {
				switch m.Source {
				case memory.Journal:
					decided = append(decided, m)
				case memory.Preferences, memory.Patterns:
					others = append(others, m)
				}
			}
			problem := ""
			switch parts[0] {
			case "y":
				problem = unlike(decided, parts[1], parts[2])
				if strings.Contains(titles(others), parts[1]) {
					problem += " besides, " + titles(others)
				}
			case "b":
				problem = unlike(decided, parts[1], "")
				if len(others) != 1 || !strings.Contains(strings.ToLower(others[0].Title), parts[2]) || strings.Contains(others[0].Title, parts[1]) {
					problem += " wishes " + titles(others)
				}
			case "n":
				if len(decided) > 0 {
					problem = "decides " + titles(decided)
				}
			}
			if problem != "" {
				t.Errorf("%q after %q: %s", prompt, turn.Replies[0], problem)
			}
		}
	}
}

// unlike says how decisions differ from a single one of that title and reason, "" if they do not.
func unlike(decided []memory.Draft, title, why string) string {
	if len(decided) != 1 {
		return "decides " + titles(decided)
	}
	d := decided[0]
	first := strings.Fields(d.Title + " ")[0]
	if !strings.Contains(d.Title, title) || slices.Contains([]string{"decided", "we", "agreed"}, first) && !strings.HasPrefix(title, first) && !strings.HasPrefix(title, "against") {
		return "decides " + titles(decided)
	}
	if reason := d.Fields["rationale"] + d.Title; !strings.Contains(reason, why) {
		return "has the reason " + reason
	}
	return ""
}

func titles(ms []memory.Draft) string {
	var out []string
	for _, m := range ms {
		out = append(out, `"`+m.Title+`"`)
	}
	return strings.Join(out, ", ")
}
