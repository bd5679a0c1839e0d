package embedding

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
	"path"
	"strings"
)

//go:embed written
var written embed.FS

// Written returns the training text that was written for recollect, in a folder "written": memories with
// prompts that ask for them, concepts with developers' names for them, words with texts in which they are
// meant, situations in several wordings, and everyday prompts that no memory answers.
func Written() fs.FS { return written }

// Kinds of records made from written text.
const (
	writtenMemory       = "written"      // paragraphs: the memory, prompts that it answers, and one that it does not
	writtenConcept      = "concept"      // paragraphs: names of one thing
	writtenAssociations = "associations" // paragraphs: a word and texts in which it is meant
	writtenSituation    = "situation"    // paragraphs: ways to say one thing
	writtenEveryday     = "everyday"     // paragraph: a prompt that no memory answers
)

// Grades name the prompts of a written memory, in order: those that share several words, one word or none
// with it.
var Grades = []string{"same", "near", "none"}

// isWritten reports whether a record was made from written text and may be trained on.
func isWritten(r *record) bool {
	switch r.Kind {
	case writtenMemory, writtenConcept, writtenAssociations, writtenSituation, writtenEveryday:
		return r.Repo != heldWritten
	}
	return false
}

// One in heldEvery written memories and everyday prompts is never trained on. Its record has the
// repository heldWritten.
const (
	heldEvery   = 10
	heldWritten = "written/held"
)

// eachWritten calls use for a record of every written memory, concept, word, situation and everyday
// prompt, and returns the SHA-256 of the text.
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
		switch {
		case strings.HasPrefix(path.Base(name), "associations"):
			read = readAssociations
		case strings.HasPrefix(path.Base(name), "situations"):
			read = readSituation
		case path.Ext(name) == ".tsv":
			read = readConcept
		case path.Ext(name) == ".txt":
			read = readEveryday
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
	r := record{Kind: writtenMemory, Repo: repoOf(n), Body: []string{m.M, m.Same, m.Near, m.None, m.Miss}}
	for _, text := range r.Body {
		if strings.TrimSpace(text) == "" {
			return record{}, errors.New("a text is missing")
		}
	}
	return r, nil
}

// repoOf returns the repository of line n of a file.
func repoOf(n int) string {
	if n%heldEvery == 0 {
		return heldWritten
	}
	return "written"
}

// readEveryday reads line n of a file of everyday prompts.
func readEveryday(line string, n int) (record, error) {
	if strings.TrimSpace(line) == "" {
		return record{}, errors.New("a prompt is missing")
	}
	return record{Kind: writtenEveryday, Repo: repoOf(n), Body: []string{line}}, nil
}

// readConcept reads a line of a thesaurus: the field, then names of one thing.
func readConcept(line string, _ int) (record, error) {
	fields := strings.Split(line, "\t")
	if len(fields) < 3 {
		return record{}, errors.New("a concept must have a field and two names")
	}
	return record{Kind: writtenConcept, Repo: "written", Body: fields[1:]}, nil
}

// readAssociations reads a line of associations: the forms of a word, or a phrase, then texts in which it
// is meant.
func readAssociations(line string, _ int) (record, error) {
	fields := strings.Split(line, "\t")
	if len(fields) <= leastAssociations {
		return record{}, fmt.Errorf("a word must have %d associations", leastAssociations)
	}
	return record{Kind: writtenAssociations, Repo: "written", Body: fields}, nil
}

// readSituation reads a line with several ways to say one thing.
func readSituation(line string, _ int) (record, error) {
	ways := strings.Split(line, "\t")
	if len(ways) < 2 {
		return record{}, errors.New("a situation must be said in two ways")
	}
	return record{Kind: writtenSituation, Repo: "written", Body: ways}, nil
}

// A Memory is a written memory.
type Memory struct {
	ID      string
	Text    string
	Prompts []string // by grade
	Miss    string   // a similar prompt that it does not answer
}

// Held returns the written memories and everyday prompts that the model is never trained on.
func Held(files fs.FS) (memories []Memory, everyday []string, err error) {
	_, err = eachWritten(files, func(r *record) {
		switch {
		case r.Repo != heldWritten:
		case r.Kind == writtenEveryday:
			everyday = append(everyday, r.Body[0])
		default:
			last := len(Grades) + 1
			memories = append(memories, Memory{ID: fmt.Sprintf("w%d", len(memories)), Text: r.Body[0], Prompts: r.Body[1:last], Miss: r.Body[last]})
		}
	})
	return memories, everyday, err
}

// Prompts returns the prompts that the model is trained on: those that a memory answers, and everyday
// ones.
func Prompts(files fs.FS) (work, everyday []string, err error) {
	_, err = eachWritten(files, func(r *record) {
		switch {
		case r.Repo == heldWritten:
		case r.Kind == writtenEveryday:
			everyday = append(everyday, r.Body[0])
		case r.Kind == writtenMemory:
			work = append(work, r.Body[1:len(Grades)+1]...)
		}
	})
	return work, everyday, err
}
