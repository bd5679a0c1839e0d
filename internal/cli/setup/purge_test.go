package setup

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOwnNames wants purge and the table of the data folder in docs/storage.md to have the same names.
func TestOwnNames(t *testing.T) {
	page, err := os.ReadFile("../../../docs/storage.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| file | content |")
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
	for _, name := range ownNames {
		if !strings.Contains(table, "`"+name+"`") && !strings.Contains(table, "`"+name+"/`") {
			t.Errorf("docs/storage.md does not name %s", name)
		}
	}
}
