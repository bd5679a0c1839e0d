package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"
)

// Whatever a line is, it becomes lines of JSON or none.
func FuzzLines(f *testing.F) {
	var begins [][]byte
	for _, name := range []string{"codex.jsonl", "droid.jsonl", "qwen.jsonl", "gemini.jsonl", "copilot.jsonl", "opencode.jsonl", "cursor.jsonl"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		lines := gjson.ParseBytes(append([]byte("["), append(commas(b), ']')...)).Array()
		begins = append(begins, []byte(lines[0].Raw))
		for _, line := range lines {
			f.Add([]byte(line.Raw))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		Detect(line)
		Lines(line)
		for _, begin := range begins {
			out, _ := Detect(begin).Lines(line)
			for _, l := range out {
				if !gjson.Valid(l) {
					t.Errorf("%s: %s became %s", begin, line, l)
				}
			}
		}
	})
}

// commas returns lines with commas between them.
func commas(lines []byte) []byte {
	var out []byte
	for i, c := range lines {
		if c == '\n' && i < len(lines)-1 {
			c = ','
		}
		out = append(out, c)
	}
	return out
}
