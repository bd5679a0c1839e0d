package capture

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/internal/agents/transcript"
	"recollect/internal/capture/finding"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/crash"
	"recollect/internal/text/consolidate"
)

// Whatever of the records of transcripts is in a file, in whichever order, how often and cut
// wherever, is captured, without a turn that panics.
//
// RECOLLECT_STRESS_TRANSCRIPTS is a folder of further transcripts, or several as in PATH,
// RECOLLECT_STRESS_FOR how long to go on, and RECOLLECT_STRESS_SEED, SEED or SEED:ROUND, what to
// begin with, by which a finding comes again.
func TestMangledTranscripts(t *testing.T) {
	m := newMangler(t)
	until, most := time.Now().Add(stressFor(t)), uint64(150)
	if testing.Short() {
		most = 40
	}
	for n := m.first; time.Now().Before(until) || n < m.first+most; n++ {
		m.round(n)
	}
	t.Logf("%d files, %d turns, %d memories; the slowest took %v (round %d)", m.files, m.turns, m.memories, m.slowest.Round(time.Millisecond), m.slowestRound)
	for reason, round := range m.found {
		t.Errorf("seed %d, round %d: %s", m.seed, round, reason)
	}
}

func stressFor(t *testing.T) time.Duration {
	d, err := time.ParseDuration(os.Getenv("RECOLLECT_STRESS_FOR"))
	if err != nil && os.Getenv("RECOLLECT_STRESS_FOR") != "" {
		t.Fatal(err)
	}
	return d
}

// A mangler makes files of the records of transcripts, and captures them.
type mangler struct {
	t     *testing.T
	seed  uint64
	first uint64 // round
	paths []string
	desk  *desk
	rand  *rand.Rand

	files, turns, memories int
	slowest                time.Duration
	slowestRound           uint64
	found                  map[string]uint64 // the round of each panic
}

