package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// Capture says what is stored of sessions, and what reads them.
type Capture struct {
	// Ignore are globs of files of which only the name is stored, never the
	// content. A glob with a slash is matched against the end of the path,
	// any other against the name. "!" before a glob makes an exception; the
	// last glob that matches decides.
	Ignore []string `toml:"ignore"`

	// Review is what waits for the user's approval before it is injected: nothing
	// (off), new preferences and patterns (preferences), or all that sessions
	// teach (all). What is stored on purpose never waits.
	Review string `toml:"review"`

	// Extractor is what takes memories out of a session: rules alone, or also
	// a model (ollama, openai, anthropic, claude) once the session is quiet.
	Extractor   string   `toml:"extractor"`
	Model       string   `toml:"model"`        // what the server or Claude Code calls it; empty for Claude Code's own choice
	URL         string   `toml:"url"`          // of the server; empty for Ollama's own port and Anthropic's API
	TokenFile   string   `toml:"token_file"`   // file with the token that the server asks for; empty for none
	AllowRemote bool     `toml:"allow_remote"` // whether sessions may be sent to another machine
	Timeout     Duration `toml:"timeout"`      // of one answer, 5s to 10m
	MaxTokens   int      `toml:"max_tokens"`   // of four characters, that one question holds, 2000 to 100000
	Parallel    int      `toml:"parallel"`     // questions at a time, 1 to 4

	Keep Keep `toml:"keep"`
}

// What takes memories out of sessions.
const (
	ExtractorRules     = "rules"     // rules alone
	ExtractorOllama    = "ollama"    // also a server that speaks Ollama's protocol
	ExtractorOpenAI    = "openai"    // also a server that speaks OpenAI's protocol
	ExtractorAnthropic = "anthropic" // also Anthropic's API, or a server that speaks its protocol
	ExtractorClaude    = "claude"    // also Claude Code's own command
)

// What waits for review.
const (
	ReviewOff         = "off"
	ReviewPreferences = "preferences" // and patterns
	ReviewAll         = "all"
)

// Reviewed reports whether what sessions teach of a source waits for review.
func (c Capture) Reviewed(source memory.Source) bool {
	preference := source == memory.Preferences || source == memory.Patterns
	return c.Review == ReviewAll || preference && c.Review == ReviewPreferences
}

// extractors are all there are, in the order of the documentation.
var extractors = []string{ExtractorRules, ExtractorOllama, ExtractorOpenAI, ExtractorAnthropic, ExtractorClaude}

// extractorURLs are where servers listen by default.
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

// ignored are the files that hold keys and passwords and nothing else.
func ignored() []string {
	return []string{
		".env", ".env.*", "*.env", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist",
		"*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx",
		"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "!*.pub",
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd",
		".aws/credentials", ".docker/config.json", ".kube/config", "credentials.json", "service-account*.json",
		"secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml",
	}
}

// capture checks what is captured and how long it is kept.
func (v *rules) capture(c Capture) {
	if reviews := []string{ReviewOff, ReviewPreferences, ReviewAll}; !slices.Contains(reviews, c.Review) {
		v.add("capture.review", fmt.Sprintf("%q", c.Review), "must be one of "+strings.Join(reviews, ", "))
	}
	v.extractor(c)
	v.keep(c.Keep)
	for _, glob := range c.Ignore {
		bare := strings.TrimPrefix(glob, "!")
		if _, err := path.Match(bare, ""); err != nil || strings.Trim(bare, "/") == "" {
			v.add("capture.ignore", fmt.Sprintf("%q", glob), "must be a glob such as *.pem")
		}
	}
}

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
