package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The kinds of embedders.
const (
	EmbedderBuiltin = "builtin" // the model in the executable
	EmbedderOllama  = "ollama"  // a server that speaks Ollama's protocol
	EmbedderOpenAI  = "openai"  // a server that speaks OpenAI's protocol
	EmbedderBERT    = "bert"    // a model in a folder, run in the daemon
	EmbedderOff     = "off"     // words alone
)

// embedderKinds are the kinds in the order of the documentation.
var embedderKinds = []string{EmbedderBuiltin, EmbedderOllama, EmbedderOpenAI, EmbedderBERT, EmbedderOff}

// embedderURLs are the addresses at which servers listen by default. Servers of OpenAI's protocol have no
// default port.
var embedderURLs = map[string]string{EmbedderOllama: "http://127.0.0.1:11434"}

// Limits on the time that a prompt waits. No server answers faster than minEmbedderTimeout, and the
// prompt's hook exits after 240 ms.
const (
	minEmbedderTimeout = 10 * time.Millisecond
	maxEmbedderTimeout = 200 * time.Millisecond
)

// Embedder says how texts become vectors.
type Embedder struct {
	Kind        string   `toml:"kind"`         // builtin, ollama, openai, bert or off
	Model       string   `toml:"model"`        // the model's name at the server; for ollama and openai
	URL         string   `toml:"url"`          // URL of the server; empty for Ollama's own port
	TokenFile   string   `toml:"token_file"`   // file with the token for an openai server; empty for none
	AllowRemote bool     `toml:"allow_remote"` // whether memories and prompts may be sent to another machine
	Folder      string   `toml:"folder"`       // folder of the model; for bert
	Timeout     Duration `toml:"timeout"`      // how long a prompt waits for its vector, 10ms to 200ms
}

// ServerURL returns the URL of the server, or "" for kinds without one.
func (e Embedder) ServerURL() string {
	if e.URL == "" {
		return embedderURLs[e.Kind]
	}
	return e.URL
}

// embedder checks the settings of the chosen kind, and those of the other kinds if they are set.
func (v *rules) embedder(e Embedder) {
	if !slices.Contains(embedderKinds, e.Kind) {
		v.add("embedder.kind", fmt.Sprintf("%q", e.Kind), "must be one of "+strings.Join(embedderKinds, ", "))
		return
	}
	if server := e.Kind == EmbedderOllama || e.Kind == EmbedderOpenAI; server || e.URL != "" {
		v.server("embedder.url", e.ServerURL(), e.AllowRemote, "memories and prompts")
		if server && e.Model == "" {
			v.add("embedder.model", `""`, "must name a model that the server has")
		}
	}
	v.path("embedder.token_file", e.TokenFile, false)
	v.path("embedder.folder", e.Folder, e.Kind == EmbedderBERT)
	if d := time.Duration(e.Timeout); d < minEmbedderTimeout || d > maxEmbedderTimeout {
		v.add("embedder.timeout", d, fmt.Sprintf("must be between %v and %v", minEmbedderTimeout, maxEmbedderTimeout))
	}
}
