package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"recollect/internal/capture/finding"
	"recollect/internal/memory"
)

const (
	// maxJSON is the longest answer that is taken apart, in bytes:
	// the longest that a model is asked for in a script of many bytes a token.
	maxJSON = 64 << 10
	// maxFindings is how many memories one answer may hold; a model that gives
	// more repeats itself.
	maxFindings = 40
)

// findings takes an answer apart. A memory that has not the form that was
// asked for is left out; where the answer as a whole has not, the error is
// finding.ErrAnswer.
func findings(answer string) ([]finding.Finding, error) {
	var reply struct {
		Memories *[]json.RawMessage `json:"memories"`
	}
	text := unfenced(answer)
	if len(text) > maxJSON {
		return nil, fmt.Errorf("%w: %d bytes are more than %d", finding.ErrAnswer, len(text), maxJSON)
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		return nil, fmt.Errorf("%w: %s: %s", finding.ErrAnswer, oneLine(err.Error()), oneLine(text))
	}
	if reply.Memories == nil {
		return nil, fmt.Errorf("%w: it has no memories: %s", finding.ErrAnswer, oneLine(text))
	}
	if n := len(*reply.Memories); n > maxFindings {
		return nil, fmt.Errorf("%w: %d memories are more than %d", finding.ErrAnswer, n, maxFindings)
	}
	var out []finding.Finding
	for _, raw := range *reply.Memories {
		if f, ok := readFinding(raw); ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// readFinding reads one memory of an answer.
func readFinding(raw json.RawMessage) (finding.Finding, bool) {
	var in struct {
		Turn       int               `json:"turn"`
		Source     memory.Source     `json:"source"`
		Title      string            `json:"title"`
		Text       string            `json:"text"`
		Fields     map[string]string `json:"fields"`
		Evidence   string            `json:"evidence"`
		Confidence float64           `json:"confidence"`
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return finding.Finding{}, false
	}
	return finding.Finding{
		Turn: in.Turn - 1, Source: in.Source, Title: in.Title, Text: in.Text,
		Fields: in.Fields, Evidence: in.Evidence, Confidence: in.Confidence,
	}, true
}

// unfenced returns an answer without what small models put around JSON: their
// reasoning, and a fence of Markdown.
func unfenced(answer string) string {
	answer = strings.TrimSpace(answer)
	if rest, ok := strings.CutPrefix(answer, "<think>"); ok {
		_, after, _ := strings.Cut(rest, "</think>")
		answer = strings.TrimSpace(after)
	}
	rest, ok := strings.CutPrefix(answer, "```")
	if !ok {
		return answer
	}
	rest = strings.TrimPrefix(rest, "json")
	return strings.TrimSpace(strings.TrimSuffix(rest, "```"))
}
