package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOwnNames wants purge to know every name in the README's table of the data folder.
func TestOwnNames(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "| file | content |")
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for row := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			name, _, _ := strings.Cut(quoted[1], "/")
			names = append(names, name)
		}
	}
	if len(names) < 15 {
		t.Fatalf("the table has only %q", names)
	}
	for _, name := range names {
		if !slices.Contains(ownNames, name) {
			t.Errorf("purge does not know %s", name)
		}
	}
}
