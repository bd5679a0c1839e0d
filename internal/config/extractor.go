package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What takes memories out of sessions.
const (
	ExtractorRules     = "rules"     // rules alone
	ExtractorOllama    = "ollama"    // besides, a server that speaks Ollama's protocol
	ExtractorOpenAI    = "openai"    // besides, a server that speaks OpenAI's protocol
	ExtractorAnthropic = "anthropic" // besides, Anthropic's API, or a server that speaks its protocol
	ExtractorClaude    = "claude"    // besides, Claude Code's own command
)

// extractors are all there are, in the order of the documentation.
var extractors = []string{ExtractorRules, ExtractorOllama, ExtractorOpenAI, ExtractorAnthropic, ExtractorClaude}

// extractorURLs are where servers listen unless they are told otherwise.
var extractorURLs = map[string]string{
	ExtractorOllama:    "http://127.0.0.1:11434",
	ExtractorAnthropic: "https://api.anthropic.com/v1",
}

// Bounds of what a model is asked. A shorter wait ends before a small model on
// a laptop has read a session, and fewer tokens hold no turn.
const (
	minExtractorTimeout = 5 * time.Second
	maxExtractorTimeout = 10 * time.Minute
	minExtractorTokens  = 2000
	maxExtractorTokens  = 100_000
	maxParallel         = 4
)

// ExtractorURL returns the URL of the server that takes memories out of
// sessions, which is empty where there is none.
func (c Capture) ExtractorURL() string {
	if c.URL == "" {
		return extractorURLs[c.Extractor]
	}
	return c.URL
}

// extractor checks the settings that the chosen extractor uses, and those of
// the others as far as they are there.
func (v *rules) extractor(c Capture) {
	if !slices.Contains(extractors, c.Extractor) {
		v.add("capture.extractor", fmt.Sprintf("%q", c.Extractor), "must be one of "+strings.Join(extractors, ", "))
		return
	}
	server := c.Extractor != ExtractorRules && c.Extractor != ExtractorClaude
	if server || c.URL != "" {
		v.server("capture.url", c.ExtractorURL(), c.AllowRemote, "sessions")
	}
	if server && c.Model == "" {
		v.add("capture.model", `""`, "must name a model that the server has")
	}
	if strings.HasPrefix(c.Model, "-") {
		v.add("capture.model", fmt.Sprintf("%q", c.Model), "must not begin with a hyphen")
	}
	v.path("capture.token_file", c.TokenFile, false)
	if d := time.Duration(c.Timeout); d < minExtractorTimeout || d > maxExtractorTimeout {
		v.add("capture.timeout", d, fmt.Sprintf("must be between %v and %v", minExtractorTimeout, maxExtractorTimeout))
	}
	v.whole("capture.max_tokens", c.MaxTokens, minExtractorTokens, maxExtractorTokens)
	v.whole("capture.parallel", c.Parallel, 1, maxParallel)
}
