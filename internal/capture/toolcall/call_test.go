package toolcall

import (
	"encoding/json"
	"testing"

	"recollect/internal/memory"
)

var shop = memory.Project{Name: "shop", Path: "/src/shop"}

// input makes the JSON of a tool's input.
func input(t *testing.T, key, value string) string {
	t.Helper()
	b, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func failed(command, fault, fix string) memory.Memory {
	m := memory.Memory{Source: memory.Failures, Title: "`" + command + "` fails: " + fault, Fields: map[string]string{"tool": "Bash", "error": fault}}
	if fix != "" {
		m.Fields["fix"] = fix
	}
	m.SetHome(shop)
	return m
}

func saying(src memory.Source, title string) memory.Memory {
	m := memory.Memory{Source: src, Title: title}
	m.SetHome(shop)
	return m
}

func about(m memory.Memory, files ...string) memory.Memory {
	m.Files = files
	return m
}

func because(m memory.Memory, why string) memory.Memory {
	m.Fields = map[string]string{"rationale": why}
	return m
}

func planned(m memory.Memory) memory.Memory {
	m.Tags = []string{memory.TagPlan}
	return m
}

func solved(problem, solution string) memory.Memory {
	m := saying(memory.Patterns, problem+" → "+solution)
	m.Fields = map[string]string{"problem": problem, "solution": solution}
	return m
}

func elsewhere(m memory.Memory) memory.Memory {
	m.SetHome(memory.Project{Name: "blog", Path: "/src/blog"})
	return m
}

// leastSure is the least that a call is told by default.
const leastSure = 0.7

func TestCallBears(t *testing.T) {
	const setup = "ModuleNotFoundError: No module named 'stripe'"
	const red = "AssertionError: 3 != 4"
	const broken = "error: undefined: Total"
	const denied = "scripts/ship.sh: line 3: bin/push: Permission denied"
	tests := []struct {
		name, tool, key, value string
		memory                 memory.Memory
		want                   bool
	}{
		{"the same command", "Bash", "command", "go build ./cart", failed("go build ./cart", broken, "ran `go generate ./cart`"), true},
		{"the same command, put right in code", "Bash", "command", "go build ./cart", failed("go build ./cart", broken, "edited cart/total.go"), false},
		{"the same command, which nothing put right", "Bash", "command", "go build ./cart", failed("go build ./cart", broken, ""), false},
		{"the same one elsewhere", "Bash", "command", "go build ./cart", elsewhere(failed("go build ./cart", broken, "edited cart/total.go")), false},
		{"the machine lacks something, elsewhere", "Bash", "command", "npm run e2e", elsewhere(failed("npm run e2e", "sh: playwright: command not found", "ran `npx playwright install`")), true},
		{"after a cd and before a filter", "Bash", "command", "cd /src/shop && go build ./cart 2>&1 | tail -5", failed("go build ./cart", broken, "ran `go generate ./cart`"), true},
		{"one of several steps", "Bash", "command", "npm ci && npm run build; ls", failed("npm ci", "npm error code ERESOLVE", "`npm ci --legacy-peer-deps` works"), true},
		{"some of its arguments", "Bash", "command", "go vet ./cart -v", failed("go vet ./cart", broken, "ran `go generate ./cart`"), true},
		{"some of its arguments, in code that was put right", "Bash", "command", "go vet ./cart -v ./mail", failed("go vet ./cart", broken, "edited cart/total.go: +1 -1"), false},
		{"on something else", "Bash", "command", "go build ./mail", failed("go build ./cart", broken, "edited cart/total.go"), false},
		{"another subcommand", "Bash", "command", "go vet ./cart", failed("go build ./cart", broken, "edited cart/total.go"), false},
		{"another program", "Bash", "command", "cargo build", failed("go build ./cart", broken, "edited cart/total.go"), false},
		{"what is missing for anything", "Bash", "command", "pytest tests/test_mail.py", failed("pytest tests/test_cart.py", setup, "ran `pip install stripe`"), true},
		{"what is missing in another Python", "Bash", "command", "python3 -m pytest tests/test_mail.py", failed("python -m pytest tests/test_cart.py", setup, "ran `pip install stripe`"), false},
		{"a module that another project lacks", "Bash", "command", "pytest tests/test_cart.py", elsewhere(failed("pytest tests/test_cart.py", setup, "ran `pip install stripe`")), false},
		{"with another value of a variable", "Bash", "command", "TAG=v2 sh scripts/ship.sh stage", failed("TAG=v1 sh scripts/ship.sh stage", denied, "ran `chmod +x bin/push`"), true},
		{"with another value and no arguments", "Bash", "command", "TAG=v2 make ship", failed("TAG=v1 make ship", broken, "ran `make login`"), true},
		{"with another variable", "Bash", "command", "NODE_OPTIONS=--openssl-legacy-provider npm run build", failed("npm run build", "Error: error:0308010C:digital envelope routines::unsupported", "set NODE_OPTIONS"), false},
		{"in another place for modules", "Bash", "command", "PYTHONPATH=src pytest tests/test_cart.py", failed("PYTHONPATH=lib pytest tests/test_cart.py", setup, "ran `pip install stripe`"), false},
		{"the value that put it right", "Bash", "command", "TAG=v2 make ship", failed("TAG=v1 make ship", broken, "`TAG=v2 make ship` works"), false},
		{"a test of another file", "Bash", "command", "pytest tests/test_mail.py", failed("pytest tests/test_cart.py", red, "edited cart.py"), false},
		{"a test that was made to pass", "Bash", "command", "pytest tests/test_cart.py", failed("pytest tests/test_cart.py", red, "edited cart.py"), false},
		{"a script made up on the spot", "Bash", "command", `python3 -c "print(1)"`, failed("python3 -c", setup, "ran `pip install stripe`"), false},
		{"one that imports what is missing", "Bash", "command", `python3 -c "import stripe"`, failed("python3 -c", setup, "ran `pip install stripe`"), true},
		{"a command that is only quoted", "Bash", "command", `git commit -m "go build ./cart works"`, failed("go build ./cart", broken, "edited cart/total.go"), false},
		{"a site that refuses", "WebFetch", "url", "https://shop.example.com/a?b", failed("fetch shop.example.com", "Request failed with status code 403", "`curl` works"), true},
		{"another site", "WebFetch", "url", "https://blog.example.com/", failed("fetch shop.example.com", "Request failed with status code 403", "`curl` works"), false},

		{"a preference that names the command", "Bash", "command", "go test ./...", saying(memory.Preferences, "Always run go test with -race"), true},
		{"one of the program", "Bash", "command", "npm install left-pad", saying(memory.Preferences, "Use pnpm instead of npm"), true},
		{"one of another subcommand", "Bash", "command", "npm test", saying(memory.Preferences, "Never run npm publish by yourself"), false},
		{"one of commits", "Bash", "command", "git commit -m wip", saying(memory.Preferences, "Write commit messages in the imperative"), true},
		{"one of pushing", "Bash", "command", "git push origin main", saying(memory.Preferences, "Never push to main without asking"), true},
		{"an English word", "Bash", "command", "make lint", saying(memory.Preferences, "Make functions short"), false},
		{"an English word again", "Bash", "command", "go build", saying(memory.Preferences, "Go easy on comments"), false},
		{"a convention", "Bash", "command", "pytest -q", saying(memory.Patterns, "In this project we run pytest with -n 4"), true},
		{"what solved something else", "Bash", "command", "pip install pandas", solved("clang: error: no such flag", "`pip install -e . --no-omp` works"), false},
		{"what is the solution", "Bash", "command", "pytest -q", solved("python: No module named pytest", "`pytest` works"), false},
		{"what put it right", "Bash", "command", "npm ci --legacy-peer-deps", failed("npm ci", "npm error code ERESOLVE", "`npm ci --legacy-peer-deps` works"), false},
		{"a problem that names the program", "Bash", "command", "pytest -q", solved("python: No module named pytest", "ran `pip install -r dev.txt`"), true},
		{"what is wanted of commits, in other words", "Bash", "command", "cd /src/shop && git commit -am x", saying(memory.Preferences, "Always check in with my work key, never --no-gpg-sign: sign what is committed"), true},
		{"what is wanted of tests", "Bash", "command", "cargo test -p cart", saying(memory.Preferences, "Tests never talk to the real gateway"), true},
		{"what is wanted of tests, at another command", "Bash", "command", "cargo build", saying(memory.Preferences, "Tests never talk to the real gateway"), false},
		{"what is wanted of tests elsewhere", "Bash", "command", "cargo test", elsewhere(saying(memory.Preferences, "Tests never talk to the real gateway")), false},
		{"what is wanted of tests, when one is written", "Write", "file_path", "/src/shop/cart/total_test.go", saying(memory.Preferences, "No mocks in tests"), true},
		{"what is wanted of the docs", "Edit", "file_path", "/src/shop/docs/refunds.md", saying(memory.Preferences, "British spelling in the docs"), true},
		{"what is wanted of the docs, at code", "Edit", "file_path", "/src/shop/cart/total.go", saying(memory.Preferences, "British spelling in the docs"), false},
		{"a program that is refused", "Bash", "command", "npm install left-pad", saying(memory.Preferences, "Never use npm here, use bun"), true},
		{"the one that is asked for", "Bash", "command", "bun install left-pad", saying(memory.Preferences, "Never use npm here, use bun"), false},
		{"a program that only reads", "Bash", "command", "grep -rn total .", saying(memory.Preferences, "Use rg instead of grep"), true},
		{"what is asked for before a commit", "Bash", "command", "gofmt -l .", saying(memory.Preferences, "Run gofmt before you commit"), false},
		{"another command than what is asked for", "Bash", "command", "alembic upgrade head", saying(memory.Patterns, "Run the migrations with make migrate"), true},
		{"an option of a program whose name means something else", "Bash", "command", "node dist/cart.js", saying(memory.Preferences, "Start node with --inspect"), true},
		{"a release", "Bash", "command", "git tag v1.4.0", saying(memory.Preferences, "Releases are announced"), true},
		{"without the option that is asked for", "Bash", "command", "pytest -q", saying(memory.Preferences, "Run pytest with -n 4"), true},
		{"with it", "Bash", "command", "pytest -n 4 -q", saying(memory.Preferences, "Run pytest with -n 4"), false},
		{"a folder", "Edit", "file_path", "/src/shop/vendor/tax/tax.go", saying(memory.Preferences, "Never touch anything under vendor/"), true},
		{"a folder of another project", "Edit", "file_path", "/src/shop/vendor/tax/tax.go", elsewhere(saying(memory.Preferences, "Never touch anything under vendor/")), false},
		{"a folder that a command names", "Bash", "command", "gofmt -w vendor/tax/tax.go", saying(memory.Preferences, "Never touch anything under vendor/"), true},
		{"a kind of file", "Write", "file_path", "/src/shop/db/tax.sql", saying(memory.Patterns, "Keywords are in upper case in .sql files"), true},
		{"a test in the wrong folder", "Write", "file_path", "/src/shop/cart/total.test.ts", saying(memory.Preferences, "Tests live in test/unit"), true},
		{"another file than the one that is named", "Write", "file_path", "/src/shop/docs/refunds.md", saying(memory.Preferences, "Put such thoughts into vision.md"), false},
		{"the file that is named", "Edit", "file_path", "/src/shop/docs/vision.md", saying(memory.Preferences, "Put such thoughts into vision.md"), true},
		{"how tests are written, when they run", "Bash", "command", "pytest -q", saying(memory.Preferences, "No comments in tests"), false},
		{"how tests are written, when one is", "Write", "file_path", "/src/shop/tests/test_cart.py", saying(memory.Preferences, "No comments in tests"), true},
		{"an idiom", "Bash", "command", "git push origin main", saying(memory.Preferences, "Push back when I am wrong"), false},
		{"the version of a program", "Bash", "command", "pytest --version", saying(memory.Preferences, "Use unittest instead of pytest"), false},
		{"a test where tests belong", "Write", "file_path", "/src/shop/test/unit/total.test.ts", saying(memory.Preferences, "Tests live in test/unit"), false},
		{"a decision", "Bash", "command", "docker compose up -d", saying(memory.Journal, "docker compose runs postgres; the app runs on the host"), true},
		{"a decision whose reasons name it", "Bash", "command", "docker compose up -d", because(saying(memory.Journal, "The app runs on the host"), "docker compose up is slow here"), false},
		{"a plan that names it", "Bash", "command", "docker compose up -d", planned(saying(memory.Journal, "Plan: docker compose up in CI")), false},
		{"a decision on something else", "Bash", "command", "docker compose up -d", saying(memory.Journal, "Use Redis for sessions"), false},

		{"a file that is named", "Edit", "file_path", "/src/shop/cart/total.go", saying(memory.Journal, "cart/total.go rounds half to even"), true},
		{"by its name", "Write", "file_path", "/src/shop/cart/total.go", saying(memory.Preferences, "Never edit total.go by hand"), true},
		{"by a name that many have", "Edit", "file_path", "/src/shop/cart/main.go", saying(memory.Preferences, "Keep main.go small"), false},
		{"what put a failure right", "Edit", "file_path", "/src/shop/cart/total.go", failed("make test", red, "edited cart/total.go"), false},
		{"what was run to put one right", "Write", "file_path", "/src/shop/cart/total.py", failed("python cart/total.py", setup, "`python3 cart/total.py` works"), false},
		{"what failed when it was run", "Write", "file_path", "/src/shop/try.py", about(failed("python try.py", setup, "ran `pip install stripe`"), "try.py"), false},
		{"listed", "Edit", "file_path", "/src/shop/cart/total.go", about(saying(memory.Patterns, "Money is in cents"), "cart/total.go"), true},
		{"listed among many", "Edit", "file_path", "/src/shop/cart/total.go", about(saying(memory.Patterns, "Money is in cents"), "cart/total.go", "a.go", "b.go"), false},
		{"a longer name", "Edit", "file_path", "/src/shop/cart/total.go", saying(memory.Journal, "subtotal.go rounds half to even"), false},
		{"another file", "Edit", "file_path", "/src/shop/cart/tax.go", saying(memory.Journal, "cart/total.go rounds half to even"), false},
		{"the same path elsewhere", "Edit", "file_path", "/src/shop/cart/total.go", elsewhere(saying(memory.Journal, "cart/total.go rounds half to even")), false},
		{"a notebook", "NotebookEdit", "notebook_path", "/src/shop/sales.ipynb", saying(memory.Preferences, "Clear the output of sales.ipynb before a commit"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			call, ok := Read(tt.tool, input(t, tt.key, tt.value), shop, "/src/shop")
			if !ok {
				if tt.want {
					t.Fatal("the call is none that a memory can bear on")
				}
				return
			}
			if got := call.Relevance(&tt.memory); got >= leastSure != tt.want || got > 1 {
				t.Errorf("Bears() = %v; told: want %t", got, tt.want)
			}
		})
	}
}

func TestReadCallOfNothing(t *testing.T) {
	for _, tt := range []struct{ tool, input string }{
		{"Bash", `{"command":"ls -la"}`},
		{"Bash", `{"command":"git status && cat go.mod | head"}`},
		{"Bash", `{"command":""}`},
		{"Bash", `{"command":7}`},
		{"Bash", `[`},
		{"Edit", `{}`},
		{"Task", `{"subagent_type":"Explore"}`},
		{"WebFetch", `{"url":"nowhere"}`},
		{"TaskCreate", `{"subject":"x"}`},
	} {
		if c, ok := Read(tt.tool, tt.input, shop, "/src/shop"); ok {
			t.Errorf("ReadCall(%s, %s) = %+v, want nothing", tt.tool, tt.input, c)
		}
	}
}

func TestReadCallOfTask(t *testing.T) {
	c, ok := Read("Agent", `{"description":"Find it","prompt":"Where is <private>my key</private> the total rounded?","subagent_type":"Explore"}`, shop, "/src/shop")
	if want := "Where is  the total rounded?"; !ok || c.Task != want || c.Agent != "Explore" {
		t.Errorf("ReadCall() = %q for %q, %t, want %q for Explore", c.Task, c.Agent, ok, want)
	}
	if c, _ = Read("Task", `{"prompt":"Look"}`, shop, "/src/shop"); c.Agent != "general-purpose" {
		t.Errorf("without a type the agent is %q, want general-purpose", c.Agent)
	}
}

// Another value of a variable is no other command: as sure as the same
// arguments, however long the command that the title tells in short.
func TestValuesOfVariables(t *testing.T) {
	const denied = "bin/push: Permission denied"
	long := " AWS_PROFILE=stage-of-the-shop bash scripts/ship.sh stage --region eu-central-1"
	tests := []struct {
		name, was, command string
		want               float64
	}{
		{"the same value", "TAG=v1 bash scripts/ship.sh stage", "TAG=v1 bash scripts/ship.sh stage", sameLine},
		{"another", "TAG=v1.42.0 bash scripts/ship.sh stage", "TAG=v1.43.0 bash scripts/ship.sh stage", sameOperands},
		{"without arguments", "TAG=v1 make ship", "TAG=v2 make ship", sameOperands},
		{"behind a starter", "sudo TAG=v1 make ship", "sudo TAG=v2 make ship", sameOperands},
		{"a long command", "bash ship.sh stage eu-central-1", "TAG=v1.43.0" + long, sameOperands},
		{"an option with a value", "make ship --tag=v1", "make ship --tag=v2", sameGoal},
		{"other arguments", "TAG=v1 bash scripts/ship.sh stage", "TAG=v2 bash scripts/ship.sh live", sameGoal},
		{"another variable", "TAG=v1 bash scripts/ship.sh stage", "HOST=a bash scripts/ship.sh stage", 0},
		{"another shell", "TAG=v1 bash scripts/ship.sh stage", "TAG=v2 zsh scripts/ship.sh stage", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			call, _ := Read("Bash", input(t, "command", tt.command), shop, "/src/shop")
			m := failed(tt.was, denied, "ran `chmod +x bin/push`")
			if got := call.Relevance(&m); got != tt.want {
				t.Errorf("Bears() = %v, want %v", got, tt.want)
			}
		})
	}
}
