package prose

import (
	"strings"
	"testing"
)

func TestTopic(t *testing.T) {
	tests := []struct{ name, asked, want string }{
		{"sentence", "move the feed to the replica", "move the feed to the replica"},
		{"greeting and thanks", "Hi Ana, thanks! Could you move the feed to the replica?", "Could you move the feed to the replica?"},
		{"what only points back", "That makes sense. Ok. How does the feed know which replica is fresh?", "How does the feed know which replica is fresh?"},
		{"too little alone", "Cool idea. Does the feed ever read from a stale replica?", "Does the feed ever read from a stale replica?"},
		{"announcement", "Fix this bug:\n\n  the feed is empty at noon\nmore", "Fix this bug: the feed is empty at noon"},
		{"long announcement", "Please resolve the following issue in the repository of the shop:\nThe feed is empty at noon", "The feed is empty at noon"},
		{"form", "Work on the ticket:\nid: FEED-7\nrepo: shop/feed\nproblem: The feed is empty at noon\n", "The feed is empty at noon"},
		{"form in Markdown", "**Title:** Feed empty at noon\n**Priority:** high\n\n### Steps to reproduce\n\n1. wait", "Feed empty at noon"},
		{"form with its words below", "id: FEED-7\nrepo: shop/feed\ndescription: |\n  The feed is empty at noon\n", "The feed is empty at noon"},
		{"label", "[Bug]: the feed is empty at noon", "the feed is empty at noon"},
		{"comment of a template", "<!-- Thanks for the report! -->\nThe feed is empty at noon", "The feed is empty at noon"},
		{"log first", "2026-03-01 12:00:01 ERROR feed: 0 items\n2026-03-01 12:00:02 ERROR feed: 0 items\n\nwhy is the feed empty?", "why is the feed empty?"},
		{"log alone", "2026-03-01 12:00:01 ERROR feed: 0 items", ""},
		{"filler", "ok, go on", ""},
		{"German", "Danke! Bitte den Feed auf die Replik umstellen", "den Feed auf die Replik umstellen"},
		{"too long", strings.Repeat("the feed is empty ", 10), "the feed is empty the feed is empty the feed is empty the feed is empty the feed is empty the feed is empty the…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Topic(Request(tt.asked)); got != tt.want {
				t.Errorf("Topic(%q) = %q, want %q", tt.asked, got, tt.want)
			}
		})
	}
}

func TestQuestion(t *testing.T) {
	tests := []struct{ name, reply, want string }{
		{"last", "It needs handles. A slab, or plain indices?", "A slab, or plain indices?"},
		{"before the end", "Which one?\n\nBoth work.", "Which one?"},
		{"long ago", "Which one?\n\nBoth work.\n\nI take the slab.", ""},
		{"none", "Both work.", ""},
		{"long", "Should it be a slab of slots that are reused once they are freed, or should it be plain indices into a vector?", "…are reused once they are freed, or should it be plain indices into a vector?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Question(tt.reply, 80); got != tt.want {
				t.Errorf("Question(%q) = %q, want %q", tt.reply, got, tt.want)
			}
		})
	}
}
