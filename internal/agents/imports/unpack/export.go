package unpack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/system/regular"
)

// exportName is the file with all chats in an export of ChatGPT or claude.ai.
const exportName = "conversations.json"

// unpackExport reads an export: the file with the chats, or the folder that contains it.
func (w *writer) unpackExport(program, path string) error {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		path = filepath.Join(path, exportName)
	}
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return fmt.Errorf("%s: is no list of chats, as an unpacked export of %s has it", path, program)
	}
	for n := 1; d.More(); n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		c, err := readExported(program, raw)
		if err != nil {
			w.skip(fmt.Errorf("chat %d of %s: %w", n, path, err))
			continue
		}
		if err := w.write(c); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func readExported(program string, raw []byte) (chat, error) {
	if program == ChatGPT {
		return readChatGPT(raw)
	}
	return readClaudeAI(raw)
}

// A tree is a chat of ChatGPT. An answer that was asked for again, or a prompt that was edited, is another
// child of the same node.
type tree struct {
	ID           string          `json:"id"`
	Conversation string          `json:"conversation_id"`
	Created      float64         `json:"create_time"`
	Current      string          `json:"current_node"`
	Nodes        map[string]node `json:"mapping"`
}

type node struct {
	Parent  string `json:"parent"`
	Message *struct {
		ID     string `json:"id"`
		Author struct {
			Role string `json:"role"`
		} `json:"author"`
		Created float64 `json:"create_time"`
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Recipient string `json:"recipient"`
		Metadata  struct {
			Hidden bool `json:"is_visually_hidden_from_conversation"`
		} `json:"metadata"`
	} `json:"message"`
}

// readChatGPT returns a chat as it was last seen: from its current node up to the first.
func readChatGPT(raw []byte) (chat, error) {
	var t tree
	if err := json.Unmarshal(raw, &t); err != nil {
		return chat{}, err
	}
	c := chat{id: firstOf(t.Conversation, t.ID)}
	if c.id == "" || len(t.Nodes) == 0 {
		return chat{}, errors.New("has no id or no messages")
	}
	at := t.Current
	for range len(t.Nodes) { // not more often, should parents form a circle
		n, found := t.Nodes[at]
		if !found {
			break
		}
		if m := n.Message; m != nil && isSpoken(m.Author.Role, m.Recipient) && !m.Metadata.Hidden {
			c.messages = append(c.messages, message{
				id: firstOf(m.ID, at), prompt: m.Author.Role == "user", text: joinParts(m.Content.Parts), at: timeOf(m.Created, t.Created),
			})
		}
		at = n.Parent
	}
	slices.Reverse(c.messages)
	return c, nil
}

// isSpoken reports whether the user or the model says a message to the other. What the model sends to a tool
// has that tool as its recipient.
func isSpoken(role, recipient string) bool {
	return role == "user" || role == "assistant" && (recipient == "" || recipient == "all")
}

// joinParts returns the texts among the parts of a message; the others are images and the like.
func joinParts(parts []json.RawMessage) string {
	var texts []string
	for _, p := range parts {
		var text string
		if json.Unmarshal(p, &text) == nil && text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// timeOf returns the time of a message in seconds since 1970, that of its chat if it has none.
func timeOf(seconds, chatSeconds float64) time.Time {
	if seconds <= 0 || seconds > math.MaxInt32*8 {
		seconds = chatSeconds
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9))
}

// readClaudeAI returns a chat of claude.ai.
func readClaudeAI(raw []byte) (chat, error) {
	var t struct {
		ID       string    `json:"uuid"`
		Created  time.Time `json:"created_at"`
		Messages []struct {
			ID      string    `json:"uuid"`
			Sender  string    `json:"sender"`
			Text    string    `json:"text"`
			Created time.Time `json:"created_at"`
			Content []part    `json:"content"`
		} `json:"chat_messages"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return chat{}, err
	}
	if t.ID == "" {
		return chat{}, errors.New("has no uuid")
	}
	c := chat{id: t.ID}
	for i, m := range t.Messages {
		var texts []string
		for _, p := range m.Content {
			if p.Type == "text" {
				texts = append(texts, p.Text)
			}
		}
		at := m.Created
		if at.IsZero() {
			at = t.Created
		}
		c.messages = append(c.messages, message{
			id: firstOf(m.ID, fmt.Sprintf("%s-%d", t.ID, i)), prompt: m.Sender == "human", text: firstOf(strings.Join(texts, "\n\n"), m.Text), at: at,
		})
	}
	return c, nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
