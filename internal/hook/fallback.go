package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/system/regular"
	"recollect/internal/system/trust"
)

// maxFallback is the largest size of a fallback file in bytes; the daemon
// writes far smaller ones.
const maxFallback = 256 << 10

// readFallback returns the recollection that the daemon left for the time when it
// does not answer, if the prompt contains one of its terms. It removes the file,
// which shows the daemon that the recollection was injected.
func readFallback(home string, e claudecode.Event) api.Recollection {
	path := api.FallbackPath(home, e.SessionID)
	if trust.Foreign(path) || trust.Foreign(filepath.Dir(path)) {
		return api.Recollection{}
	}
	if changedSince(filepath.Join(home, "config.toml"), path) {
		return api.Recollection{}
	}
	b, err := regular.Read(path, maxFallback)
	var f api.Fallback
	if err != nil || json.Unmarshal(b, &f) != nil || !mentionsTerm(e.Prompt, f.Terms) {
		return api.Recollection{}
	}
	if os.Remove(path) != nil {
		return api.Recollection{}
	}
	return f.Recollection
}

// changedSince reports whether the settings were changed after the fallback at path was written. Such
// a fallback may contain what they switch off now.
func changedSince(settings, path string) bool {
	s, err := os.Stat(settings)
	if err != nil {
		return false
	}
	f, err := os.Stat(path)
	return err == nil && s.ModTime().After(f.ModTime())
}

// mentionsTerm reports whether a word of prompt begins with one of the terms, which
// are stems. An empty list matches every prompt.
func mentionsTerm(prompt string, terms []string) bool {
	prompt = strings.ToLower(prompt)
	for _, t := range terms {
		if hasWordFrom(prompt, t) {
			return true
		}
	}
	return len(terms) == 0
}

func hasWordFrom(text, stem string) bool {
	for {
		before, after, ok := strings.Cut(text, stem)
		if !ok {
			return false
		}
		r, _ := utf8.DecodeLastRuneInString(before)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return true
		}
		text = after
	}
}
