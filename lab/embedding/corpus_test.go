package embedding

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

func zip(t *testing.T, data string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(data), nil)
}

// readAll is the records of a folder and its hash.
func readAll(t *testing.T, dir string) ([]record, string) {
	t.Helper()
	var got []record
	hash, err := eachRecord(dir, func(r *record) { got = append(got, *r) })
	if err != nil {
		t.Fatal(err)
	}
	return got, hash
}

func TestEachRecord(t *testing.T) {
	const commits = `{"k":"commit","r":"a/b","a":"subject","p":["one","two"]}` + "\n\n" +
		`{"k":"doc","r":"a/b","h":["Guide","Start"],"p":["text"],"later":1}` + "\n"
	const pairs = `{"k":"ws","a":"fast","b":"quick"}` // no line break at the end
	want := []record{
		{Kind: "commit", Repo: "a/b", Subject: "subject", Body: []string{"one", "two"}},
		{Kind: "doc", Repo: "a/b", Headings: []string{"Guide", "Start"}, Body: []string{"text"}},
		{Kind: "ws", Subject: "fast", Other: "quick"},
	}
	sum := sha256.Sum256([]byte(commits + pairs))
	for name, dir := range map[string]string{"plain": t.TempDir(), "packed": t.TempDir()} {
		if name == "plain" {
			write(t, dir, corpusFiles[0], []byte(commits))
			write(t, dir, corpusFiles[1], []byte(pairs))
		} else {
			write(t, dir, corpusFiles[0]+".zst", zip(t, commits))
			write(t, dir, corpusFiles[1]+".zst", zip(t, pairs))
		}
		got, hash := readAll(t, dir)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: records (-want +got):\n%s", name, diff)
		}
		if hash != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: hash %s, want that of the unpacked text, %x", name, hash, sum)
		}
	}
}

func TestReadCorpusErrors(t *testing.T) {
	const good = `{"k":"doc"}` + "\n"
	packed := zip(t, good+strings.Repeat("x", 99))
	for _, tt := range []struct{ name, file, text, want string }{
		{"no folder", "", "", "open corpus"},
		{"no dictionary", corpusFiles[0], good, "open corpus"},
		{"no JSON", corpusFiles[0], good + "hello\n", "corpus.jsonl, line 2"},
		{"cut line", corpusFiles[0], good + good + `{"k":"do`, "corpus.jsonl, line 3"},
		{"empty lines count", corpusFiles[0], "\n\n" + good + "[]\n", "corpus.jsonl, line 4"},
		{"field of another type", corpusFiles[0], `{"p":"text"}`, "corpus.jsonl, line 1"},
		{"two records on a line", corpusFiles[0], good + `{"k":"doc"}{"k":"doc"}` + "\n", "corpus.jsonl, line 2"},
		{"not packed", corpusFiles[0] + ".zst", "hello", "corpus.jsonl.zst"},
		{"packed, no JSON", corpusFiles[0] + ".zst", string(packed), "corpus.jsonl.zst, line 2"},
		{"packed and cut", corpusFiles[0] + ".zst", string(packed[:len(packed)-3]), "corpus.jsonl.zst"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.file != "" {
				write(t, dir, tt.file, []byte(tt.text))
			}
			if _, err := readCorpus(dir, someWritten, tinySettings()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("readCorpus: %v, want an error with %q", err, tt.want)
			}
		})
	}
	t.Run("dictionary", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, corpusFiles[0], []byte(good))
		write(t, dir, corpusFiles[1], []byte(good+"{\n"))
		if _, err := Embedder(dir, someWritten, tinySettings(), t.Output()); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, corpusFiles[1])+", line 2") {
			t.Errorf("Embedder: %v, want an error with the dictionary's line", err)
		}
	})
}

// The longest section of a document is longer than any buffer.
func TestReadLongLine(t *testing.T) {
	var line bytes.Buffer
	long := strings.Repeat("word ", 1<<19)
	jsonLine(t, &line, map[string]any{"k": "doc", "p": []string{long}})
	dir := t.TempDir()
	write(t, dir, corpusFiles[0], line.Bytes())
	write(t, dir, corpusFiles[1], nil)
	got, _ := readAll(t, dir)
	if len(got) != 1 || len(got[0].Body) != 1 || got[0].Body[0] != long {
		t.Error("a line of 2.5 MB comes back changed")
	}
}
