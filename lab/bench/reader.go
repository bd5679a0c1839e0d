package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// How histories are replayed, as the script beside them does it.
const (
	promptsOfProject = 130
	promptsOfSession = 12
)

// offeredMost is how many statements are asked for, of which the first ones are counted by offeredFirst.
const offeredMost = 60

// offeredFirst are the lengths of the list for which it is counted how often the right text is in it; the last but one is
// what a reader is given.
var offeredFirst = []int{5, 10, 20, givenToReader, offeredMost}

const givenToReader = 40

// A HistoryLabel says what readers of a history found that a prompt needs.
type HistoryLabel struct {
	Project string   `json:"project"`
	Session string   `json:"session"`
	I       int      `json:"i"` // number of the prompt in its session
	Kind    string   `json:"kind"`
	Label   string   `json:"label"` // need, optional or none
	Keys    []string `json:"keys"`  // most of them must be in what is injected; "|" separates alternatives
}

// A HistoryPrompt is a prompt of a history.
type historyPrompt struct {
	Session string `json:"session"`
	I       int    `json:"i"`
	Prompt  string `json:"prompt"`
}

// ReaderRow counts labelled prompts of one kind or project.
type ReaderRow struct {
	Name        string
	Need        int
	Answered    int         // by what was injected
	WithReader  int         // by that, and by what a perfect reader chooses of what it is given
	AtStart     int         // by what was injected with the prompt or at the start of its session
	ReaderStart int         // by all of these
	Among       map[int]int // right text among so many statements
	None        int
	NoneSaid    int // of them, those that got something
	Tokens      int // injected with all labelled prompts
	ReaderAdds  int // tokens that the perfect reader adds
	Prompts     int
}

// ReaderBound says what a perfect reader of the user's would make of what recollect offers it.
type ReaderBound struct {
	Rows       []*ReaderRow
	Candidates []CandidateRow
	Lost       int // labels without a prompt

	all   *ReaderRow
	named map[string]*ReaderRow
}

// RunReader replays the histories in chats, one folder a project, and asks at each prompt that labels/labels.jsonl has what a
// perfect reader would choose.
func RunReader(ctx context.Context, chats, labels string, set []string, log *slog.Logger) (*ReaderBound, error) {
	settings, err := Settings(set)
	if err != nil {
		return nil, err
	}
	wanted := map[string]map[string]HistoryLabel{}
	err = readLines(labels, "labels.jsonl", func(l HistoryLabel) error {
		if wanted[l.Project] == nil {
			wanted[l.Project] = map[string]HistoryLabel{}
		}
		wanted[l.Project][promptKey(l.Session, l.I)] = l
		return nil
	})
	if err != nil {
		return nil, err
	}
	said, err := readSentences(labels)
	if err != nil {
		return nil, err
	}
	out := &ReaderBound{all: &ReaderRow{Name: "all", Among: map[int]int{}}, named: map[string]*ReaderRow{}}
	for _, project := range sortedKeys(wanted) {
		h := history{dir: filepath.Join(chats, project), name: project, labels: wanted[project], out: out, said: said}
		if err := h.replay(ctx, settings, log); err != nil {
			return nil, fmt.Errorf("replay %s: %w", project, err)
		}
		out.Lost += len(h.labels)
	}
	out.Rows = append(out.Rows, out.all)
	return out, nil
}

func promptKey(session string, i int) string { return fmt.Sprint(session, " ", i) }

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A history is one project's sessions, as they are replayed.
type history struct {
	dir, name string
	labels    map[string]HistoryLabel // of prompts that were not asked yet
	out       *ReaderBound
	said      []sentence
	asked     []memory.Memory // that a reader is asked about at the ends of sessions

	engine *engine.Engine
	live   string // folder of the transcripts as they were
	cwd    string
	start  string // what was injected at the start of the session
}

