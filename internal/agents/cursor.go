package agents

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// isCursor reports whether a line is a message of Cursor: {"role", "message": {"content"}}, without a
// type.
func isCursor(line gjson.Result) bool {
	role := str(line.Get("role"))
	spoken := role == "user" || role == "assistant"
	return spoken && line.Get("message.content").Exists() && !line.Get("type").Exists()
}

// isTranscript reports whether a file is a session below agent-transcripts. It leaves out those of
// sub-agents, because the call that started one has its result.
func isTranscript(folder, name string) bool {
	path := filepath.ToSlash(folder) + "/"
	return isLines(folder, name) && strings.Contains(path, "/agent-transcripts/") && !strings.Contains(path, "/subagents/")
}

// cursorRecords reads a line of a session of Cursor: a message, or the end of a turn. Only prompts have a
// time, calls have no ids, and results are not written.
func cursorRecords(t *Translator, line gjson.Result) []record {
	content := line.Get("message.content")
	switch {
	case str(line.Get("type")) == "turn_ended":
		if str(line.Get("status")) == "aborted" {
			return record{kind: "user", at: t.at}.one(textBlock(interrupted))
		}
	case str(line.Get("role")) == "user":
		prompt, at := cursorPrompt(textOf(content))
		if prompt == "" {
			return nil
		}
		t.at = at
		return record{kind: "user", at: at}.one(textBlock(prompt))
	case str(line.Get("role")) == "assistant":
		return record{kind: "assistant", at: t.at}.one(t.cursorReply(content)...)
	}
	return nil
}

// asked matches the user's own text within a prompt, and askedAt its time.
var (
	asked   = regexp.MustCompile(`(?s)<user_query>(.*?)</user_query>`)
	askedAt = regexp.MustCompile(`<timestamp>\w+, (\w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M) \(UTC([+-]\d{1,2}(?::\d{2})?)?\)</timestamp>`)
)

// cursorPrompt returns the user's own text and its time; either may be "". Unmarked text is the user's
// unless it begins with a tag.
func cursorPrompt(text string) (prompt, at string) {
	if found := askedAt.FindStringSubmatch(text); found != nil {
		at = cursorTime(found[1], found[2])
	}
	if found := asked.FindStringSubmatch(text); found != nil {
		return strings.TrimSpace(found[1]), at
	}
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "<") {
		return "", ""
	}
	return text, at
}

// cursorTime returns a time in a zone, given as hours from UTC, in Claude Code's form.
func cursorTime(clock, zone string) string {
	hours, minutes, _ := strings.Cut(zone, ":")
	offset := cmp.Or(hours, "+0") + "h" + cmp.Or(minutes, "0") + "m" // its sign also applies to the minutes
	from, err := time.ParseDuration(offset)
	if err != nil {
		return ""
	}
	at, err := time.Parse("Jan 2, 2006, 3:04 PM", clock)
	if err != nil {
		return ""
	}
	return at.Add(-from).UTC().Format(time.RFC3339)
}

func (t *Translator) cursorReply(content gjson.Result) []block {
	if text := str(content); text != "" {
		return []block{textBlock(text)}
	}
	var blocks []block
	for _, part := range content.Array() {
		switch str(part.Get("type")) {
		case "text":
			if text := str(part.Get("text")); text != "" {
				blocks = append(blocks, textBlock(text))
			}
		case "tool_use":
			blocks = append(blocks, t.call(str(part.Get("id")), str(part.Get("name")), part.Get("input"))...)
		}
	}
	return blocks
}

// maxTrust is the largest size in bytes of the file in which Cursor notes the folder of a project.
const maxTrust = 64 << 10

// cursorFolder returns the folder of a transcript's project, if Cursor has noted it.
func cursorFolder(transcript string) string {
	project, _, ok := strings.Cut(filepath.ToSlash(transcript), "/agent-transcripts/")
	if !ok {
		return ""
	}
	b, err := regular.Read(filepath.Join(filepath.FromSlash(project), ".workspace-trusted"), maxTrust)
	if err != nil || !nesting.ValidJSONBytes(b) {
		return ""
	}
	if dir := str(gjson.GetBytes(b, "workspacePath")); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}
