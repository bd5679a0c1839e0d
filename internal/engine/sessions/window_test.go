package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/config"
	"recollect/internal/recall"
)

// The rule of the share, before budget.tokens caps it.
func TestAllowance(t *testing.T) {
	b := config.Default().Budget
	for _, tt := range []struct{ used, want int }{
		{0, 40_000},
		{20_000, 36_000},
		{50_000, 30_000},
		{120_000, 16_000},
		{180_000, 4_000},
		{194_000, 1_200},
		{200_000, 0},
	} {
		w := windowOf(claudecode.Usage{Model: "claude-opus-5-5", Tokens: tt.used}, 200_000)
		if got := allowance(b, w.left()); got != tt.want {
			t.Errorf("with %d of 200,000 used: %d tokens, want %d", tt.used, got, tt.want)
		}
	}
}

func TestNarrow(t *testing.T) {
	tests := []struct {
		name          string
		model         string
		used, window  int
		tokens, tools int
		short         bool
	}{
		{"nothing known", "", 0, 0, 2000, 400, false},
		{"10 % full", "claude-opus-5-5", 20_000, 0, 2000, 400, false},
		{"60 % full", "claude-opus-5-5", 120_000, 0, 2000, 400, false},
		{"90 % full", "claude-opus-5-5", 180_000, 0, 2000, 400, false},
		{"96 % full", "claude-opus-5-5", 192_000, 0, 1600, 400, true},
		{"97 % full", "claude-opus-5-5", 194_000, 0, 1200, 400, true},
		{"99.5 % full", "claude-opus-5-5", 199_000, 0, 200, 200, true},
		{"full", "claude-opus-5-5", 200_000, 0, 0, 0, true},
		{"a large window by its name", "claude-opus-5-5[1m]", 194_000, 0, 2000, 400, false},
		{"a large window by what is in it", "claude-opus-5-5", 300_000, 0, 2000, 400, false},
		{"a window that was set", "claude-opus-5-5", 60_000, 64_000, 800, 400, false},
		{"more than there is room for", "claude-opus-5-5", 70_000, 64_000, 0, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var req recall.Request
			req.Settings.Config = config.Default()
			windowOf(claudecode.Usage{Model: tt.model, Tokens: tt.used}, tt.window).Narrow(&req)
			tokens, tools := req.Settings.Budget.Tokens, req.Settings.Tools.Tokens
			if tokens != tt.tokens || tools != tt.tools || req.HeadingsOnly != tt.short {
				t.Errorf("a prompt has %d tokens, a tool %d, short %t, want %d, %d, %t", tokens, tools, req.HeadingsOnly, tt.tokens, tt.tools, tt.short)
			}
		})
	}
}

// usageLine is a reply's line of a transcript.
func usageLine(tokens int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"model":"claude-opus-5-5","usage":{"input_tokens":%d}}}`+"\n", tokens)
}

func TestWindowsFollowTranscript(t *testing.T) {
	var u Windows
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if got := u.usage(path); got.Tokens != 0 {
		t.Errorf("before there is a transcript: %+v, want nothing", got)
	}
	for _, n := range []int{1000, 20_000, 5} {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(usageLine(n)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := u.usage(path); got.Tokens != n {
				t.Errorf("after a reply with %d tokens: %+v", n, got)
			}
		}
	}
}
