package consolidate

import (
	"testing"

	"recollect/internal/memory"
)

func sameSubject(a, b memory.Memory) bool { return subjectOf(a).isSameAs(subjectOf(b)) }

func TestSameSubject(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"use tabs", "use spaces instead of tabs", true},
		{"always answer in German", "answer in English from now on", true},
		{"reply in german", "Always answer in French please", true},
		{"database: Postgres", "switch to SQLite instead of Postgres", true},
		{"Database: Postgres", "database: SQLite", true},
		{"use npm", "use pnpm instead of npm", true},
		{"always use yarn", "use pnpm", true},
		{"always add docstrings", "never add docstrings", true},
		{"stop adding comments", "add comments", true},
		{"don't use default exports", "always use default exports in this repo", true},
		{"use Docker", "let's use Podman instead of Docker", true},
		{"go with REST", "use GraphQL instead of REST", true},
		{"write tests with pytest", "write tests with unittest", false}, // what is tested with may differ from test to test
		{"use Vitest for unit tests", "use Jest for unit tests", true},
		{"always use single quotes", "never use single quotes", true},
		{"immer Tabs verwenden", "use tabs", false}, // another language is not read so closely
		{"use snake_case for columns", "use camelCase for columns", true},
		{"use Zustand", "switch to Redux", true},
		{"Which database? → Postgres", "Which database? → SQLite", true},
		{"use Redis as cache", "use Memcached as cache", true},
		{"never force-push", "always force-push", true},

		{"use tabs", "use two spaces for YAML", false},
		{"use tabs in Makefiles", "use spaces in Python", false},
		{"answer in German", "write commit messages in English", false},
		{"use Postgres for accounts", "use SQLite for tests", false},
		{"use Postgres", "use Redis for the queue", false},
		{"always run the tests", "always run the linter", false},
		{"never push to main", "never commit to main", false},
		{"don't use npm", "don't use yarn", false},
		{"use pnpm", "use Vite", false},
		{"add docstrings to functions", "never add docstrings to tests", false},
		{"always use conventional commits", "use tabs", false},
		{"Which database? → Postgres", "Which cache? → Redis", false},
		{"use pytest", "use black", false},
		{"note: the API is slow", "note: staging is down", false},
		{"docs: add a page on tokens", "docs: add the scopes that a token needs", false},
		{"call me Sam", "be concise", false},
		{"prefer composition over inheritance", "prefer small functions over long ones", false},
		{"use TypeScript for new files", "use TypeScript for scripts", false},
	} {
		for _, source := range []memory.Source{memory.Preferences, memory.Journal} {
			a, b := memory.Memory{Source: source, Title: tt.a}, memory.Memory{Source: source, Title: tt.b}
			a.SetHome(app)
			b.SetHome(app)
			if sameSubject(a, b) != tt.want || sameSubject(b, a) != tt.want {
				t.Errorf("%s: sameSubject(%q, %q) = %t, %t the other way round, want %t; claims %+v %+v", source, tt.a, tt.b, sameSubject(a, b), sameSubject(b, a), tt.want, claimOf(a), claimOf(b))
			}
		}
	}
}

func TestSameSubjectIsOfOneKind(t *testing.T) {
	one := memory.Memory{Source: memory.Preferences, Title: "The user wants: use tabs", Project: "app", ProjectPath: "/app"}
	other := memory.Memory{Source: memory.Preferences, Title: "The user wants: use spaces", Project: "app", ProjectPath: "/app"}
	if !sameSubject(one, other) {
		t.Fatal("tabs and spaces are not the same subject")
	}
	elsewhere, decision, commit := other, other, other
	elsewhere.ProjectPath = "/web"
	decision.Source = memory.Journal
	if sameSubject(one, elsewhere) || sameSubject(one, decision) {
		t.Error("memories of two projects or sources have one subject")
	}
	one.Source, commit.Source, commit.Tags = memory.Journal, memory.Journal, []string{"commit"}
	if sameSubject(one, commit) {
		t.Error("a commit is on the subject of a decision")
	}
}
