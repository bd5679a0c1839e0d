//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// users is the number of users who work at the same time.
const users = 4

// A torture is one run.
type torture struct {
	plan   plan
	in     *installation
	ledger *ledger
	random *rand.Rand   // for the faults
	pause  sync.RWMutex // held by a user during each action
	users  []*user

	mu       sync.Mutex
	counts   map[string]int
	hooks    []time.Duration
	sessions []string
	secrets  map[string]string // secrets, with the texts that contained them
	orders   []string
	oddNext  int      // number of the next oddity
	problems []string // what must never happen, one line each
	flat     []usage  // measured in the soak
	before   int      // number of processes before and after the run
	after    int
}

func newTorture(p plan, in *installation) *torture {
	t := &torture{plan: p, in: in, ledger: newLedger(), random: rand.New(rand.NewPCG(p.seed, 0)), counts: map[string]int{}, secrets: map[string]string{}}
	for i := range users {
		t.users = append(t.users, &user{torture: t, number: i, random: rand.New(rand.NewPCG(p.seed, uint64(i)+1))})
	}
	return t
}

func (t *torture) count(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[what]++
}

// problem records that something happened that must never happen.
func (t *torture) problem(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.problems = append(t.problems, fmt.Sprintf(format, args...))
}

// check records an error of torture itself.
func (t *torture) check(err error) {
	if err != nil {
		t.problem("torture: %v", err)
	}
}

func (t *torture) noteSecret(secret, how string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.secrets[secret] = how
}

func (t *torture) noteOrder(mark string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.orders = append(t.orders, mark)
}

func (t *torture) addSession(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sessions = append(t.sessions, id)
}

func (t *torture) transcript(session string) string {
	return filepath.Join(t.in.transcripts(), session+".jsonl")
}

// fire runs the hook on an event in the project.
func (t *torture) fire(event map[string]any) {
	if event["cwd"] == nil {
		event["cwd"] = t.in.project
	}
	if event["transcript_path"] == nil {
		event["transcript_path"] = filepath.Join(t.in.dir, "none.jsonl")
	}
	text, err := json.Marshal(event)
	t.check(err)
	t.fireBytes(fmt.Sprint(event["hook_event_name"]), text)
}

