package embed

import (
	"net/http"
	"net/url"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"recollect/internal/config"
	"recollect/internal/endpoint"
)

// maxAnswer is the longest answer that is read, in bytes: 4096 dimensions of
// 25 characters are a tenth of it.
const maxAnswer = 1 << 20

// keepAlive is how long Ollama keeps the model in memory after a text. Its own
// five minutes are over before the user has read what Claude did, and then the
// next prompt would have no vector in time.
const keepAlive = "30m"

// A server is a model behind one of langchaingo's clients.
type server struct {
	embeddings.EmbedderClient
	name string
	http *http.Client
}

// openServer makes the client that s asks for. Everything is passed to it: what
// it is not told it would read from the environment.
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
