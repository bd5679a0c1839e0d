package train

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed written
var written embed.FS

// Written returns the training text that was written for recollect, in a folder "written": memories
// with the prompts that ask for them, and concepts with what developers call them.
func Written() fs.FS { return written }

// Kinds of the records that are made of written text.
const (
	writtenMemory  = "written" // its paragraphs are the memory, prompts that it answers, and one that it does not
	writtenConcept = "concept" // its paragraphs are names of one thing
)

// writtenGrades are the prompts of a written memory, in the order of its paragraphs: those that share
// several words, one word or none with it.
var writtenGrades = []string{"same", "near", "none"}

// One written memory in heldEvery is never trained on: its record has the repository heldWritten.
const (
	heldEvery   = 10
	heldWritten = "written/held"
)

// eachWritten calls use for a record of every written memory and concept, and returns the SHA-256
// of the text.
func eachWritten(files fs.FS, use func(*record)) (string, error) {
	names, err := fs.Glob(files, "written/*")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		sum.Write(text)
		read := readMemory
		if strings.HasSuffix(name, ".tsv") {
			read = readConcept
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for n := 1; lines.Scan(); n++ {
			r, err := read(lines.Text(), n)
			if err != nil {
				return "", fmt.Errorf("read %s, line %d: %w", name, n, err)
			}
			use(&r)
		}
		if err := lines.Err(); err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// readMemory reads line n of a file of memories.
func readMemory(line string, n int) (record, error) {
	var m struct{ M, Same, Near, None, Miss string }
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return record{}, err
	}
	r := record{Kind: writtenMemory, Repo: "written", Body: []string{m.M, m.Same, m.Near, m.None, m.Miss}}
	if n%heldEvery == 0 {
		r.Repo = heldWritten
	}
	for _, text := range r.Body {
		if strings.TrimSpace(text) == "" {
			return record{}, errors.New("a text is missing")
		}
	}
	return r, nil
}

// readConcept reads a line of a thesaurus: the field, then names of one thing.
func readConcept(line string, _ int) (record, error) {
	fields := strings.Split(line, "\t")
	if len(fields) < 3 {
		return record{}, errors.New("a concept must have a field and two names")
	}
	return record{Kind: writtenConcept, Repo: "written", Body: fields[1:]}, nil
}