func (t *torture) fireBytes(name string, event []byte) {
	r := t.in.hook(event)
	if r.wrong() {
		t.problem("hook %s: %v, stdout %.200q, stderr %.200q", name, r.err, r.stdout, r.stderr)
	}
	if r.took > t.plan.hookLimit {
		t.problem("hook %s took %v", name, r.took)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hooks = append(t.hooks, r.took)
	if r.stdout != "" {
		t.counts["hooks that injected something"]++
	}
}

// rounds lets users work while one fault after another occurs. After each it compares the stored memories
// with the acknowledged ones.
func (t *torture) rounds() error {
	found, err := t.in.processes()
	if err != nil {
		return err
	}
	t.before = len(found)
	if err := t.settle(); err != nil {
		return err
	}
	for i := 0; i < t.plan.rounds || time.Now().Before(t.plan.end); i++ {
		f := faults[i%len(faults)]
		if f.disk && !t.in.mounted {
			t.count("left out, may not mount: " + f.name)
			continue
		}
		if err := t.round(f); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		t.count("fault: " + f.name)
		if err := t.compare(f.name); err != nil {
			return fmt.Errorf("after %s: %w", f.name, err)
		}
	}
	return nil
}

// round produces one fault while users work.
func (t *torture) round(f fault) error {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, u := range t.users {
		working.Go(func() { u.work(ctx) })
	}
	time.Sleep(time.Duration(200+t.random.IntN(800)) * time.Millisecond)
	if f.alone {
		t.pause.Lock()
	}
	err := f.run(t)
	if f.alone {
		t.pause.Unlock()
	}
	time.Sleep(time.Duration(t.random.IntN(300)) * time.Millisecond)
	cancel()
	working.Wait()
	return err
}

// settle starts the daemon if none runs, and waits until everything is indexed.
func (t *torture) settle() error {
	ctx, cancel := context.WithTimeout(context.Background(), t.plan.settle)
	defer cancel()
	var err error
	for ctx.Err() == nil {
		var out string
		out, err = t.in.recollect(ctx, "status", "--json")
		var h api.Health
		if err == nil {
			err = json.Unmarshal([]byte(out), &h)
		}
		if err == nil && h.Indexed == h.Memories && h.Embedded == h.Memories {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("%d of %d memories indexed, %d embedded: %s %v", h.Indexed, h.Memories, h.Embedded, h.Index, h.Problems)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("not ready after %v: %w", t.plan.settle, err)
}

// all returns everything that is stored.
func (t *torture) all() ([]memory.Memory, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.plan.settle)
	defer cancel()
	var all []memory.Memory
	for after := ""; ; {
		page, err := t.in.client.Export(ctx, after)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Memories...)
		if page.Next == "" {
			return all, nil
		}
		after = page.Next
	}
}

// compare records which memories are lost, stored twice, back, or not found.
func (t *torture) compare(after string) error {
	if err := t.settle(); err != nil {
		return err
	}
	all, err := t.all()
	if err != nil {
		return err
	}
	lost, twice, back := t.ledger.compare(all)
	for what, ids := range map[string][]string{"lost": lost, "twice": twice, "back": back} {
		if len(ids) > 0 {
			t.problem("after %s: %s: %d, such as %s", after, what, len(ids), ids[0])
		}
	}
	for id, word := range t.ledger.some(5) {
		ctx, cancel := context.WithTimeout(context.Background(), t.plan.settle)
		found, err := t.in.client.Search(ctx, api.Search{Query: word, Limit: 3})
		cancel()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(found.Results, func(r api.Found) bool { return r.Memory.ID == id }) {
			t.problem("after %s: %s is stored and not found by %q", after, id, word)
		}
	}
	return nil
}

// finish ends all sessions and examines what remains.
func (t *torture) finish() error {
	for t.oddNext < len(oddities) { // a short run has not reached all of them
		t.users[0].odd()
	}
	for _, s := range t.sessions {
		t.fire(map[string]any{"hook_event_name": "SessionEnd", "session_id": s, "reason": "other", "transcript_path": t.transcript(s)})
	}
	if _, err := t.in.recollect(context.Background(), "import", filepath.Dir(t.in.transcripts())); err != nil {
		return err
	}
	if err := t.importOddFiles(); err != nil {
		return err
	}
	if err := t.compare("the end"); err != nil {
		return err
	}
	all, err := t.all()
	if err != nil {
		return err
	}
	if missing := t.ledger.missing(all); len(missing) > 0 {
		t.problem("turns lost: %d of %d, such as %q", len(missing), len(t.ledger.turns), missing[:min(len(missing), 10)])
	}
	if learned := t.ledger.learnedAgain(all); len(learned) > 0 {
		t.problem("taken back and learned: %d of %d, such as %s", len(learned), len(t.ledger.back), learned[0])
	}
	orientation, err := t.in.recollect(context.Background(), "resume", "--dir", t.in.project)
	if err != nil {
		return err
	}
	for _, order := range obeyed(all, orientation, t.orders) {
		t.problem("the order %s", order)
	}
	secrets, err := onDisk(t.in.home, t.secrets)
	for _, secret := range secrets {
		t.problem("%s is on disk, told as %q", secret, t.secrets[secret])
	}
	t.counts["memories at the end"] = len(all)
	return err
}

// endTime is the time in which processes must end after the daemon was asked to.
const endTime = time.Minute

// stop ends the daemon and counts the processes that still run.
func (t *torture) stop() {
	_, err := t.in.recollect(context.Background(), "daemon", "stop")
	t.check(err)
	found, err := t.in.processes()
	for end := time.Now().Add(endTime); len(found) > 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		found, err = t.in.processes()
	}
	t.check(err)
	t.after = len(found)
	for pid, args := range found {
		t.problem("process %d still runs: %s", pid, args)
		if p, err := os.FindProcess(pid); err == nil {
			t.check(p.Kill())
		}
	}
}

// errProblems means that something happened that must never happen.
var errProblems = errors.New("something happened that must not")

func (t *torture) verdict() error {
	if len(t.problems) > 0 {
		return errProblems
	}
	return nil
}

// print writes the counts.
func (t *torture) print(w io.Writer) {
	for _, what := range slices.Sorted(maps.Keys(t.counts)) {
		fmt.Fprintf(w, "%7d  %s\n", t.counts[what], what)
	}
	fmt.Fprintf(w, "%7d  memories acknowledged\n%7d  of them forgotten\n%7d  turns\n%7d  secrets told\n%7d  orders given\n",
		t.ledger.remembered, t.ledger.forgotten, len(t.ledger.turns), len(t.secrets), len(t.orders))
	slices.Sort(t.hooks)
	if n := len(t.hooks); n > 0 {
		fmt.Fprintf(w, "%7d  hooks: median %v, 99 of 100 within %v, longest %v\n", n, t.hooks[n/2].Round(time.Millisecond), t.hooks[n*99/100].Round(time.Millisecond), t.hooks[n-1].Round(time.Millisecond))
	}
	for _, u := range t.flat {
		fmt.Fprintf(w, "%7d  prompts asked: %v\n", u.prompts, u)
	}
	fmt.Fprintf(w, "%7d  processes before, %d after\n", t.before, t.after)
	fmt.Fprintf(w, "%7d  problems\n", len(t.problems))
	for _, p := range t.problems {
		fmt.Fprintln(w, "        ", p)
	}
}
