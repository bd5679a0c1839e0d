package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// shippedTable is what FormatConcepts returns for the shipped synonyms, made by scripts/train. Reading
// their TOML and finding their terms would take a tenth of a second at every start of the daemon.
//
//go:embed synonyms.tsv
var shippedTable string

// ReadConcepts reads the concepts in all files of a folder, which have the form of a user's
// synonyms.toml.
func ReadConcepts(folder fs.FS) ([]Concept, error) {
	lines, err := readSynonyms(folder)
	return conceptsOf(lines), err
}

func readSynonyms(folder fs.FS) ([]synonymLine, error) {
	var all []synonymLine
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		lines, err := decodeSynonyms(path, string(text))
		all = append(all, lines...)
		return err
	})
	return all, err
}

// FormatConcepts returns a table with one concept per line: the text, the terms and the closeness of each
// name, separated by tabs.
func FormatConcepts(concepts []Concept) string {
	var b strings.Builder
	for _, c := range concepts {
		for i, n := range c.Names {
			if i > 0 {
				b.WriteByte('\t')
			}
			fmt.Fprintf(&b, "%s\t%s\t%v", n.Text, n.Terms, n.Closeness)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shippedConcepts returns the concepts of the shipped files.
func shippedConcepts() []Concept {
	concepts, err := parseConcepts(shippedTable)
	if err != nil {
		panic("recollect: embedded synonyms: " + err.Error())
	}
	return concepts
}

// parseConcepts reads the output of FormatConcepts. The names share the memory of text.
func parseConcepts(text string) ([]Concept, error) {
	concepts := make([]Concept, 0, strings.Count(text, "\n"))
	names := make([]Name, 0, (strings.Count(text, "\t")+2)/3+len(concepts)) // one array for all concepts
	for line := range strings.Lines(text) {
		first := len(names)
		for rest := strings.TrimSuffix(line, "\n"); rest != ""; {
			var n Name
			var closeness string
			n.Text, rest, _ = strings.Cut(rest, "\t")
			n.Terms, rest, _ = strings.Cut(rest, "\t")
			closeness, rest, _ = strings.Cut(rest, "\t")
			var err error
			if n.Closeness, err = strconv.ParseFloat(closeness, 64); err != nil {
				return nil, errors.New("closeness: " + err.Error())
			}
			names = append(names, n)
		}
		concepts = append(concepts, Concept{Names: names[first:len(names):len(names)]})
	}
	return concepts, nil
}