// replay sends each session to an engine of its own, prompt by prompt, and then imports it.
func (h *history) replay(ctx context.Context, settings config.Settings, log *slog.Logger) (err error) {
	files, err := filepath.Glob(filepath.Join(h.dir, "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s has no transcripts: %w", h.dir, err)
	}
	sessions, prompts, err := h.readPrompts()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "recollect-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	lock, err := store.Acquire(dir)
	if err != nil {
		return err
	}
	defer lock.Release()
	if h.engine, err = engine.Open(ctx, dir, lock, config.Fixed(settings), log); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.engine.Close()) }()
	h.live = filepath.Join(dir, "live")
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- h.engine.Run(running, stop) }()
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	asked := 0
	for _, session := range sessions {
		if asked >= promptsOfProject {
			break
		}
		path := files[slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == session+".jsonl" })]
		own := prompts[session][:min(len(prompts[session]), promptsOfSession)]
		if err := h.replaySession(ctx, path, session, own); err != nil {
			return err
		}
		asked += len(own)
	}
	return h.countCandidates()
}

func (h *history) readPrompts() (sessions []string, of map[string][]historyPrompt, err error) {
	of = map[string][]historyPrompt{}
	err = readLines(h.dir, "prompts.jsonl", func(p historyPrompt) error {
		if of[p.Session] == nil {
			sessions = append(sessions, p.Session)
		}
		of[p.Session] = append(of[p.Session], p)
		return nil
	})
	return sessions, of, err
}

func (h *history) replaySession(ctx context.Context, path, session string, prompts []historyPrompt) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	h.cwd = cwdOf(lines)
	live := filepath.Join(h.live, session+".jsonl")
	if err := errors.Join(os.MkdirAll(h.live, 0o700), os.WriteFile(live, nil, 0o600)); err != nil {
		return err
	}
	if err := h.begin(ctx, session, live); err != nil {
		return err
	}
	at := 0
	for _, p := range prompts {
		at += h.write(live, lines[at:], p.Prompt)
		if err := h.ask(ctx, session, live, p); err != nil {
			return err
		}
	}
	if _, err := h.engine.Import(ctx, api.Import{Path: path}); err != nil {
		return err
	}
	asked, err := h.engine.Suggestions(ctx, path, session)
	for _, s := range asked {
		h.asked = append(h.asked, s.Memory)
	}
	return errors.Join(err, h.engine.UpToDate(ctx))
}

func (h *history) begin(ctx context.Context, session, live string) error {
	got, commit, err := h.engine.Orient(ctx, api.Session{SessionID: session, TranscriptPath: live, Cwd: h.cwd, Reason: "startup"})
	if commit != nil {
		commit(nil)
	}
	h.start = got.Context
	return err
}

// write appends to the transcript what the client had written before a prompt, and returns how many lines that are.
func (h *history) write(live string, lines [][]byte, prompt string) int {
	here := slices.IndexFunc(lines, func(line []byte) bool { return promptOf(line) == strings.TrimSpace(prompt) })
	if here < 0 {
		return 0
	}
	f, err := os.OpenFile(live, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0
	}
	defer f.Close()
	if _, err := f.Write(bytes.Join(lines[:here], nil)); err != nil {
		return 0
	}
	return here
}

// ask sends one prompt, and counts what came of it and what is offered then, if it has a label.
func (h *history) ask(ctx context.Context, session, live string, p historyPrompt) error {
	in := api.Prompt{SessionID: session, TranscriptPath: live, Cwd: h.cwd, Prompt: p.Prompt}
	l, labelled := h.labels[promptKey(session, p.I)]
	got, commit, err := h.engine.Recollect(ctx, in)
	if commit != nil {
		commit(nil)
	}
	if err != nil || !labelled {
		return err
	}
	delete(h.labels, promptKey(session, p.I))
	offered, err := h.engine.Offer(ctx, in, offeredMost)
	if err != nil {
		return err
	}
	var texts []string
	for _, o := range offered {
		texts = append(texts, o.Entry)
	}
	for _, row := range []*ReaderRow{h.out.all, h.out.row(h.name), h.out.row(l.Kind)} {
		row.count(&l, got.Context, h.start, texts)
	}
	return nil
}

