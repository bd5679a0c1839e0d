package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// exports returns n memories as an export has them, each on a line.
func exports(n int) []string {
	var lines []string
	for i := range n {
		m := memory.Memory{
			Source: memory.Journal, Title: fmt.Sprintf("the orders pool %d has 25 connections", i), Text: "decided {on} [Monday], \"finally\"\n---\nand \\ more",
			Fields: map[string]string{"rationale": "pods"}, Files: []string{"a.go", "b.go"},
		}
		if err := m.Normalize(); err != nil {
			panic(err)
		}
		b, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(b))
	}
	return lines
}

// reformat writes JSON as another program does.
func reformat(value, prefix, indent string) string {
	var v any
	if err := json.Unmarshal([]byte(value), &v); err != nil {
		panic(err)
	}
	var b []byte
	var err error
	if b, err = json.Marshal(v); indent != "" { // sorts the keys
		b, err = json.MarshalIndent(v, prefix, indent)
	}
	if err != nil {
		panic(err)
	}
	return string(b)
}

func each(lines []string, f func(string) string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, f(l))
	}
	return out
}

// importFile has a new store read a file of some text.
func importFile(t *testing.T, name, text string) (Done, error) {
	t.Helper()
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return d.capture.File(context.Background(), Input{Path: path, Whole: true}, func(string) memory.Project { return memory.Project{} })
}

// An export is read in whatever form a formatter has left it.
func TestFormattedExports(t *testing.T) {
	lines := exports(3)
	sorted := each(lines, func(l string) string { return reformat(l, "", "") })
	spread := each(lines, func(l string) string { return reformat(l, "", "  ") })
	item := each(lines, func(l string) string { return "  " + reformat(l, "  ", "  ") })
	tests := []struct{ name, text string }{
		{"as written", strings.Join(lines, "\n") + "\n"},
		{"no newline at the end", strings.Join(lines, "\n")},
		{"sorted keys", strings.Join(sorted, "\n")},
		{"byte order mark", "\ufeff" + strings.Join(lines, "\n")},
		{"carriage returns", strings.Join(lines, "\r\n")},
		{"empty lines", "\n\n" + strings.Join(lines, "\n\n\n")},
		{"spread", strings.Join(spread, "\n")},
		{"spread, carriage returns", strings.ReplaceAll(strings.Join(spread, "\n"), "\n", "\r\n")},
		{"list", "[\n" + strings.Join(item, ",\n") + "\n]\n"},
		{"list of lines", "[\n  " + strings.Join(lines, ",\n  ") + "\n]\n"},
		{"list in one line", "[" + strings.Join(lines, ",") + "]"},
		{"byte order mark, list", "\ufeff[" + strings.Join(lines, ",") + "]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			done, err := importFile(t, "x.jsonl", tt.text)
			if err != nil || done != (Done{Added: 3}) {
				t.Errorf("took %+v, %v, want 3 memories", done, err)
			}
		})
	}
}

// What cannot be read is left out, and the rest is taken.
func TestDamagedExports(t *testing.T) {
	lines := exports(3)
	torn, long := lines[1][:60], `{"id":"`+strings.Repeat("x", 2*maxRecord)
	spread := reformat(lines[1], "", "  ")
	tests := []struct {
		name, text string
		want       Done
		err        string
	}{
		{"torn line", lines[0] + "\n" + torn + "\n" + lines[2], Done{Added: 2, Skipped: 1}, ""},
		{"torn first line", torn + "\n" + lines[0] + "\n" + lines[2], Done{Added: 2, Skipped: 1}, ""},
		{"endless line", lines[0] + "\n" + long + "\n" + lines[2], Done{Added: 2, Skipped: 1}, ""},
		{"torn value", spread + "\n" + spread[:60], Done{Added: 1}, "byte"},
		{"torn list", "[" + lines[0] + "," + lines[1] + ",", Done{Added: 2}, "byte"},
		{"endless value", spread + "\n" + long, Done{Added: 1}, "more than 4 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			done, err := importFile(t, "x.jsonl", tt.text)
			if done.Unreadable != tt.want.Skipped || done.Unreadable > 0 && !strings.Contains(done.Unread, "x.jsonl: line ") {
				t.Errorf("%d could not be read: %q; want %d, and where", done.Unreadable, done.Unread, tt.want.Skipped)
			}
			done.Unreadable, done.Unread = 0, ""
			if done != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("took %+v, %v, want %+v and an error with %q", done, err, tt.want, tt.err)
			}
		})
	}
}

