package toolcall

import (
	"testing"

	"recollect/internal/agents/claudecode"
)

func TestTryCommand(t *testing.T) {
	tests := []struct{ command, goal string }{
		{"cd web && npm run test -- --watch=false 2>&1 | tail -5", "npm test"},
		{"PYTHONPATH=. python3.11 -m pytest -x tests/a.py", "pytest"},
		{"source .venv/bin/activate && /opt/bin/pip3 install -e .", "pip install"},
		{"sudo systemctl restart nginx", "systemctl restart"},
		{"git add -A && git commit -m 'a b c'", "git commit"},
		{"bash scripts/deploy.sh staging", "bash deploy.sh"},
		{"python3 <<'EOF'\nimport os\nEOF", "python -"},
		{"uv run pytest -q", "pytest"},
		{"ls -la && cat x", ""},
	}
	for _, tt := range tests {
		if got, _ := tryOf(claudecode.Action{Tool: "Bash", Command: tt.command}); got.goal != tt.goal {
			t.Errorf("%s: got %q, want %q", tt.command, got.goal, tt.goal)
		}
	}
}
