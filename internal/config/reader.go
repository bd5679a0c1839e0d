package config

import "time"

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
