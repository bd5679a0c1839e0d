//go:build e2e

package e2e

import (
	"flag"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite docs/prompt.svg")

// pictured is the prompt of the picture in the README.
const pictured = "why is the primary key of orders still a number, and what is the UUID for?"

// ofPath finds the part of an id that depends on the path of the project.
var ofPath = regexp.MustCompile(`((?:hand|th)-)[0-9a-f]{12}`)

// TestPicture sends a prompt over the sample transcripts. The picture in the README shows it with
// what the model got.
func TestPicture(t *testing.T) {
	t.Parallel()
	w := newWorld(t, newKit(t))
	w.must(t, w.recollect(), "import", w.samples(t))
	w.moveOn(t) // or the start of the session would say it
	got := block(w.ask(t, pictured, []turn{{text: "It is for links."}}))
	if !strings.Contains(got, "The bigint primary key stays for joins") {
		t.Fatalf("the model got %q, want what the sample session found out", got)
	}
	path := filepath.Join(w.kit.root, "docs", "prompt.svg")
	want := picture(pictured, ofPath.ReplaceAllString(got, "$1…")+"</memory-data>")
	if *update {
		writeFile(t, path, []byte(want), 0o644)
	}
	if readFile(t, path) != want {
		t.Errorf("docs/prompt.svg is not what the client sends; to rewrite it: go test -tags e2e ./lab/e2e -run TestPicture -update\n%s", got)
	}
}

// samples returns a folder with the sample transcripts as if they were of the world's project.
func (w *world) samples(t *testing.T) string {
	t.Helper()
	const from = "/home/dev/src/orders-api"
	sources := filepath.Join(w.kit.root, "testdata", "transcripts", "projects")
	files, err := filepath.Glob(filepath.Join(sources, "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("sample transcripts: %v, %d found", err, len(files))
	}
	to := filepath.Join(w.client.home, "tmp", "samples")
	for _, path := range files {
		name, err := filepath.Rel(sources, path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(readFile(t, path), from, w.client.project)
		writeFile(t, filepath.Join(to, name), []byte(text), 0o600)
	}
	return to
}

// Sizes of the picture, in pixels but for columns.
const (
	columns  = 108
	width    = columns*785/100 + 2*margin
	leading  = 20
	margin   = 24
	fontSize = 13
)

// picture draws a prompt and the block beneath it.
func picture(prompt, block string) string {
	var lines strings.Builder
	y := margin
	draw := func(class, text string) {
		y += leading
		fmt.Fprintf(&lines, "<text class=%q x=\"%d\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", class, margin, y, html.EscapeString(text))
	}
	draw("label", "You type")
	for _, line := range wrap("> "+prompt, columns) {
		draw("prompt", line)
	}
	y += leading / 2
	draw("label", "With it, Claude receives")
	for line := range strings.Lines(html.UnescapeString(block)) {
		class := "text"
		if strings.HasPrefix(line, "<") {
			class = "frame"
		} else if strings.HasPrefix(line, "[") {
			class = "heading"
		}
		for _, part := range wrap(strings.TrimRight(line, "\n"), columns) {
			draw(class, part)
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">
<style>
text { font: %dpx ui-monospace, Menlo, Consolas, monospace; fill: #d6d9e0 }
.label { fill: #7d8590; font-family: system-ui, sans-serif }
.prompt { fill: #ffffff; font-weight: 600 }
.frame { fill: #7d8590 }
.heading { fill: #7ee0b8 }
</style>
<rect width="100%%" height="100%%" rx="10" fill="#14181f"/>
%s</svg>
`, width, y+margin, fontSize, lines.String())
}

// wrap breaks a line at spaces; what follows is indented as its list is.
func wrap(line string, columns int) []string {
	indent := strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " ->")))
	var out []string
	now := ""
	for _, word := range strings.SplitAfter(line, " ") {
		if utf8.RuneCountInString(now+strings.TrimRight(word, " ")) > columns && strings.TrimSpace(now) != "" {
			out, now = append(out, strings.TrimRight(now, " ")), indent
		}
		now += word
	}
	return append(out, now)
}
