package sessions

import (
	"os"
	"path/filepath"
	"testing"
)

// The words of a session are known as far as its transcript has them, in any form of a word, and what stood
// before a summary is known by the summary alone.
func TestListener(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const all = 1 << 20
	var l Listener
	if l.Of("", all) != nil || l.Of(path, all).Has("kiln") != 0 {
		t.Error("heard something without a transcript")
	}
	const asked = `{"type":"user","message":{"content":"fire the kilns"}}` + "\n"
	write(asked)
	if heard := l.Of(path, all); heard.Has("kiln") != 1 || heard.Has("glaze") != 0 || heard.Prompts != 1 {
		t.Errorf("kiln was said by %d, glaze by %d, in %d prompts", heard.Has("kiln"), heard.Has("glaze"), heard.Prompts)
	}
	const replied = asked + `{"type":"assistant","message":{"content":[{"type":"text","text":"Fired."},{"type":"tool_use","input":{"command":"ls"}}]}}` + "\n"
	write(replied)
	if l.Of(path, all); l.LastReply(path) != "Fired." {
		t.Errorf("LastReply() = %q", l.LastReply(path))
	}
	write(replied + `{"type":"user","isCompactSummary":true,"message":{"content":"glazed"}}` + "\n")
	if heard := l.Of(path, all); heard.Has("kiln") != 0 || heard.Has("glaze") == 0 {
		t.Errorf("after a summary kiln was said by %d, glaze by %d", heard.Has("kiln"), heard.Has("glaze"))
	}
}
