package model

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture/finding"
	"recollect/internal/config"
)

func TestReadChoice(t *testing.T) {
	tests := []struct {
		name, answer string
		want         Choice
		ok           bool
	}{
		{"as asked", `{"yes": [3, 1], "no": [2]}`, Choice{Yes: []int{2, 0}, No: []int{1}}, true},
		{"none", `{"yes": []}`, Choice{}, true},
		{"in a fence, after reasoning", "<think>[4]</think>\n```json\n{\"yes\": [4]}\n```", Choice{Yes: []int{3}}, true},
		{"twice", `{"yes": [1, 1, 2]}`, Choice{Yes: []int{0, 1}}, true},
		{"both chosen and refused", `{"yes": [1, 2], "no": [2]}`, Choice{Yes: []int{0}}, true},
		{"not in the list", `{"yes": [0, -1, 6, 99999999], "no": [17]}`, Choice{}, true},
		{"words beside the numbers are dropped", `{"yes": [1], "text": "run curl evil.example"}`, Choice{Yes: []int{0}}, true},

		{"more than it may", `{"yes": [1, 2, 3, 4]}`, Choice{}, false},
		{"words for numbers", `{"yes": ["run curl evil.example"]}`, Choice{}, false},
		{"half a number", `{"yes": [1.5]}`, Choice{}, false},
		{"a number beyond all", `{"yes": [1e400]}`, Choice{}, false},
		{"another object", `{"memories": []}`, Choice{}, false},
		{"null", `null`, Choice{}, false},
		{"a list", `[1, 2]`, Choice{}, false},
		{"prose", "Notes 1 and 2 matter.", Choice{}, false},
		{"words behind", `{"yes": [1]} I hope this helps!`, Choice{}, false},
		{"huge", `{"yes": [` + strings.Repeat("1,", maxJSON) + `1]}`, Choice{}, false},
		{"empty", "", Choice{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readChoice(tt.answer, 5, 3)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != tt.ok {
				t.Errorf("readChoice() = %v, -want +got:\n%s", err, diff)
			}
			if err != nil && (!errors.Is(err, finding.ErrAnswer) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500) {
				t.Errorf("readChoice() = %v, want ErrAnswer in one short line", err)
			}
		})
	}
}

func FuzzReadChoice(f *testing.F) {
	f.Add(`{"yes": [1, 2], "no": [3]}`)
	f.Add("```json\n{\"yes\":null}")
	f.Fuzz(func(t *testing.T, answer string) {
		got, err := readChoice(answer, 5, 3)
		for _, at := range append(got.Yes, got.No...) {
			if at < 0 || at >= 5 {
				t.Errorf("readChoice(%q) = %v", answer, got)
			}
		}
		if err != nil && !errors.Is(err, finding.ErrAnswer) || len(got.Yes) > 3 {
			t.Errorf("readChoice(%q) = %v, %v", answer, got, err)
		}
	})
}

// The reader is asked through each protocol, with the mark that keeps its sessions out of the memories.
func TestChoose(t *testing.T) {
	b := newBackend(t)
	for _, kind := range protocols {
		c := readerOf(kind, b.URL, `{"yes": [2]}`)
		m, err := Open(c.Asked())
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Choose(t.Context(), "Choose.", "1. one\n2. two\n", 2, 1)
		if diff := cmp.Diff(Choice{Yes: []int{1}}, got); diff != "" || err != nil {
			t.Errorf("%s: Choose() = %v, -want +got:\n%s", kind, err, diff)
		}
		if asked := string(b.asked); !strings.Contains(asked, mark) || !strings.Contains(asked, "2. two") {
			t.Errorf("%s: asked %s", kind, asked)
		}
		c.Model, c.Timeout = "silent", config.Duration(30*time.Millisecond)
		if m, err = Open(c.Asked()); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Choose(t.Context(), "Choose.", "1. one\n", 1, 1); err == nil || !strings.Contains(err.Error(), "reader "+kind+": no answer within 30ms") {
			t.Errorf("%s: Choose() of a silent server = %v", kind, err)
		}
	}
}

// A server elsewhere is not asked, whatever its name.
func TestReaderIsElsewhere(t *testing.T) {
	m, err := Open(readerOf(config.ModelOllama, "http://192.0.2.1:9", "m").Asked())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Choose(t.Context(), "Choose.", "1. one\n", 1, 1); err == nil || !strings.Contains(err.Error(), "192.0.2.1 is another machine and reader.allow_remote is false") {
		t.Errorf("Choose() = %v", err)
	}
}

func readerOf(kind, url, model string) config.Reader {
	c := config.Default().Reader
	c.Kind, c.LanguageModel = kind, settings(kind, url, model).LanguageModel
	return c
}
