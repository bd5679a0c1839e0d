package imports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that cannot be read costs that file.
func TestUnreadFiles(t *testing.T) {
	const fact = "---\nname: a\ndescription: the heron stands\n---\nHeron.\n"
	long := strings.Repeat("x", 17<<20)
	for _, tt := range []struct {
		name, program string
		files         map[string]string // one more is as it should be
		link          string            // which leads to itself
		want          int               // memories
		unread        string            // in what is named, "" for nothing
	}{
		{"odd front matter", "memory-md", map[string]string{"memory/b.md": "---\ndescription: a: b\n---\nFriday.\n"}, "", 2, ""},
		{"no front matter", "memory-md", map[string]string{"memory/b.md": "Friday.\n"}, "", 2, ""},
		{"too long", "memory-md", map[string]string{"memory/b.md": long}, "", 1, "b.md"},
		{"binary", "memory-md", map[string]string{"memory/b.md": "\x00\xff\xfe\x80"}, "", 2, ""},
		{"a link to itself", "memory-md", nil, "memory/b.md", 1, ""},
		{"a folder of that name", "memory-md", map[string]string{"memory/b.md/x.txt": ""}, "", 1, ""},
		{"a broken line", "local-recall", map[string]string{"episodic-memory/1.jsonl": "{\n" + `{"action":"add","id":"1","subject":"crane"}` + "\n"}, "", 2, "1.jsonl:1: "},
		{"a list that is a word", "local-recall", map[string]string{"episodic-memory/1.jsonl": `{"action":"add","id":"1","subject":"crane","keywords":"x"}` + "\n"}, "", 1, "1.jsonl:1: "},
		{"a line that is too long", "local-recall", map[string]string{"episodic-memory/1.jsonl": long + "\n" + `{"action":"add","id":"1","subject":"crane"}`}, "", 2, "1.jsonl:1: has more than 16 MiB"},
		{"half a line", "local-recall", map[string]string{"episodic-memory/1.jsonl": `{"action":"add","id":"1","subject":"crane"}` + "\n" + `{"action":"ad`}, "", 2, "1.jsonl:2: "},
		{"odd front matter there", "local-recall", map[string]string{"episodic-memory/b.md": "---\nid: x\nsubject: a: b\n---\nFriday.\n"}, "", 2, ""},
		{"a file that is too long there", "local-recall", map[string]string{"episodic-memory/b.md": long}, "", 1, "b.md"},
		{"a summary that is too long", "episodic-memory", map[string]string{"p/s-summary.txt": long}, "", 1, "s-summary.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			good := map[string]string{"memory-md": "memory/a.md", "local-recall": "episodic-memory/a.md", "episodic-memory": "p/a-summary.txt"}[tt.program]
			write(t, filepath.Join(dir, filepath.FromSlash(good)), fact)
			for name, text := range tt.files {
				write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			}
			if link := filepath.Join(dir, filepath.FromSlash(tt.link)); tt.link != "" && os.Symlink(link, link) != nil {
				t.Skip("no links here")
			}
			got, unread, err := readSome(t, tt.program, dir)
			if err != nil || len(got) != tt.want {
				t.Errorf("%d memories, %v; want %d", len(got), err, tt.want)
			}
			if (len(unread) == 1) != (tt.unread != "") || tt.unread != "" && !strings.Contains(unread[0].Error(), tt.unread) {
				t.Errorf("unread %.200v, want %q", unread, tt.unread)
			}
		})
	}
}
