package classifier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/internal/memory/secret/classifier"
	embedder "recollect/lab/embedding"
)

// Limits on the ordinary text from a folder.
const (
	mostRecords   = 40000
	mostParts     = 8000 // per folder
	partsOfAFile  = 6
	linesOfAPart  = 25
	largestFile   = 300 << 10 // bytes
	largestPart   = 4 << 10   // bytes
	mostPrompts   = 12000
	machineRounds = 60
)

// ordinaryFiles are the endings of the files that are read.
var ordinaryFiles = strings.Fields(".go .md .yml .yaml .json .sh .txt .py .js .ts .toml .html .c .h .mod .sum .xml .ini .conf .rst")

// Ordinary returns texts without secrets: prompts written for the embedder, records of its corpus, parts
// of the files in some folders, and texts of machines.
func Ordinary(corpus string, folders []fs.FS) ([]Text, error) {
	random := rand.New(rand.NewPCG(3, 4))
	questions, everyday, err := embedder.Prompts(embedder.Written())
	if err != nil {
		return nil, err
	}
	prompts := sample(random, append(questions, everyday...), mostPrompts)
	records, err := recordsOf(corpus)
	if err != nil {
		return nil, err
	}
	parts := sample(random, records, mostRecords)
	for _, folder := range folders {
		in, err := partsOf(folder, random)
		if err != nil {
			return nil, err
		}
		parts = append(parts, sample(random, in, mostParts)...)
	}
	for range machineRounds {
		parts = append(parts, Machines(random)...)
	}
	m := Machine{random}
	var out []Text
	for i, text := range append(prompts, parts...) {
		if i%2 == 0 {
			text = m.named(text)
		}
		t := Text{Text: text}
		if i%3 == 0 {
			t = t.framed(random)
		}
		out = append(out, t)
	}
	return out, nil
}

// named returns text with one word replaced by a machine's name.
func (m Machine) named(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return text
	}
	word := words[m.IntN(len(words))]
	return strings.Replace(text, word, m.Name(), 1)
}

// sample returns at most n of the texts, in random order.
func sample(random *rand.Rand, texts []string, n int) []string {
	random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	return texts[:min(n, len(texts))]
}

// partsOf returns the parts of the files in a folder that the classifier would search for secrets.
func partsOf(folder fs.FS, random *rand.Rand) ([]string, error) {
	var out []string
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(ordinaryFiles, filepath.Ext(path)) {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > largestFile {
			return err
		}
		content, err := fs.ReadFile(folder, path)
		if err != nil || !utf8.Valid(content) {
			return err
		}
		lines := bytes.Split(content, []byte("\n"))
		for range partsOfAFile {
			from := random.IntN(len(lines))
			part := bytes.Join(lines[from:min(len(lines), from+linesOfAPart)], []byte("\n"))
			if len(part) <= largestPart && classifier.Hinted(string(part)) {
				out = append(out, string(part))
			}
		}
		return nil
	})
	return out, err
}

// recordsOf returns the texts in a corpus folder that the classifier would search for secrets.
func recordsOf(dir string) ([]string, error) {
	f, err := embedder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	d := json.NewDecoder(f)
	for {
		var record struct {
			Subject  string   `json:"a"`
			Headings []string `json:"h"`
			Body     []string `json:"p"`
		}
		if err := d.Decode(&record); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read corpus: %w", err)
		}
		text := strings.Join(append(append(record.Headings, record.Subject), record.Body...), "\n")
		if len(text) <= largestPart && classifier.Hinted(text) {
			out = append(out, text)
		}
	}
}
