package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func reply(extra, usage string) string {
	return `{"type":"assistant",` + extra + `"message":{"id":"m1","model":"claude-opus-5-5","content":[],"usage":{` + usage + `}}}` + "\n"
}

func TestReadUsage(t *testing.T) {
	const first = `"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":40000`
	const second = `"input_tokens":7`
	const compacted = `{"type":"system","subtype":"compact_boundary","compactMetadata":{"preTokens":130053,"postTokens":2649}}` + "\n"
	long := `{"type":"user","message":{"content":"` + strings.Repeat("x", 600<<10) + `"}}` + "\n"
	full := Usage{"claude-opus-5-5", 43210}
	tests := []struct {
		name, file, text string
		want             Usage
	}{
		{"empty", "s.jsonl", "", Usage{}},
		{"no reply", "s.jsonl", `{"type":"user","message":{"content":"hi","usage":{"input_tokens":9}}}` + "\n", Usage{}},
		{"all parts count", "s.jsonl", reply("", first), full},
		{"the last one counts", "s.jsonl", reply("", first) + reply("", second), Usage{"claude-opus-5-5", 7}},
		{"behind a long result", "s.jsonl", reply("", first) + long, full},
		{"a compaction came later", "s.jsonl", reply("", first) + compacted, Usage{"", 2649}},
		{"a compaction came before", "s.jsonl", compacted + reply("", first), full},
		{"a sub-agent's reply is none of the session", "s.jsonl", reply("", first) + reply(`"isSidechain":true,`, second), full},
		{"in the sub-agent's own", "agent-a1.jsonl", reply(`"isSidechain":true,`, second), Usage{"claude-opus-5-5", 7}},
		{"an error is no reply", "s.jsonl", reply("", first) + reply(`"isApiErrorMessage":true,`, second), full},
		{"a line that is not finished", "s.jsonl", reply("", first) + strings.TrimSuffix(reply("", second), "}}\n"), full},
		{"no number", "s.jsonl", reply("", `"input_tokens":"many","output_tokens":-4`), Usage{"claude-opus-5-5", 0}},
		{"text that looks like one", "s.jsonl", reply("", first) + `{"type":"user","message":{"content":"\"usage\" \"compact_boundary\""}}` + "\n", full},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.file)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := ReadUsage(path); err != nil || got != tt.want {
				t.Errorf("ReadUsage() = %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestReadUsageOfNothing(t *testing.T) {
	if _, err := ReadUsage(filepath.Join(t.TempDir(), "none.jsonl")); err == nil {
		t.Error("no error where there is no transcript")
	}
}
