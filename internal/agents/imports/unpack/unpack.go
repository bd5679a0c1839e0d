// Package unpack writes the chats that other programs have exported or stored as transcripts, which are then
// imported like those of Claude Code. Prompts and answers are kept, with their times; what tools printed, files
// and images are left out, because a chat shows no more than a part of them.
//
// Ids are those of the program, or are derived from them, so that importing a chat again adds nothing.
package unpack

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The programs whose chats can be unpacked.
const (
	Entire    = "entire"
	ChatGPT   = "chatgpt"
	ClaudeAI  = "claude-ai"
	SpecStory = "specstory"
)

// Names lists the programs, in the order in which users see them.
func Names() []string { return []string{Entire, SpecStory, ChatGPT, ClaudeAI} }

// Transcripts writes the chats that a program stores at path to files in dir, and returns their paths. It
// passes what it leaves out to skip, with the reason. A program that Names does not list is an error.
func Transcripts(ctx context.Context, program, path, dir string, skip func(error)) ([]string, error) {
	w := &writer{dir: dir, skip: skip}
	var err error
	switch program {
	case Entire:
		err = w.unpackCheckpoints(ctx, path)
	case SpecStory:
		err = w.unpackSpecStory(path)
	case ChatGPT, ClaudeAI:
		err = w.unpackExport(program, path)
	default:
		err = fmt.Errorf("program %q: must be one of %s", program, strings.Join(Names(), ", "))
	}
	return w.files, err
}

// A chat is one conversation, in the order in which it was held.
type chat struct {
	id       string
	folder   string // where it was held, "" if unknown
	messages []message
}

// A message is what one side said at a time.
type message struct {
	id     string
	prompt bool // by the user
	text   string
	at     time.Time
}

// A writer writes transcripts to a folder.
type writer struct {
	dir   string
	skip  func(error)
	files []string
}

// A record is a line of a transcript, as Claude Code writes it.
type record struct {
	Type      string  `json:"type"`
	ID        string  `json:"uuid"`
	Parent    *string `json:"parentUuid"`
	Session   string  `json:"sessionId"`
	Folder    string  `json:"cwd,omitempty"`
	Timestamp string  `json:"timestamp"`
	Message   struct {
		ID      string `json:"id,omitempty"`
		Role    string `json:"role"`
		Content []part `json:"content"`
	} `json:"message"`
}

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// write writes a chat as a transcript, unless nobody says anything in it.
func (w *writer) write(c chat) (err error) {
	c.messages = slices.DeleteFunc(c.messages, func(m message) bool { return strings.TrimSpace(m.text) == "" })
	if !slices.ContainsFunc(c.messages, func(m message) bool { return m.prompt }) {
		w.skip(fmt.Errorf("chat %s: has no prompt", c.id))
		return nil
	}
	path := filepath.Join(w.dir, fileName(c.id)+".jsonl")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	e := json.NewEncoder(f)
	for i, m := range c.messages {
		r := record{Type: "assistant", ID: m.id, Session: c.id, Folder: c.folder, Timestamp: m.at.UTC().Format(time.RFC3339Nano)}
		if i > 0 {
			r.Parent = &c.messages[i-1].id
		}
		if r.Message.ID = m.id; m.prompt {
			r.Type, r.Message.ID = "user", ""
		}
		r.Message.Role, r.Message.Content = r.Type, []part{{"text", m.text}}
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	w.files = append(w.files, path)
	return nil
}

// fileName returns a file name for an id, which another program chose.
func fileName(id string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(letters, r) {
			return r
		}
		return '_'
	}, id)
}
