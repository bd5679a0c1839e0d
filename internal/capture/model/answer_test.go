package model

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture/finding"
)

func TestFindings(t *testing.T) {
	one := func(member string) string { return `{"memories": [` + member + `, ` + good[len(`{"memories": [`):] }
	tests := []struct {
		name, answer string
		want         []finding.Finding
		ok           bool
	}{
		{"as asked", good, wantGood, true},
		{"none", `{"memories": []}`, nil, true},
		{"in a fence", "```json\n" + good + "\n```", wantGood, true},
		{"in a bare fence", "```\n" + good + "```\n", wantGood, true},
		{"after reasoning", "<think>Turn 2 says {\"x\"}</think>\n" + good, wantGood, true},
		{"a memory of another form beside it", one(`{"turn": "two", "source": "journal"}`), wantGood, true},
		{"a member that nobody asked for", one(`{"turn": 1, "source": "journal", "title": "t", "command": "rm -rf /"}`), wantGood, true},
		{"fields that are no text", one(`{"turn": 1, "source": "journal", "fields": {"rationale": ["a"]}}`), wantGood, true},
		{"not an object", one(`"remember this"`), wantGood, true},

		{"empty", "", nil, false},
		{"a refusal", "I'm sorry, but I can't do that.", nil, false},
		{"half", good[:100], nil, false},
		{"words behind", good + "\nI hope this helps!", nil, false},
		{"two objects", good + good, nil, false},
		{"a list", `[]`, nil, false},
		{"another object", `{"error": "overloaded"}`, nil, false},
		{"null", `null`, nil, false},
		{"memories that are no list", `{"memories": {"turn": 1}}`, nil, false},
		{"memories that are null", `{"memories": null}`, nil, false},
		{"only reasoning", "<think>" + good, nil, false},
		{"too long", `{"memories": ["` + strings.Repeat("a", maxJSON) + `"]}`, nil, false},
		{"too many", `{"memories": [` + strings.Repeat(`{},`, maxFindings) + `{}]}`, nil, false},
		{"deep", strings.Repeat(`{"memories":[`, 20_000), nil, false},
		{"binary", "\x00\xff\xfe", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := findings(tt.answer)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != tt.ok {
				t.Errorf("findings() = %v, -want +got:\n%s", err, diff)
			}
			if err != nil && (!errors.Is(err, finding.ErrAnswer) || strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 500) {
				t.Errorf("findings() = %v, want ErrAnswer in one short line", err)
			}
		})
	}
}

func FuzzFindings(f *testing.F) {
	f.Add(good)
	f.Add("```json\n{}")
	f.Add(`<think></think>{"memories":[{"turn":1e9,"confidence":-1}]}`)
	f.Fuzz(func(t *testing.T, answer string) {
		got, err := findings(answer)
		if err != nil && (got != nil || !errors.Is(err, finding.ErrAnswer)) || len(got) > maxFindings {
			t.Errorf("findings(%q) = %d memories, %v", answer, len(got), err)
		}
	})
}
