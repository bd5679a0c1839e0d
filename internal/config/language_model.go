package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The kinds of language models that the user may name. Each purpose has a word of its own for none.
const (
	ModelOllama    = "ollama"    // a server that speaks Ollama's protocol
	ModelOpenAI    = "openai"    // a server that speaks OpenAI's protocol
	ModelAnthropic = "anthropic" // Anthropic's API, or a server that speaks its protocol
	ModelClaude    = "claude"    // Claude Code's own command
)

// modelURLs are the addresses at which servers listen by default.
var modelURLs = map[string]string{
	ModelOllama:    "http://127.0.0.1:11434",
	ModelAnthropic: "https://api.anthropic.com/v1",
}

// LanguageModel says how a language model of the user is reached.
type LanguageModel struct {
	Model       string   `toml:"model"`        // model's name at the server or in Claude Code; empty for Claude Code's own choice
	URL         string   `toml:"url"`          // URL of the server; empty for Ollama's own port and Anthropic's API
	TokenFile   string   `toml:"token_file"`   // file with the token for the server; empty for none
	AllowRemote bool     `toml:"allow_remote"` // whether what the model reads may be sent to another machine
	Timeout     Duration `toml:"timeout"`      // for one answer
}

// Asked is a language model that is asked for one purpose.
type Asked struct {
	LanguageModel
	Role         string // what it is asked as: extractor or reader
	Table        string // of the settings
	Kind         string // one of those above, or the word for none
	MaxTokens    int    // largest size of one question, in tokens of four characters
	AnswerTokens int    // most tokens that it is asked to write
}

// IsOn reports whether there is a model to ask.
func (a Asked) IsOn() bool {
	return slices.Contains([]string{ModelOllama, ModelOpenAI, ModelAnthropic, ModelClaude}, a.Kind)
}

// ServerURL returns the URL of the model's server, or "" if it has none.
func (a Asked) ServerURL() string {
	if a.URL == "" {
		return modelURLs[a.Kind]
	}
	return a.URL
}

// A modelRule says what the settings of a language model must be.
type modelRule struct {
	key      string // of the setting that names the kind
	kinds    []string
	reads    string // what the model is sent
	min, max time.Duration
}

// languageModel checks the settings of the chosen kind, and those of the others if they are set.
func (v *rules) languageModel(a Asked, rule modelRule) {
	if !slices.Contains(rule.kinds, a.Kind) {
		v.add(rule.key, fmt.Sprintf("%q", a.Kind), "must be one of "+strings.Join(rule.kinds, ", "))
		return
	}
	server := a.IsOn() && a.Kind != ModelClaude
	if server || a.URL != "" {
		v.server(a.Table+".url", a.ServerURL(), a.AllowRemote, rule.reads)
	}
	if server && a.Model == "" {
		v.add(a.Table+".model", `""`, "must name a model that the server has")
	}
	if strings.HasPrefix(a.Model, "-") {
		v.add(a.Table+".model", fmt.Sprintf("%q", a.Model), "must not begin with a hyphen")
	}
	v.path(a.Table+".token_file", a.TokenFile, false)
	if d := time.Duration(a.Timeout); d < rule.min || d > rule.max {
		v.add(a.Table+".timeout", d, fmt.Sprintf("must be between %v and %v", rule.min, rule.max))
	}
}

// Reader says which model of the user reads what recollect may say of a prompt, and what it is asked. No prompt
// waits for it.
type Reader struct {
	Kind string `toml:"kind"` // off, ollama, openai, anthropic or claude
	LanguageModel

	Prompts    bool `toml:"prompts"`    // whether it chooses what answers a prompt
	Candidates bool `toml:"candidates"` // whether it says at the end of a session which candidates stand
}

// ReaderOff is the kind of a reader that is not asked.
const ReaderOff = "off"

// readerKinds are the kinds in the order of the documentation.
var readerKinds = []string{ReaderOff, ModelOllama, ModelOpenAI, ModelAnthropic, ModelClaude}

const (
	// readerTokens is the largest size of one question: ten whole prompts of some length.
	readerTokens = 8000
	// readerAnswerTokens is the most that it is asked to write: a few numbers, and the thoughts before them.
	readerAnswerTokens = 1000
	// In a shorter time no model answers; what takes longer comes too late for its prompt.
	minReaderTimeout = time.Second
	maxReaderTimeout = 2 * time.Minute
)

// Asked returns the model that is asked.
func (r Reader) Asked() Asked {
	return Asked{LanguageModel: r.LanguageModel, Role: "reader", Table: "reader", Kind: r.Kind, MaxTokens: readerTokens, AnswerTokens: readerAnswerTokens}
}

// ChoosesStatements reports whether the model chooses what answers a prompt.
func (r Reader) ChoosesStatements() bool { return r.Prompts && r.Asked().IsOn() }

// ConfirmsCandidates reports whether the model says which candidates stand.
func (r Reader) ConfirmsCandidates() bool { return r.Candidates && r.Asked().IsOn() }

// reader checks the settings of the reader.
func (v *rules) reader(r Reader) {
	v.languageModel(r.Asked(), modelRule{"reader.kind", readerKinds, "prompts and memories", minReaderTimeout, maxReaderTimeout})
}
