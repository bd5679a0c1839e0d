//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A user uses Claude Code, the command-line program and the tools, one action after another.
type user struct {
	*torture
	number  int
	random  *rand.Rand
	session session
}

// A session is a session of Claude Code with a transcript.
type session struct {
	id      string
	records int
	turns   int
	last    string    // id of the last record
	at      time.Time // time of the last record
}

// things are the actions of a user, with their frequencies.
var things = []struct {
	share int
	do    func(*user)
}{
	{30, (*user).remember},
	{14, (*user).forget},
	{14, (*user).turn},
	{12, (*user).prompt},
	{10, (*user).ask},
	{6, (*user).toolCall},
	{4, (*user).command},
	{4, (*user).nonsense},
	{3, (*user).leak},
	{3, (*user).order},
	{4, (*user).odd},
}

// work performs one action after another until ctx ends.
func (u *user) work(ctx context.Context) {
	sum := 0
	for _, thing := range things {
		sum += thing.share
	}
	for ctx.Err() == nil {
		u.pause.RLock()
		left := u.random.IntN(sum)
		for _, thing := range things {
			if left -= thing.share; left < 0 {
				thing.do(u)
				break
			}
		}
		u.pause.RUnlock()
	}
}

// vocabulary has no word such as "token" or "webhook", because any word near those may be a secret.
var vocabulary = strings.Fields(`deploy orders pool connection index vector daemon socket budget parser build cache queue
	retry lock schema migration test flaky timeout branch release docker compose nginx redis postgres shard cursor invoice
	checkout noon worker lease hook digest ledger tenant quota rollback canary probe replica`)

// unique begins the words that only one text contains.
const unique = "kestrel"

// sentence returns n words, one of them unique.
func (u *user) sentence(n int) (text, word string) {
	word = fmt.Sprintf(unique+"%d%08x", u.number, u.random.Uint32())
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[u.random.IntN(len(vocabulary))]
	}
	words[u.random.IntN(n)] = word
	return strings.Join(words, " "), word
}

// call sends a request to the daemon and reports whether it succeeded. If no daemon runs, it starts one
// as a session would.
func (u *user) call(f func(context.Context) error) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := f(ctx)
	var refused *api.StatusError
	switch {
	case errors.Is(err, api.ErrNoDaemon):
		u.fire(map[string]any{"hook_event_name": "SessionStart", "session_id": fmt.Sprint("idle", u.number), "source": "startup"})
	case errors.As(err, &refused):
		u.count("refused")
	case err != nil:
		u.count("broken off")
	}
	return err == nil
}

// remember stores one to three memories.
func (u *user) remember() {
	sources := []memory.Source{memory.Journal, memory.Patterns, memory.Failures, memory.Inbox}
	var all []memory.Memory
	var words []string
	for range 1 + u.random.IntN(3) {
		text, word := u.sentence(8 + u.random.IntN(60))
		all, words = append(all, memory.Memory{Source: sources[u.random.IntN(len(sources))], Text: text}), append(words, word)
	}
	var reply api.Remembered
	ok := u.call(func(ctx context.Context) (err error) {
		reply, err = u.in.client.Remember(ctx, api.Remember{Memories: memory.Drafts(all...), Cwd: u.in.project})
		return err
	})
	if !ok {
		return
	}
	for i, id := range reply.IDs {
		u.ledger.remember(id, words[i])
	}
}

// forget deletes a memory.
func (u *user) forget() {
	id, word := u.ledger.take(u.random)
	if id == "" {
		return
	}
	if u.call(func(ctx context.Context) error { _, err := u.in.client.Forget(ctx, id); return err }) {
		u.ledger.forget(id, word)
	}
}

// turn writes a prompt and its answer to the session's transcript, and runs the hooks around them, as
// Claude Code does.
func (u *user) turn() { u.turnOf("an ordinary turn") }

func (u *user) turnOf(kind string) {
	text, word := u.sentence(12)
	u.say("Why does the "+text+" fail again?", "It failed because the "+text+" ran out of connections. I raised the limit to 20, and it passes now.")
	u.ledger.turn(word, kind)
}

// maxTurns is the number of turns in a session.
const maxTurns = 6

// say writes one turn with the given words.
func (u *user) say(prompt, answer string) {
	u.begin(prompt)
	u.append(u.made("user", prompt), u.made("assistant", said(answer)))
	u.end()
}

// begin writes a prompt, and opens a session if necessary.
func (u *user) begin(prompt string) {
	if u.session.turns == maxTurns {
		u.leave()
	}
	if u.session.id == "" {
		u.open()
	}
	u.fire(u.event("UserPromptSubmit", map[string]any{"prompt": prompt}))
}

// end ends a turn.
func (u *user) end() {
	u.fire(u.event("Stop", nil))
	u.session.turns++
}

