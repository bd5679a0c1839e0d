//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// oddities are unusual traces that clients, machines and users leave. recollect must still learn from
// what is beside them.
var oddities = []struct {
	name string
	do   func(*user)
}{
	{"commit without a message", (*user).commitAgain},
	{"prompt that was taken back", (*user).rewind},
	{"two records in a line", func(u *user) { u.garble(`{"type":"progress"}{"type":"progress"}`) }},
	{"half a record in a line", func(u *user) { u.garble(`{"type":"user","message":{"role":"user","content":"half a l`) }},
	{"byte order mark", (*user).byteOrderMark},
	{"prompt typed while Claude works", (*user).queue},
	{"huge paste", (*user).paste},
	{"60 KB of tables in .recollect.toml", (*user).bomb},
	{"memory files with odd front matter", (*user).oddFiles},
}

// odd produces the next of the oddities.
func (u *user) odd() {
	u.mu.Lock()
	next := oddities[u.oddNext%len(oddities)]
	u.oddNext++
	u.mu.Unlock()
	next.do(u)
	u.count("odd: " + next.name)
}

// commitAgain writes a turn whose commit has no message of its own.
func (u *user) commitAgain() {
	commands := []string{"git commit --amend --no-edit", "git commit", "git commit -C HEAD", "git merge --continue"}
	text, word := u.sentence(12)
	prompt := "Can the " + text + " be part of the last commit?"
	u.begin(prompt)
	u.append(u.made("user", prompt))
	u.bash(commands[u.random.IntN(len(commands))], "[main 112ee86] orders\n 1 file changed")
	u.append(u.made("assistant", said("The last commit has the "+text+" now, and the tests pass.")))
	u.end()
	u.ledger.turn(word, "a commit without a message")
}

// rewind takes back a prompt before its answer was read: the next prompt has the same parent.
func (u *user) rewind() {
	if u.session.last == "" || u.session.turns == maxTurns {
		u.turn()
	}
	parent := u.session.last
	text, back := u.sentence(12)
	prompt := "Let's keep the " + text + " in one table."
	u.begin(prompt)
	taken := []map[string]any{u.made("user", prompt), u.made("assistant", said("The "+text+" are in one table now."))}
	u.session.last = parent
	text, word := u.sentence(12)
	u.append(append(taken, u.made("user", "Why does the "+text+" fail again?"),
		u.made("assistant", said("It failed because the "+text+" ran out of connections. I raised the limit to 20, and it passes now.")))...)
	u.end()
	u.ledger.turn(word, "a prompt in the place of another")
	u.ledger.takeBack(back)
}

// garble writes a line that is not a record between two turns.
func (u *user) garble(line string) {
	u.turn()
	u.check(appendLine(u.transcript(u.session.id), []byte(line)))
	u.turnOf("a turn below a line that is no record")
}

// byteOrderMark writes a session whose transcript begins with a byte order mark.
func (u *user) byteOrderMark() {
	u.leave()
	u.open()
	u.check(os.WriteFile(u.transcript(u.session.id), []byte("\ufeff"), 0o600))
	u.turnOf("a turn behind a byte order mark")
}

// queue writes a turn in which the user types a wish while Claude works.
func (u *user) queue() {
	text, first := u.sentence(12)
	_, word := u.sentence(1)
	prompt := "Why does the " + text + " fail again?"
	u.begin(prompt)
	u.append(u.made("user", prompt))
	u.bash("make check", "ok")
	u.append(u.recorded("attachment", map[string]any{"attachment": map[string]any{
		"type": "queued_command", "prompt": "from now on always use " + word + " for http, never axios", "commandMode": "prompt", "origin": map[string]any{"kind": "human"}, "humanTurn": true,
	}}))
	u.bash("make test", "ok")
	u.append(u.made("assistant", said("It failed because the "+text+" ran out of connections. I raised the limit to 20, and it passes now.")))
	u.end()
	u.ledger.turn(first, "a prompt beside which another was typed")
	u.ledger.turn(word, "a prompt typed while Claude worked")
}

// paste writes a prompt followed by 90 KB of a log.
func (u *user) paste() {
	text, word := u.sentence(12)
	var log strings.Builder
	for log.Len() < 90<<10 {
		fmt.Fprintf(&log, "2026-11-20T12:00:%02d INFO worker-%d request id=%08x status=503\n", u.random.IntN(60), u.random.IntN(9), u.random.Uint32())
	}
	u.say("Why does the "+text+" fail again?\n\n"+log.String(), "It failed because the "+text+" ran out of connections. I raised the limit to 20, and it passes now.")
	u.ledger.turn(word, "a huge paste")
}

// bomb writes a session in a folder whose settings would take long to read.
func (u *user) bomb() {
	dir := filepath.Join(u.in.dir, "src", "bomb")
	text := "[" + strings.Repeat("a.", 30<<10) + "a]\n"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		u.check(err)
		return
	}
	u.check(os.WriteFile(filepath.Join(dir, ".recollect.toml"), []byte(text), 0o600))
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
		u.fire(map[string]any{"hook_event_name": name, "session_id": fmt.Sprint("bomb", u.number), "cwd": dir, "prompt": "how large is the pool?", "source": "startup"})
	}
}

// frontMatters are beginnings of memory files that are not strict YAML.
var frontMatters = []string{
	"name: deploys\ndescription: Deploy rule: never on Friday\n---\n", "name: deploys\ndescription: `deploy` needs a tag\n---\n",
	"name: deploys\ndescription: \"the \"big\" deploy\"\n---\n", "name: deploys\nmetadata:\n\ttype: project\n---\n", "name: deploys\n", "name: deploys\nname: x\n---\n",
}

// oddFiles writes memory files, all but one of them odd. They are imported at the end.
func (u *user) oddFiles() {
	dir := filepath.Join(u.in.oddFiles(), fmt.Sprintf("-src-%08x", u.random.Uint32()), "memory")
	u.check(os.MkdirAll(dir, 0o700))
	all := append([]string{"name: pool\ndescription: how large the pool is\nmetadata:\n  type: project\n---\n"}, frontMatters...)
	for i, front := range all {
		text, word := u.sentence(12)
		u.check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.md", i)), []byte("---\n"+front+"The "+text+".\n"), 0o600))
		u.ledger.turn(word, "a memory file: "+front)
	}
}

// importOddFiles imports the memory files. The exit status may say that some are odd.
func (t *torture) importOddFiles() error {
	if _, err := os.Stat(t.in.oddFiles()); err != nil {
		return ignoreGone(err)
	}
	_, err := t.in.recollect(context.Background(), "import", "--from", "memory-md", t.in.oddFiles())
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}

// said returns a text of Claude as the content of a record.
func said(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }

// bash appends a command that Claude ran, and its output.
func (u *user) bash(command, output string) {
	id := fmt.Sprintf("toolu_%016x", u.random.Uint64())
	u.append(
		u.made("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": command}}}),
		u.made("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": output}}))
}
