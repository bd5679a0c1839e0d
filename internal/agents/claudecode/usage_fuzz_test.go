package claudecode

import (
	"os"
	"path/filepath"
	"testing"
)

func FuzzReadUsage(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"model":"x","usage":{"input_tokens":3,"output_tokens":4}}}` + "\n"))
	f.Add([]byte(`{"type":"system","subtype":"compact_boundary","compactMetadata":{"postTokens":-1}}`))
	f.Add([]byte(`{"type":"assistant","message":{"usage":{"input_tokens":1e300}}}` + "\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "s1.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if u, err := ReadUsage(path); err != nil || u.Tokens < 0 {
			t.Errorf("%q: %+v, %v", text, u, err)
		}
	})
}

func FuzzAgentType(f *testing.F) {
	f.Add([]byte(`{"agentType":"Explore"}`))
	f.Add([]byte(`{"agentType":{"a":[1]}}`))
	f.Fuzz(func(t *testing.T, meta []byte) { AgentType(meta) })
}