func (b *ReaderBound) row(name string) *ReaderRow {
	if b.named[name] == nil {
		b.named[name] = &ReaderRow{Name: name, Among: map[int]int{}}
		b.Rows = append(b.Rows, b.named[name])
	}
	return b.named[name]
}

// count adds one prompt.
func (r *ReaderRow) count(l *HistoryLabel, injected, start string, offered []string) {
	r.Prompts++
	r.Tokens += len(injected) / 4
	if l.Label == "none" {
		r.None++
		r.NoneSaid += one(injected != "")
	}
	if l.Label != "need" {
		return
	}
	r.Need++
	chosen := l.choose(injected, offered[:min(len(offered), givenToReader)])
	r.ReaderAdds += len(chosen) / 4
	r.Answered += one(l.isIn(injected))
	r.WithReader += one(l.isIn(injected + chosen))
	r.AtStart += one(l.isIn(injected + start))
	r.ReaderStart += one(l.isIn(injected + start + l.choose(injected+start, offered[:min(len(offered), givenToReader)])))
	for _, n := range offeredFirst {
		r.Among[n] += one(l.isIn(injected + strings.Join(offered[:min(n, len(offered))], "\n")))
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// choose returns what a perfect reader chooses of the statements: those with a key that is not said yet, if they answer.
func (l *HistoryLabel) choose(said string, offered []string) string {
	var chosen string
	for _, o := range offered {
		if l.hits(said+chosen+o) > l.hits(said+chosen) && !l.isIn(said+chosen) {
			chosen += "\n" + o
		}
	}
	if !l.isIn(said + chosen) {
		return ""
	}
	return chosen
}

// enough is how many keys must be in a text, by how many there are.
var enough = []int{0, 1, 2, 2, 3}

func (l *HistoryLabel) isIn(text string) bool {
	return len(l.Keys) > 0 && l.hits(text) >= enough[min(len(l.Keys), len(enough)-1)]
}

var spaces = regexp.MustCompile(`\s+`)

func (l *HistoryLabel) hits(text string) int {
	text = spaces.ReplaceAllString(strings.ReplaceAll(strings.ToLower(text), "’", "'"), " ")
	n := 0
	for _, key := range l.Keys {
		n += one(slices.ContainsFunc(strings.Split(key, "|"), func(alt string) bool { return strings.Contains(text, alt) }))
	}
	return n
}

func cwdOf(lines [][]byte) string {
	var first struct{ Cwd string }
	json.Unmarshal(lines[0], &first)
	return first.Cwd
}

// promptOf returns the prompt that a line of a transcript has, "" for another line.
func promptOf(line []byte) string {
	var r struct {
		Type    string
		Message struct{ Content json.RawMessage }
	}
	if json.Unmarshal(line, &r) != nil || r.Type != "user" {
		return ""
	}
	var text string
	if json.Unmarshal(r.Message.Content, &text) == nil {
		return strings.TrimSpace(text)
	}
	var blocks []struct{ Type, Text string }
	json.Unmarshal(r.Message.Content, &blocks)
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// Write writes the figures as tables.
func (b *ReaderBound) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tprompts\tneed\tanswered\t+ reader\t+ start\t+ both\tamong 5\t10\t20\t40\t60\tnone\tsaid\ttokens\t+ reader\t")
	for _, r := range b.Rows {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t", r.Name, r.Prompts, r.Need, part(r.Answered, r.Need), part(r.WithReader, r.Need), part(r.AtStart, r.Need), part(r.ReaderStart, r.Need))
		for _, n := range offeredFirst {
			fmt.Fprintf(t, "%s\t", part(r.Among[n], r.Need))
		}
		fmt.Fprintf(t, "%d\t%s\t%.0f\t%.0f\t\n", r.None, part(r.NoneSaid, r.None), float64(r.Tokens)/float64(r.Prompts), float64(r.ReaderAdds)/float64(r.Prompts))
	}
	return errors.Join(t.Flush(), b.writeCandidates(w))
}

func part(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(of))
}