func newMangler(t *testing.T) *mangler {
	m := &mangler{t: t, found: map[string]uint64{}}
	folders := filepath.SplitList(os.Getenv("RECOLLECT_STRESS_TRANSCRIPTS"))
	if len(folders) == 0 {
		folders = []string{filepath.Join("..", "..", "testdata", "transcripts"), filepath.Join("testdata", "labelled")}
	}
	for _, folder := range folders {
		files, err := transcript.Files(folder)
		if err != nil {
			t.Fatal(err)
		}
		m.paths = append(m.paths, slices.DeleteFunc(files, func(path string) bool { return !transcript.IsFile(path) })...)
	}
	if len(m.paths) == 0 {
		t.Fatalf("no transcripts in %q", folders)
	}
	if seed := os.Getenv("RECOLLECT_STRESS_SEED"); seed != "" {
		seed, round, _ := strings.Cut(seed, ":")
		var err, bad error
		m.seed, err = strconv.ParseUint(seed, 10, 64)
		m.first, bad = strconv.ParseUint(cmp.Or(round, "0"), 10, 64)
		if err = errors.Join(err, bad); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// deskEvery is how many rounds share a store: what is known already is part of the input.
const deskEvery = 100

func (m *mangler) round(n uint64) {
	m.rand = rand.New(rand.NewPCG(m.seed, n))
	if n%deskEvery == 0 || m.desk == nil {
		m.compare(n)
		m.desk = newDesk(m.t)
		m.desk.as("1.0.0", "")
	}
	began := time.Now()
	m.record(n, crash.Catch(func() error { return m.capture(filepath.Join(filepath.Dir(m.desk.path), fmt.Sprintf("s%d.jsonl", n))) }))
	for _, s := range m.desk.capture.Skips.All() {
		m.note(s.Reason, n)
	}
	if took := time.Since(began); took > m.slowest {
		m.slowest, m.slowestRound = took, n
	}
}

// note keeps the first round in which something panicked.
func (m *mangler) note(reason string, round uint64) {
	if _, known := m.found[reason]; !known {
		m.found[reason] = round
	}
}

// record notes an error.
func (m *mangler) record(round uint64, err error) {
	if err != nil {
		m.note(err.Error(), round)
	}
}

// compare consolidates what the store has, as the daemon does behind a capture.
func (m *mangler) compare(n uint64) {
	if m.desk == nil {
		return
	}
	for _, src := range consolidate.Sources() {
		var ms []memory.Memory
		for found, err := range m.desk.store.Source(src) {
			if err != nil {
				m.t.Fatal(err)
			}
			ms = append(ms, found)
		}
		m.memories += len(ms)
		m.record(n, crash.Catch(func() error {
			consolidate.Compare(ms)
			return nil
		}))
	}
}

// capture writes a file in two pieces and captures it after each, from the beginning at the end,
// and has a model read it.
func (m *mangler) capture(path string) error {
	text := m.file()
	cut := m.rand.IntN(len(text) + 1)
	project := func(cwd string) memory.Project { return memory.Project{Name: "app", Path: cwd} }
	for i, piece := range [][]byte{text[:cut], text, text} {
		if err := os.WriteFile(path, piece, 0o600); err != nil {
			return err
		}
		in := Input{Path: path, Whole: i == 2, Backwards: m.one(4)}
		if m.one(3) {
			in.LastReply = "Done. Still open: the manual."
		}
		done, err := m.desk.capture.File(m.t.Context(), in, project)
		if err != nil {
			return err
		}
		m.turns += done.Turns
	}
	m.files++
	_, err := m.desk.capture.Refine(m.t.Context(), Input{Path: path}, project, 4000, m.findings)
	return err
}

// findings are those of a model that repeats pieces of what it is shown.
func (m *mangler) findings(_ context.Context, texts []string) ([]finding.Finding, error) {
	var out []finding.Finding
	for i, text := range texts {
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		from := m.rand.IntN(len(words))
		piece := strings.Join(words[from:min(len(words), from+12)], " ")
		out = append(out, finding.Finding{Turn: i, Source: memory.Sources[m.rand.IntN(len(memory.Sources))], Title: piece, Text: piece, Evidence: piece, Confidence: 0.7})
	}
	return out, nil
}

func (m *mangler) one(in int) bool { return m.rand.IntN(in) == 0 }

// maxMangled is how many records a file has at most, before some are repeated.
const maxMangled = 80

// file returns records of one transcript or two.
func (m *mangler) file() []byte {
	var records [][]byte
	for range 1 + m.rand.IntN(2) {
		all := m.records()
		from := m.rand.IntN(len(all))
		if m.one(2) {
			from = 0
		}
		for _, record := range all[from:min(len(all), from+1+m.rand.IntN(maxMangled))] {
			if m.one(8) {
				continue
			}
			if m.one(4) || m.one(2) && bytes.Contains(record, []byte(`"command"`)) {
				record = m.mutated(record)
			}
			for range 1 + m.rand.IntN(10)/9 {
				records = append(records, record)
			}
		}
	}
	switch m.rand.IntN(4) {
	case 0:
		m.rand.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	case 1:
		for i := range len(records) - 1 {
			if m.one(5) {
				records[i], records[i+1] = records[i+1], records[i]
			}
		}
	}
	return append(bytes.Join(records, m.between()), '\n')
}

// between returns what stands between records.
func (m *mangler) between() []byte {
	if m.one(30) {
		return nil
	}
	return []byte([]string{"\n", "\r\n", "\n\n", "\n{\n"}[m.rand.IntN(40)/13])
}

// records returns the lines of a transcript.
func (m *mangler) records() [][]byte {
	for {
		text, err := os.ReadFile(m.paths[m.rand.IntN(len(m.paths))])
		if err != nil {
			m.t.Fatal(err)
		}
		lines := slices.DeleteFunc(bytes.Split(text, []byte("\n")), func(line []byte) bool { return len(line) == 0 || len(line) > 1<<20 })
		if len(lines) > 0 {
			return lines
		}
	}
}

// mutated returns a record that is cut, or of which a part is missing, cut, empty or another's.
func (m *mangler) mutated(record []byte) []byte {
	var value any
	if m.one(6) || json.Unmarshal(record, &value) != nil {
		return record[:m.rand.IntN(len(record)+1)]
	}
	for range 1 + m.rand.IntN(4) {
		value = m.changed(value)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return record
	}
	return out
}

// changed returns a JSON value that differs in one place.
func (m *mangler) changed(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
		name := slices.Sorted(maps.Keys(v))[m.rand.IntN(len(v))]
		for _, words := range []string{"message", "content", "input", "text", "command"} { // what capture reads most of
			if _, ok := v[words]; ok && !m.one(4) {
				name = words
				break
			}
		}
		if name == "command" && m.one(2) {
			v[name] = commands[m.rand.IntN(len(commands))]
			return v
		}
		if m.one(12) {
			delete(v, name)
		} else {
			v[name] = m.changed(v[name])
		}
		return v
	case []any:
		if len(v) == 0 || m.one(8) {
			return []any{}
		}
		i := m.rand.IntN(len(v))
		v[i] = m.changed(v[i])
		return v
	case string:
		return m.changedText(v)
	}
	return []any{nil, "", 0, -1, true, []any{}, map[string]any{}}[m.rand.IntN(7)]
}

// scraps are what texts are replaced by, or get at their ends.
var scraps = []string{
	"", " ", "\n", ".", ":", "?", "- ", "1. ", "`", "```", "```\n", "> ", "| a | b |", "# ", "**", "…", "\u200b", "\x00", "“", "(", "((((((((", "$(", "'", `"`, "<<EOF", "<!--", "<x>", "</x>",
	"no", "yes", "never", "always", "!", "A:", "- [ ] ", "- [x] a", "Next steps:\n", "Still open:\n-", "option 2",
	"the second one", "1", "both", "Error:", "error", "Traceback (most recent call last):\n", "[main 1a2b3c4] a", "e\u0301", "日本語。", "I don't want tabs. Never.", "because", "instead of", "Decision:", "Rule:",
}

// commands are forms of those that capture reads in more than their words.
var commands = []string{
	"", "git", "git commit", "git commit --amend --no-edit", "git commit -m", `git commit -m ""`, "git -C /app commit --fixup HEAD", "git commit <<EOF\nEOF", "git commit -F -", "cd", "cd /app &&", "&&", "|", ";", "&",
	"(", "$(", "if", "pip install", "npm i", "sudo", "env", "A=1", "A=1 B=2", "make | cat", "docker exec x", "ssh host", "rm", "echo", "python -m", "go test ./...", "git stash", "git stash pop",
	"cat <<'EOF' > a\nEOF", "bash -c", "bash -c ''", "!", "\\", "'", "git add -A && git commit --no-edit && git push", "time", "for i in", "sed -i", "git commit -am 'a: b'", "uv run", "poetry run", "python -m pytest -k",
}

func (m *mangler) changedText(s string) string {
	scrap := scraps[m.rand.IntN(len(scraps))]
	at := m.rand.IntN(len(s) + 1)
	switch m.rand.IntN(7) {
	case 0:
		return scrap
	case 1:
		return s[:at]
	case 2:
		return s[at:]
	case 3:
		return s[:at] + scrap + s[at:]
	case 4:
		return scrap + s
	case 5:
		return s + scrap
	}
	words := strings.Fields(s)
	m.rand.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return clean.Text(strings.Join(words, " "))
}
