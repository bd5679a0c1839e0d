package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/crash"
	"recollect/internal/text/prose"
)

// A turn is one as it is replayed.
type turn struct {
	*extract.Turn
	place   int // in the session
	project memory.Project
	key     string // of the project
	drafts  []memory.Draft
}

// A fatal error is none of a transcript: no other session can be replayed either.
type fatal struct{ error }

// Unwrap returns the cause.
func (f fatal) Unwrap() error { return f.error }

// A replay is that of one session.
type replay struct {
	ctx    context.Context
	memory Memory
	source Source
	ledger *ledger
	copied *growing
	known  map[uint64]bool // turns of earlier files, which a resumed session repeats

	out   Replayed
	facts facts
	said  said

	before       *turn // the turn before, which is counted once the next one is known
	turns        int
	acted        bool
	failedBefore map[string]bool
	opened       map[string]bool
	met          map[string][]statement
	projects     map[string]memory.Project
	root         string // the folder in which the session began
}

// replaySession replays a session.
func replaySession(ctx context.Context, m Memory, src Source, l *ledger, known map[uint64]bool, dir string) (Replayed, facts, error) {
	copied, err := newGrowing(src, dir)
	if err != nil {
		return Replayed{}, facts{}, err
	}
	defer copied.close()
	r := &replay{
		ctx: ctx, memory: m, source: src, ledger: l, copied: copied, known: known,
		out:          Replayed{Path: src.Path, Session: src.Session, Begun: src.Begun, Findings: []Finding{}},
		failedBefore: map[string]bool{}, opened: map[string]bool{}, met: map[string][]statement{}, projects: map[string]memory.Project{},
	}
	err = readTurns(ctx, src.Path, r.next)
	if err == nil && r.before != nil {
		err = crash.Catch(func() error {
			r.count(r.before, nil)
			return nil
		})
	}
	if err != nil {
		return Replayed{}, facts{}, err
	}
	return r.out, r.facts, nil
}

// hashOf returns a hash that is the same in every process, since it is stored.
func hashOf(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

// next replays a turn, and counts the one before.
func (r *replay) next(t claudecode.Turn) error {
	if id := hashOf(t.ID); !t.Sidechain {
		if r.known[id] {
			return nil
		}
		r.facts.Turns = append(r.facts.Turns, id)
	}
	if t.Sidechain || t.At.IsZero() {
		return nil
	}
	fresh := r.turnOf(t)
	if err := r.ask(fresh); err != nil {
		return err
	}
	if r.before != nil {
		r.count(r.before, t.Actions)
	}
	r.before = fresh
	return nil
}

// turnOf reads a turn as extractors see it.
func (r *replay) turnOf(t claudecode.Turn) *turn {
	project := r.projectOf(t.Cwd)
	var before *extract.Turn
	if r.before != nil {
		before = r.before.Turn
	}
	out := &turn{Turn: extract.NewTurn(t, project, before), place: r.turns, project: project, key: project.Path + project.Remote}
	if project.Remote != "" {
		out.key = project.Remote
	}
	if !t.Program {
		out.drafts = out.Drafts()
	}
	r.turns++
	if r.out.Project == "" {
		r.out.Project = project.Name
	}
	return out
}

// projectOf returns the project of a folder. Below the folder in which the session began it is that one's: where the
// repository is no longer on this machine, nothing else shows what it spans.
func (r *replay) projectOf(cwd string) memory.Project {
	if r.root == "" {
		r.root = cwd
	}
	if strings.HasPrefix(cwd, r.root+"/") {
		cwd = r.root
	}
	project, ok := r.projects[cwd]
	if !ok {
		project = memory.FindProject(cwd, "")
		r.projects[cwd] = project
	}
	return project
}

// ask asks the memory at everything that happens in a turn.
func (r *replay) ask(t *turn) error {
	if err := r.copied.growTo(t.Start); err != nil {
		return err
	}
	prompt := place{t.place, atPrompt}
	if t.place == 0 {
		if _, err := r.say(t, place{t.place, beforePrompt}, Event{Event: AtStart}); err != nil {
			return err
		}
	}
	r.out.Prompts++
	spoke, err := r.say(t, prompt, Event{Event: AtPrompt, Prompt: t.Prompt})
	if err != nil {
		return err
	}
	if spoke {
		r.out.SaidAt++
	}
	for i, a := range t.Actions {
		if !slices.Contains(hooked, a.Tool) {
			continue
		}
		r.out.Calls++
		spoke, err := r.say(t, place{t.place, i}, Event{Event: AtTool, Tool: a.Tool, Input: json.RawMessage(a.Input), At: at(a, t)})
		if err != nil {
			return err
		}
		if spoke {
			r.out.CallsAt++
		}
	}
	if t.Summary == "" {
		return nil
	}
	_, err = r.say(t, place{t.place, len(t.Actions)}, Event{Event: AtCompact})
	return err
}

// hooked are the tools whose calls our hook is asked at.
var hooked = []string{"Bash", "PowerShell", "Edit", "Write", "MultiEdit", "NotebookEdit", "Task", "Agent", "WebFetch"}

// say asks the memory, and reports whether it said something.
func (r *replay) say(t *turn, at place, e Event) (bool, error) {
	e.Session, e.Cwd, e.Transcript = r.source.Session, t.Cwd, r.copied.path
	if e.At.IsZero() {
		e.At = t.At
	}
	text, err := r.memory.Say(r.ctx, e)
	if err != nil {
		return false, fatal{fmt.Errorf("ask at %s: %w", e.Event, err)}
	}
	if text == "" {
		return false, nil
	}
	r.said.add(at, text)
	r.out.Tokens += (len(utf16.Encode([]rune(text))) + 3) / 4 // as block.Tokens counts
	return true, nil
}

// count counts what a turn met again. later are the calls of the next one.
func (r *replay) count(t *turn, later []claudecode.Action) {
	r.countRules(t)
	r.countQuestions(t)
	r.countFailures(t, later)
	r.countSearches(t)
	r.acted = r.acted || len(t.Actions)+len(t.Replies) > 0
}

func (r *replay) finding(kind Kind, t *turn, before time.Time) Finding {
	return Finding{Kind: kind, Project: t.project.Name, Session: r.source.Session, Turn: t.ID, At: t.At, Before: before}
}

const maxShown = 300 // bytes of a text in a finding

func (r *replay) add(f Finding) {
	for _, s := range []*string{&f.What, &f.Answer, &f.Said} {
		*s = prose.ClipWords(prose.Fold(clean.Text(*s)), maxShown)
	}
	r.out.Findings = append(r.out.Findings, f)
}

// copiesName is the folder of such copies.
const copiesName = "sessions"

// A growing file is a copy of a transcript that is as long as the transcript was at each prompt.
type growing struct {
	from *os.File
	to   *os.File
	path string
	size int64
}

func newGrowing(src Source, dir string) (*growing, error) {
	from, err := os.Open(src.Path)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, copiesName, filepath.Base(src.Path))
	to, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		from.Close()
		return nil, err
	}
	return &growing{from: from, to: to, path: path}, nil
}

// growTo copies up to an offset.
func (g *growing) growTo(offset int64) error {
	if offset <= g.size {
		return nil
	}
	n, err := io.Copy(g.to, io.NewSectionReader(g.from, g.size, offset-g.size))
	g.size += n
	return err
}

func (g *growing) close() {
	g.from.Close()
	g.to.Close()
	os.Remove(g.path)
}
