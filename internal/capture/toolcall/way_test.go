package toolcall

import (
	"slices"
	"testing"
)

func TestWays(t *testing.T) {
	tests := []struct {
		command string
		want    []string
	}{
		{"go test -run TestOpen ./store", []string{"go test -run"}},
		{"go test -v ./...", []string{"go test"}},
		{"cd web && NODE_ENV=test npm run build -- --mode dev", []string{"npm run build --mode NODE_ENV="}},
		{"wrap pnpm run lint 2>&1 | tail -5", []string{"wrap pnpm run lint", "tail"}},
		{"nix develop -c cargo clippy", []string{"nix develop -c"}},
		{"timeout 60 uv run pytest tests/test_cart.py", []string{"uv run pytest"}},
		{"task run check && task run ship", []string{"task run check", "task run ship"}},
		{"CI=1 npx playwright install chromium", []string{"npx playwright install CI="}},
		{"gh pr diff 12 --patch", []string{"gh pr diff --patch"}},
		{"gh pr diff --patch=x 12", []string{"gh pr diff --patch"}},
		{"git show 1a2b3c --no-stat", []string{"git show --no-stat"}},
		{"git log --oneline -10", []string{"git log --oneline"}},
		{"git -C /src/shop status", []string{"git status -C"}},
		{`git commit -m "test the cart --all"`, []string{"git commit"}},
		{"python3 -m pytest -x", []string{"python3 -m pytest -x"}},
		{`python3 -c "import stripe"`, []string{"python3 -c"}},
		{"./scripts/ship.sh stage", []string{"./scripts/ship.sh stage"}},
		{"/opt/tools/bin/deno task dev", []string{"deno task dev"}},
		{"sudo systemctl restart shop", []string{"sudo systemctl restart"}},
		{"docker compose up -d", []string{"docker compose up -d"}},
		{"cat -A a.txt | head -3", []string{"cat -A", "head"}},
		{"-x", []string{"-x"}},
	}
	for _, tt := range tests {
		if got := waysOf(tt.command); !slices.Equal(got, tt.want) {
			t.Errorf("waysOf(%q) = %q, want %q", tt.command, got, tt.want)
		}
	}
}