// open begins a session; leave ends it if there is one.
func (u *user) open() {
	u.session.id = fmt.Sprintf("%08x-0000-4000-8000-%012x", u.random.Uint32(), u.number)
	u.addSession(u.session.id)
	u.fire(u.event("SessionStart", map[string]any{"source": "startup"}))
}

func (u *user) leave() {
	if u.session.id != "" {
		u.fire(u.event("SessionEnd", map[string]any{"reason": "other"}))
	}
	u.session = session{}
}

// event returns an event of the session.
func (u *user) event(name string, more map[string]any) map[string]any {
	e := map[string]any{"hook_event_name": name, "session_id": u.session.id}
	if u.session.id != "" {
		e["transcript_path"] = u.transcript(u.session.id)
	}
	for k, v := range more {
		e[k] = v
	}
	return e
}

// made returns the session's next record, a message of a role.
func (u *user) made(role string, content any) map[string]any {
	return u.recorded(role, map[string]any{"message": map[string]any{"role": role, "content": content}})
}

// recorded returns the session's next record, of any kind.
func (u *user) recorded(kind string, more map[string]any) map[string]any {
	u.session.records++
	parent := any(nil)
	if u.session.last != "" {
		parent = u.session.last
	}
	u.session.last = fmt.Sprint(u.session.id, "-", u.session.records)
	u.session.at = later(time.Now().UTC().Truncate(time.Millisecond), u.session.at.Add(time.Millisecond))
	record := map[string]any{
		"type": kind, "uuid": u.session.last, "parentUuid": parent, "sessionId": u.session.id,
		"cwd": u.in.project, "gitBranch": "main", "isSidechain": false, "userType": "external", "version": "2.1.0",
		"timestamp": u.session.at.Format("2006-01-02T15:04:05.000Z"),
	}
	maps.Copy(record, more)
	return record
}

// later returns the later of two times. Two prompts at the same time would count as a prompt and its
// copy.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// append adds records to the session's transcript in one write.
func (u *user) append(records ...map[string]any) {
	var lines [][]byte
	for _, record := range records {
		line, err := json.Marshal(record)
		u.check(err)
		lines = append(lines, line)
	}
	u.check(appendLine(u.transcript(u.session.id), bytes.Join(lines, []byte("\n"))))
}

func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// prompt asks about a stored memory in some of its words.
func (u *user) prompt() {
	text, _ := u.sentence(10)
	for _, word := range u.ledger.some(1) {
		text += " " + word
	}
	u.fire(u.event("UserPromptSubmit", map[string]any{"prompt": "what was it about the " + text + "?"}))
}

// ask searches, explains and lists.
func (u *user) ask() {
	text, _ := u.sentence(6)
	u.call(func(ctx context.Context) error {
		_, err := u.in.client.Search(ctx, api.Search{Query: text, Limit: 5})
		return err
	})
	u.call(func(ctx context.Context) error {
		_, err := u.in.client.Explain(ctx, api.Prompt{Prompt: text, Cwd: u.in.project})
		return err
	})
}

// toolCall runs the hook for a call that Claude is about to make.
func (u *user) toolCall() {
	text, _ := u.sentence(5)
	u.fire(u.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make " + text}}))
}

// command runs a command line to its end, or kills it before.
func (u *user) command() {
	commands := [][]string{
		{"export"}, {"status"}, {"stats"}, {"search", "pool"}, {"resume", "--dir", u.in.project}, {"consolidate", "--dry-run"},
		{"import", filepath.Dir(u.in.transcripts())},
	}
	limit := 20 * time.Second
	if u.random.IntN(3) == 0 {
		limit = time.Duration(u.random.IntN(60)) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if _, err := u.in.recollect(ctx, commands[u.random.IntN(len(commands))]...); err != nil {
		u.count("commands that failed or were killed")
	}
}

// nonsense sends requests that no client would send.
func (u *user) nonsense() {
	garbage := make([]byte, 1+u.random.IntN(1<<12))
	for i := range garbage {
		garbage[i] = byte(u.random.Uint32())
	}
	deep := strings.Repeat(`{"a":[`, 20000)
	u.fireBytes("nonsense", [][]byte{garbage, []byte(deep), []byte(`{"hook_event_name":"UserPromptSubmit","prompt":7}`), []byte(`{"hook_event_name":`), nil}[u.random.IntN(5)])
	conn, err := net.Dial("unix", api.SocketPath(u.in.home))
	if err != nil {
		return // no daemon runs
	}
	defer conn.Close()
	request := append([]byte("POST /remember HTTP/1.1\r\nHost: recollect\r\nContent-Length: 9999\r\n\r\n"), garbage...)
	if _, err := conn.Write([][]byte{garbage, request}[u.random.IntN(2)]); err != nil {
		u.count("broken off")
	}
}
