package unpack

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"recollect/internal/system/regular"
)

const (
	specStoryFolder = ".specstory"
	maxMarkdown     = 256 << 20 // bytes of one chat
)

// unpackSpecStory reads the Markdown files of SpecStory: one, or those below a folder.
func (w *writer) unpackSpecStory(path string) error {
	files, err := regular.Files(path, func(path string, isRoot bool) bool { return isRoot || filepath.Ext(path) == ".md" }, func(string) bool { return false })
	if len(files) == 0 {
		if err == nil {
			err = fmt.Errorf("%s: there is no Markdown file", path)
		}
		return err
	}
	if err != nil {
		w.skip(err)
	}
	for _, file := range files {
		text, err := regular.Read(file, maxMarkdown)
		if err != nil {
			w.skip(err)
			continue
		}
		c := readSpecStory(file, string(text))
		if len(c.messages) == 0 {
			w.skip(fmt.Errorf("%s: is no chat of SpecStory", file))
			continue
		}
		if err := w.write(c); os.IsExist(err) {
			w.skip(fmt.Errorf("%s: is another copy of chat %s", file, c.id))
		} else if err != nil {
			return err
		}
	}
	return nil
}

var (
	sessionComment = regexp.MustCompile(`(?m)^<!-- .*?[Ss]ession ([0-9a-zA-Z_-]{8,}) \((.*)\) -->$`)
	speaker        = regexp.MustCompile(`^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \((.*)\))?\*\*_$`)
	hiddenPart     = regexp.MustCompile(`(?s)<think>.*?</think>|<tool-use.*?</tool-use>|<!-- message-id: .*? -->`)
	stamp          = regexp.MustCompile(`\d{4}-\d\d-\d\d[ _]\d\d[:-]\d\d(?:[:-]\d\d)?(?:Z|[+-]\d{4})?`)
)

// stampLayouts are the forms in which SpecStory writes a time, in text and in names of files.
var stampLayouts = []string{"2006-01-02 15:04:05Z", "2006-01-02 15:04:05-0700", "2006-01-02 15:04Z", "2006-01-02 15:04-0700", "2006-01-02 15:04:05", "2006-01-02 15:04",
	"2006-01-02_15-04-05Z", "2006-01-02_15-04Z", "2006-01-02_15-04"}

// readSpecStory returns the chat in a Markdown file. Each message begins with a line that names the speaker.
// Messages of sub-agents are left out.
func readSpecStory(path, text string) chat {
	text = hiddenPart.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	c := chat{id: name, folder: repositoryOf(path)}
	at := parseStamp(name)
	if found := sessionComment.FindStringSubmatch(text); found != nil {
		c.id = found[1]
		if stated := parseStamp(found[2]); !stated.IsZero() {
			at = stated
		}
	}
	var body []string
	current, begun := message{}, false
	finish := func() {
		if begun {
			current.text = withoutLine(strings.Join(body, "\n"))
			c.messages = append(c.messages, current)
		}
		body, begun = nil, false
	}
	for line := range strings.SplitSeq(text, "\n") {
		found := speaker.FindStringSubmatch(line)
		if found == nil {
			body = append(body, line)
			continue
		}
		finish()
		if stated := parseStamp(found[3]); !stated.IsZero() {
			at = stated
		}
		current = message{id: fmt.Sprintf("%s-%d", c.id, len(c.messages)), prompt: found[1] == "User", at: at}
		begun = found[2] == ""
	}
	finish()
	return c
}

// withoutLine returns the text of a message without the line that separates it from the next.
func withoutLine(body string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "\n---"))
}

// repositoryOf returns the folder that a chat is about: the one that contains SpecStory's, or else that of
// the file.
func repositoryOf(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == specStoryFolder {
			return filepath.Dir(dir)
		}
	}
	return filepath.Dir(path)
}

// parseStamp returns the time in a text, or zero.
func parseStamp(text string) time.Time {
	found := stamp.FindString(text)
	for _, layout := range stampLayouts {
		if t, err := time.ParseInLocation(layout, found, time.Local); err == nil {
			return t
		}
	}
	return time.Time{}
}
