package claudecode

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/regular"
)

// Numbers of bytes at the end of a transcript that are searched for what happened last. A long result of a tool may
// follow it.
const (
	leastTail = 256 << 10
	maxTail   = 4 << 20
)

// readBack passes the last lines of a transcript to visit, the last one first, each with its offset, until that returns
// true or has seen most bytes. It may pass lines again. The first one may be incomplete.
func readBack(path string, most int64, visit func(line []byte, at int64) bool) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	for n := int64(leastTail); ; n *= 4 {
		from := max(0, fi.Size()-n)
		tail := make([]byte, fi.Size()-from)
		if _, err := f.ReadAt(tail, from); err != nil && err != io.EOF {
			return err
		}
		if visitBack(tail, from, visit) || from == 0 || n >= most {
			return nil
		}
	}
}

// visitBack passes the lines of a part of a file to visit, the last one first, and reports whether that returned true.
func visitBack(part []byte, from int64, visit func(line []byte, at int64) bool) bool {
	for len(part) > 0 {
		at := bytes.LastIndexByte(bytes.TrimRight(part, "\n"), '\n') + 1
		if visit(part[at:], from+int64(at)) {
			return true
		}
		part = part[:at]
	}
	return false
}

// EndHas reports whether the end of a transcript has a text, such as the id of a call that is under way.
func EndHas(path, text string) (has bool) {
	err := readBack(path, leastTail, func(line []byte, _ int64) bool {
		has = bytes.Contains(line, []byte(text))
		return has
	})
	return err == nil && has
}

// ReadPrompt returns the turn that begins with a prompt, as far as the prompt tells of it. It finds the prompt by the id
// that hooks name it by, or the last one with such an id if that is "". The turn has no prompt if a notification, a
// schedule or the client wrote it. It returns false if the end of the transcript does not have the prompt, which may be
// written later. The prompts of sub-agents do not count.
func ReadPrompt(path, id string) (t Turn, found bool, err error) {
	mark := []byte(`"promptId":"` + id)
	err = readBack(path, maxTail, func(line []byte, at int64) bool {
		if !bytes.Contains(line, mark) {
			return false
		}
		t, found = promptOf(string(trimLine(line)), id)
		t.Start = at
		return found
	})
	if err != nil {
		return Turn{}, false, fmt.Errorf("read prompt: %w", err)
	}
	return t, found, nil
}

// promptOf returns the turn that a line begins if it is a prompt with an id, or with any if id is "".
func promptOf(line, id string) (Turn, bool) {
	if line == "" {
		return Turn{}, false
	}
	rec, ok := parseRecord(line)
	isAsked := ok && rec.kind == "user" && (id == "" || rec.prompt == id)
	if !isAsked || rec.side || rec.isAside() {
		return Turn{}, false
	}
	t := Turn{Session: rec.session, ID: rec.id, PromptID: rec.prompt, Cwd: rec.cwd, Entry: rec.entry, At: rec.at, Program: rec.byProgram()}
	asked, ok := requestOf(rec, ownWords(texts(rec.msg.content)))
	if ok && rec.byHuman() {
		t.Prompt, t.Command, t.Plan, t.Memo = cut(asked.words, maxText), asked.command, cut(asked.plan, maxText), asked.memo
	}
	return t, true
}

// isAside reports whether a record of the user's names a prompt and is none: a result, a summary, what the client adds to
// a prompt, or the note that it was interrupted.
func (rec *record) isAside() bool {
	isAdded := rec.meta && rec.origin == ""
	if rec.summary || isAdded || rec.prompt == "" {
		return true
	}
	isResult := false
	rec.msg.content.ForEach(func(_, block gjson.Result) bool {
		isResult = block.Get("type").Str == "tool_result"
		return !isResult
	})
	return isResult || strings.HasPrefix(texts(rec.msg.content), interruptMark)
}
