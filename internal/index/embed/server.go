package embed

import (
	"net/http"
	"net/url"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"recollect/internal/config"
	"recollect/internal/config/endpoint"
)

// maxAnswer is the largest answer that is read, in bytes. A vector of 4096 dimensions with 25 characters
// each takes a tenth of it.
const maxAnswer = 1 << 20

// keepAlive is how long Ollama keeps the model in memory after a text. By default it unloads a model
// after five minutes, and the next prompt would often not get its vector in time.
const keepAlive = "30m"

// A server is a model behind one of langchaingo's clients.
type server struct {
	embeddings.EmbedderClient
	name string
	http *http.Client
}

// openServer creates the client that s specifies. All settings are passed
// explicitly, because the client would read missing ones from the environment.
func openServer(s config.Embedder) (*server, error) {
	base, err := url.Parse(s.ServerURL())
	if err != nil {
		return nil, err
	}
	client := endpoint.Policy{AllowRemote: s.AllowRemote, Setting: "embedder.allow_remote", MaxAnswer: maxAnswer, KeepAlive: true}.Client()
	client.Timeout = callTimeout
	srv := &server{name: s.Model, http: client}
	if s.Kind == config.EmbedderOllama {
		srv.EmbedderClient, err = ollama.New(ollama.WithServerURL(base.String()), ollama.WithModel(s.Model),
			ollama.WithHTTPClient(client), ollama.WithKeepAlive(keepAlive))
		return srv, err
	}
	token, err := endpoint.Token(s.TokenFile)
	if err != nil {
		return nil, err
	}
	srv.EmbedderClient, err = openai.New(openai.WithBaseURL(base.String()), openai.WithEmbeddingModel(s.Model), openai.WithModel(s.Model),
		openai.WithToken(token), openai.WithOrganization(""), openai.WithHTTPClient(endpoint.PlainErrorClient{Client: client}))
	return srv, err
}

func (s *server) model() string { return s.name }

func (s *server) close() { s.http.CloseIdleConnections() }
