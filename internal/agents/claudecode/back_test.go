package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A prompt is found by its id, however much came after it, and the last one without.
func TestReadPrompt(t *testing.T) {
	line := func(id, text, more string) string {
		return `{"type":"user","uuid":"u` + id + `","promptId":"` + id + `",` + more + `"message":{"role":"user","content":` + text + `}}` + "\n"
	}
	const ofProgram = `"entrypoint":"sdk-cli","turnOrigin":"sdk",`
	first, result := line("1", `"fire the kiln"`, ""), line("1", `[{"type":"tool_result","content":"hot"}]`, "")
	second := line("2", `[{"type":"text","text":"glaze it"}]`, ofProgram)
	blob := `{"type":"api-request-blob","text":"` + strings.Repeat("x", 300<<10) + `"}` + "\n"
	asFirst, asSecond := Turn{ID: "u1", PromptID: "1", Prompt: "fire the kiln"}, Turn{ID: "u2", PromptID: "2", Prompt: "glaze it", Program: true, Entry: "sdk-cli"}
	for _, tt := range []struct {
		name, text, id string
		found          bool
		want           Turn
	}{
		{"nothing", "", "1", false, Turn{}},
		{"the last one", first + second, "", true, beginsAt(len(first), asSecond)},
		{"by its id", first + second, "1", true, asFirst},
		{"not written yet", first + second, "3", false, Turn{}},
		{"an id that begins like it", line("11", `"look"`, ""), "1", false, Turn{}},
		{"behind a result", first + result, "1", true, asFirst},
		{"far from the end", blob + first + blob + result + blob, "", true, beginsAt(len(blob), asFirst)},
		{"where the end that is read first begins", first + strings.Repeat("\n", leastTail-len(second)) + second, "2", true, beginsAt(len(first)+leastTail-len(second), asSecond)},
		{"a command with its text", line("1", `"<command-message>fire</command-message><command-name>/fire</command-name><command-args>the kiln</command-args>"`, "") + line("1", `"Fire it so."`, `"isMeta":true,`), "1", true,
			Turn{ID: "u1", PromptID: "1", Prompt: "the kiln", Command: "/fire"}},
		{"interrupted", first + line("1", `"[Request interrupted by user]"`, ""), "1", true, asFirst},
		{"a summary", first + line("1", `"so far: fired"`, `"isCompactSummary":true,`), "1", true, asFirst},
		{"a notification", first + line("2", `"<task-notification>it is hot</task-notification>"`, `"turnOrigin":"task_notification",`), "", true, beginsAt(len(first), Turn{ID: "u2", PromptID: "2"})},
		{"a message of another session", line("1", `"it is hot"`, `"isMeta":true,"origin":{"kind":"peer"},`), "1", true, Turn{ID: "u1", PromptID: "1"}},
		{"a picture alone", line("1", `[{"type":"image"}]`, ""), "1", true, Turn{ID: "u1", PromptID: "1"}},
		{"a sub-agent's", line("1", `"look"`, `"isSidechain":true,`), "1", false, Turn{}},
		{"still being written", first + strings.TrimSuffix(second, "}\n"), "2", false, Turn{}},
		{"no JSON", `"promptId":"1"` + "\n{\n", "1", false, Turn{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s1.jsonl")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, found, err := ReadPrompt(path, tt.id)
			if err != nil || found != tt.found {
				t.Errorf("ReadPrompt() = %t, %v, want %t", found, err, tt.found)
			}
			if diff := cmp.Diff(tt.want, got); found && diff != "" {
				t.Errorf("ReadPrompt (-want +got):\n%s", diff)
			}
		})
	}
	if _, _, err := ReadPrompt(filepath.Join(t.TempDir(), "none.jsonl"), ""); err == nil {
		t.Error("read a transcript that is not there")
	}
}

func beginsAt(offset int, t Turn) Turn {
	t.Start = int64(offset)
	return t
}

func TestEndHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(`"toolu_1"`+strings.Repeat(" ", leastTail)+`"toolu_2"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if EndHas(path, `"toolu_1"`) || !EndHas(path, `"toolu_2"`) || EndHas(path+"x", "") {
		t.Error("want the second call alone, and nothing where there is no file")
	}
}
