package activity

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestOfCommand(t *testing.T) {
	for command, want := range map[string][]string{
		"CGO_ENABLED=1 go test ./...":              {"test"},
		"cd web && npm run test:unit -- --watch=0": {"test"},
		"uv run python -m pytest -x":               {"test"},
		"./gradlew assembleDebug":                  {"build"},
		"cmake --preset dev && ninja -C build/dev": {"build"},
		"git add -A && git commit -m wip":          {"commit"},
		"git -C /srv/shop push origin main":        {"push"},
		"ansible-playbook -i hosts.ini site.yml":   {"deploy"},
		"uv run python src/train.py --fold 3":      {"run"},
		"python3 import.py data.csv":               {"run", "import"},
		"pip install requests":                     {"dependency"},
		"npx prettier --write src":                 {"format"},
		"ls -l":                                    nil,
		"grep -rn 'git commit' docs":               nil,
		"":                                         nil,
	} {
		if diff := cmp.Diff(want, OfCommand(command)); diff != "" {
			t.Errorf("OfCommand(%q) (-want +got):\n%s", command, diff)
		}
	}
}

// A failure bears on its activity where its fix is the same command with something more.
func TestOfFailure(t *testing.T) {
	failed := func(command, fix string) memory.Memory {
		return memory.Memory{Source: memory.Failures, Title: "`" + command + "` fails: error", Fields: map[string]string{"fix": fix}}
	}
	for _, tt := range []struct {
		name   string
		memory memory.Memory
		want   []string
	}{
		{"a variable", failed("cargo test", "`SQLX_OFFLINE=1 cargo test` works"), []string{"test", "build"}},
		{"a container", failed("npm start", "`docker compose exec web npm start` works"), []string{"run"}},
		{"a shell", failed("psql -c 'select 1'", "`docker compose exec db psql -U shop -c 'select 1'` works"), []string{"sql"}},
		{"an environment", failed("cargo build", "`nix-shell -p openssl --run \"cargo build\"` works"), []string{"build", "test"}},
		{"an option", failed("terraform apply", "`terraform apply -var-file prod.tfvars` works"), []string{"deploy"}},
		{"an option of a line of two commands", failed("cmake --preset dev && ninja", "`CC=clang-18 cmake --fresh --preset dev && ninja` works"), []string{"build", "test"}},
		{"another interpreter", failed("python src/train.py --fold 3", "`uv run python src/train.py --fold 3` works"), []string{"run"}},
		{"an option of one script", failed("python src/train.py", "`python src/train.py --port 8600` works"), nil},
		{"other tests", failed("go test ./cart", "`go test ./mail` works"), nil},
		{"an edit", failed("go test ./...", "edited cart.go: `return nil`"), nil},
		{"a folder in quotes", failed("cd 'my shop'", "`cd shop` works"), nil},
		{"no fix", failed("perf stat ./fib", ""), nil},
		{"a pattern", memory.Memory{Source: memory.Patterns, Title: "no cgo → `CGO_ENABLED=1 go test` works", Fields: map[string]string{"solution": "`CGO_ENABLED=1 go test` works"}}, []string{"test"}},
		{"a turn", memory.Memory{Source: memory.Episodes, Title: "run the tests"}, nil},
		{"a tag", memory.Memory{Source: memory.Preferences, Title: "The user wants: --plan first", Tags: []string{"about:deploy"}}, []string{"deploy"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Of(&tt.memory)); diff != "" && len(tt.want)+len(Of(&tt.memory)) > 0 {
				t.Errorf("Of() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOfFile(t *testing.T) {
	for path, want := range map[string]string{
		"docs/refunds.md": "document", "cart/total_test.go": "test", "db/migrations/0007_vat.py": "migrate", "queries/open.sql": "sql", "web/package.json": "dependency", "web/app.scss": "ui",
		"cart/total.go": "",
	} {
		if got := OfFile(path); want == "" && got != nil || want != "" && Shared([]string{want}, got) == "" {
			t.Errorf("OfFile(%q) = %q, want %q", path, got, want)
		}
	}
}
