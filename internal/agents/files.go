package agents

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// Root returns the folder in which an agent keeps its transcripts.
func Root(name string) (string, error) {
	a := find(name)
	if a == nil {
		return "", fmt.Errorf("agent %q: must be one of %s", name, strings.Join(Names(), ", "))
	}
	if a.home != "" && os.Getenv(a.home) != "" {
		return filepath.Join(os.Getenv(a.home), a.root), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home folder: %w", err)
	}
	return filepath.Join(home, a.dir, a.root), nil
}

// Files lists the transcripts of an agent at path, sorted: path itself if it is a file, else those below
// it. It does not follow links in a folder. It reports folders that cannot be read together with what it
// found.
func Files(name, path string) ([]string, error) {
	a := find(name)
	if a == nil {
		return nil, fmt.Errorf("agent %q: must be one of %s", name, strings.Join(Names(), ", "))
	}
	wanted := func(path string, isRoot bool) bool {
		return isRoot || a.file(filepath.Dir(path), filepath.Base(path))
	}
	files, err := regular.Files(path, wanted, func(string) bool { return false })
	if err != nil {
		return files, fmt.Errorf("find transcripts: %w", err)
	}
	return files, nil
}

// Lines converts a transcript that is one JSON value, as OpenCode exports it and older versions of Gemini
// CLI write it, into lines: the properties of the session, then the messages. It returns false for
// anything else.
func Lines(whole []byte) ([]byte, bool) {
	object, ok := parse(whole)
	if !ok || !object.Get("messages").IsArray() {
		return nil, false
	}
	var head []byte
	var err error
	switch {
	case isGemini(object):
		head, err = json.Marshal(map[string]string{"sessionId": str(object.Get("sessionId")), "startTime": str(object.Get("startTime"))})
	case isOpenCode(object):
		head, err = json.Marshal(map[string]json.RawMessage{"info": json.RawMessage(object.Get("info").Raw)})
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	out := bytes.NewBuffer(append(head, '\n'))
	object.Get("messages").ForEach(func(_, message gjson.Result) bool {
		if message.IsObject() && json.Compact(out, []byte(message.Raw)) == nil {
			out.WriteByte('\n')
		}
		return true
	})
	return out.Bytes(), true
}

// Limits on the files in which Gemini CLI notes the folder of a project, in bytes.
const (
	maxProjectRoot = 8 << 10
	maxProjects    = 4 << 20
)

// FolderOf returns the folder in which a session ran if only the path of its transcript tells it, else
// "". Gemini CLI keeps sessions in tmp/PROJECT/chats, and notes the folder of PROJECT beside them or in
// projects.json. Cursor keeps them in projects/PROJECT, and notes it in .workspace-trusted.
func FolderOf(transcript string) string {
	if dir := cursorFolder(transcript); dir != "" {
		return dir
	}
	chats := filepath.Dir(transcript)
	project := filepath.Dir(chats)
	if filepath.Base(chats) != "chats" || filepath.Base(filepath.Dir(project)) != "tmp" {
		return ""
	}
	if b, err := regular.Read(filepath.Join(project, ".project_root"), maxProjectRoot); err == nil {
		if dir := strings.TrimSpace(string(b)); filepath.IsAbs(dir) && !strings.ContainsAny(dir, "\r\n") {
			return dir
		}
	}
	b, err := regular.Read(filepath.Join(filepath.Dir(filepath.Dir(project)), "projects.json"), maxProjects)
	if err != nil || !nesting.ValidJSONBytes(b) {
		return ""
	}
	found := ""
	gjson.GetBytes(b, "projects").ForEach(func(dir, name gjson.Result) bool {
		sum := sha256.Sum256([]byte(dir.Str))
		if base := filepath.Base(project); filepath.IsAbs(dir.Str) && (str(name) == base || hex.EncodeToString(sum[:]) == base) {
			found = dir.Str
		}
		return found == ""
	})
	return found
}
