package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// Capture says what is stored of sessions, and what extracts memories from them.
type Capture struct {
	// Ignore lists globs of files whose name is stored, but never the content. A glob with a slash is
	// matched against the end of the path, any other against the name. "!" before a glob makes an
	// exception; the last glob that matches decides.
	Ignore []string `toml:"ignore"`

	// Review says what waits for the user's approval before it is injected: nothing (off), new
	// preferences and patterns (preferences), or everything that sessions teach (all). What is stored on
	// purpose never waits.
	Review string `toml:"review"`

	// Extractor extracts memories from a session: rules alone, or also a model (ollama, openai,
	// anthropic, claude) once the session is quiet.
	Extractor string `toml:"extractor"`
	LanguageModel
	MaxTokens int `toml:"max_tokens"` // largest size of one question, in tokens of four characters, 2000 to 100000
	Parallel  int `toml:"parallel"`   // questions at a time, 1 to 4

	Keep Keep `toml:"keep"`
}

// ExtractorRules is the extractor that asks no model.
const ExtractorRules = "rules"

// The values of Review.
const (
	ReviewOff         = "off"
	ReviewPreferences = "preferences" // preferences and patterns
	ReviewAll         = "all"
)

// Reviewed reports whether memories of a source that sessions teach wait for review.
func (c Capture) Reviewed(source memory.Source) bool {
	preference := source == memory.Preferences || source == memory.Patterns
	return c.Review == ReviewAll || preference && c.Review == ReviewPreferences
}

// extractors lists all extractors, in the order of the documentation.
var extractors = []string{ExtractorRules, ModelOllama, ModelOpenAI, ModelAnthropic, ModelClaude}

// Limits on questions to a model. In a shorter time a small model on a laptop cannot read a session, and
// fewer tokens do not hold a turn.
const (
	minExtractorTimeout = 5 * time.Second
	maxExtractorTimeout = 10 * time.Minute
	minExtractorTokens  = 2000
	maxExtractorTokens  = 100_000
	maxParallel         = 4

	// extractorAnswerTokens is the most that a model is asked to write.
	extractorAnswerTokens = 4000
)

// ignored lists the files that hold only keys and passwords.
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

// Asked returns the model that reads sessions.
func (c Capture) Asked() Asked {
	return Asked{LanguageModel: c.LanguageModel, Role: "extractor", Table: "capture", Kind: c.Extractor, MaxTokens: c.MaxTokens, AnswerTokens: extractorAnswerTokens}
}

// extractor checks the settings of the extractor.
func (v *rules) extractor(c Capture) {
	v.languageModel(c.Asked(), modelRule{"capture.extractor", extractors, "sessions", minExtractorTimeout, maxExtractorTimeout})
	v.whole("capture.max_tokens", c.MaxTokens, minExtractorTokens, maxExtractorTokens)
	v.whole("capture.parallel", c.Parallel, 1, maxParallel)
}

// Keep says how long memories are kept. Sources inherit the embedded Kept unless the user sets theirs;
// the Kept of each source here already includes it. Memories that a user wrote, that are of high
// importance or that were injected within KeepUsed are never deleted.
type Keep struct {
	Kept
	BySource[Kept]
}

// KeepUsed is how long a memory is kept after it was last injected, whatever its age.
const KeepUsed = 90 * day

// Kept says which memories of a source are kept.
type Kept struct {
	Age   Duration `toml:"age"`   // older ones are deleted; 0s for none
	Count int      `toml:"count"` // only the newest are kept; 0 for all
}

// defaultKeep limits only the age of thinking. It is the largest source, is rarely needed after half a
// year, and its results are stored as decisions and failures.
func defaultKeep() Keep {
	return Keep{BySource: BySource[Kept]{Thinking: Kept{Age: 180 * day}}}
}

// keep checks how long memories are kept.
func (v *rules) keep(k Keep) {
	v.kept("capture.keep", k.Kept)
	for _, src := range memory.Sources {
		v.kept("capture.keep."+string(src), k.Of(src))
	}
}

func (v *rules) kept(key string, k Kept) {
	v.age(key+".age", k.Age)
	if k.Count < 0 {
		v.add(key+".count", k.Count, "must be 0 or more")
	}
}