// A newer version knows more of a memory than this one could keep.
func TestNewerRecordsAreRefused(t *testing.T) {
	line := exports(1)[0]
	for _, newer := range []string{
		strings.Replace(line, `"v":1`, `"v":2`, 1),
		strings.Replace(line, `"v":1`, `"v":2,"tags":{"kind":"new"}`, 1),
		strings.Replace(line, `"v":1`, `"v":1,"links":["dec-1"]`, 1),
	} {
		for name, text := range map[string]string{"alone": newer, "with others": line + "\n" + newer} {
			done, err := importFile(t, "x.jsonl", text)
			if err != nil || done.Skipped != 1 || done.Unreadable != 1 || done.Added != strings.Count(text, "\n") || !strings.Contains(done.Left, "a newer recollect wrote it") {
				t.Errorf("%s: took %+v, %v of %s", name, done, err, text)
			}
		}
	}
}

func TestImportSaysWhyItTookNothing(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"empty", "x.jsonl", "", "the file is empty"},
		{"empty lines", "x.jsonl", "\n \n", "it is no transcript and no export: it has only empty lines"},
		{"prose", "x.jsonl", "\nhello", "it is no transcript and no export: line 2 is no JSON object"},
		{"other JSON", "x.jsonl", `{"a":1}`, `it is no transcript and no export: line 1 has no "type", as in a transcript, and no "source", as in an export`},
		{"no id", "x.jsonl", `{"source":"journal"}`, `it is no transcript and no export: line 1 has no "id", as in an export`},
		{"list", "x.jsonl", "[1,2]", "it is no transcript and no export: line 1 is no JSON object"},
		{"UTF-16", "x.jsonl", "\xff\xfe{\x00", "it is no transcript and no export: line 1 is UTF-16; save the file as UTF-8"},
		{"long line", "x.jsonl", strings.Repeat("x", maxShown+1), "it is no transcript and no export: line 1 has more than 1 MiB"},
		{"no prompt", "x.jsonl", `{"type":"summary","summary":"x"}` + "\n", "it is a transcript, but none of its lines (1) is a prompt that somebody typed"},
		{"Markdown", "x.md", "\n", "the file is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			done, err := importFile(t, tt.file, tt.text)
			if err != nil || !done.isNothing() || done.Left != tt.want {
				t.Errorf("took %+v, %v, want nothing, because %s", done, err, tt.want)
			}
		})
	}
}

// One that cannot be read costs that one, and is named.
func TestImportNamesWhatItLeftOut(t *testing.T) {
	lines := exports(2)
	number := func(text string) string { return lines[0] + "\n" + text + "\n" + lines[1] }
	front := func(front string) string {
		return "---\nid: a\n---\nA\n\n---\nid: b\n" + front + "\n---\nB\n\n---\nid: c\n---\nC\n"
	}
	tests := []struct {
		name, file, text string
		added            int
		want             string // in what is named, "" for nothing
	}{
		{"nothing wrong", "x.jsonl", strings.Join(lines, "\n"), 2, ""},
		{"a tombstone", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"journal","deleted":true}`), 2, ""},
		{"words", "x.jsonl", number("hello"), 2, "x.jsonl: line 2: it is no JSON"},
		{"a text that is a number", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"journal","text":7}`), 2, "x.jsonl: line 2: json"},
		{"a time that is none", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"journal","title":"a","occurred_at":"soon"}`), 2, "x.jsonl: line 2: "},
		{"a source that is none", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"diary","title":"a"}`), 2, `x.jsonl: line 2: source "diary"`},
		{"nothing said", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"journal"}`), 2, "x.jsonl: line 2: text: must not be empty"},
		{"too sure", "x.jsonl", number(`{"v":1,"id":"dec-000000000001","source":"journal","title":"a","confidence":9}`), 2, "x.jsonl: line 2: confidence 9"},
		{"a newer one", "x.jsonl", number(`{"v":9,"id":"dec-000000000001","source":"journal","title":"a"}`), 2, "x.jsonl: line 2: a newer recollect wrote it: version 9"},
		{"odd front matter", "x.md", front("keywords: [x"), 2, "x.md:8: front matter: "},
		{"a word for a number", "x.md", front("confidence: high"), 2, `x.md:8: confidence: "high": must be a number`},
		{"a number that is too large", "x.md", front("confidence: 9"), 2, "x.md:6: confidence 9: must be between 0 and 1"},
		{"a source that is none, in Markdown", "x.md", front("source: diary"), 2, `x.md:8: source: source "diary"`},
		{"not closed", "x.md", "---\nid: a\n", 0, "x.md:1: front matter: has no closing ---"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			done, err := importFile(t, tt.file, tt.text)
			if err != nil || done.Added != tt.added || (done.Unreadable == 1) != (tt.want != "") || !strings.Contains(done.Unread, tt.want) {
				t.Errorf("took %+v, %v; want %d memories, and %q named", done, err, tt.added, tt.want)
			}
		})
	}
}
