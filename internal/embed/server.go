package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"recollect/internal/config"
)

// maxAnswer is the longest answer that is read, in bytes: 4096 dimensions of
// 25 characters are a tenth of it.
const maxAnswer = 1 << 20

// keepAlive is how long Ollama keeps the model in memory after a text. Its own
// five minutes are over before the user has read what Claude did, and then the
// next prompt would have no vector in time.
const keepAlive = "30m"

// noToken stands for the token where a server asks for none: langchaingo's
// client insists on one.
const noToken = "none"

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
	client := newHTTPClient(s.AllowRemote)
	srv := &server{name: s.Model, http: client}
	if s.Kind == config.EmbedderOllama {
		srv.EmbedderClient, err = ollama.New(ollama.WithServerURL(base.String()), ollama.WithModel(s.Model),
			ollama.WithHTTPClient(client), ollama.WithKeepAlive(keepAlive))
		return srv, err
	}
	token, err := readToken(s.TokenFile)
	if err != nil {
		return nil, err
	}
	srv.EmbedderClient, err = openai.New(openai.WithBaseURL(base.String()), openai.WithEmbeddingModel(s.Model), openai.WithModel(s.Model),
		openai.WithToken(token), openai.WithOrganization(""), openai.WithHTTPClient(plain{client}))
	return srv, err
}

func (s *server) model() string { return s.name }

func (s *server) close() { s.http.CloseIdleConnections() }

func readToken(path string) (string, error) {
	if path == "" {
		return noToken, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("read token: %s: must hold one line with the token", path)
	}
	return token, nil
}

// newHTTPClient returns a client that talks to this machine alone, unless
// remote is true: no proxy, no redirect, and no name that only looks local.
func newHTTPClient(remote bool) *http.Client {
	dialer := &net.Dialer{}
	if !remote {
		dialer.Control = refuseRemote
	}
	return &http.Client{
		Timeout:   patience,
		Transport: strict{&http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 2}},
	}
}

func refuseRemote(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("%s is another machine and embedder.allow_remote is false", host)
	}
	return nil
}

// strict is a transport that passes on nothing but JSON of a bounded length; a
// redirect is none, so nobody follows it to another machine.
// langchaingo's clients read any length, and make an error out of a whole page.
type strict struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (s strict) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	resp.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read answer: %w", err)
	case resp.StatusCode != http.StatusOK:
		return nil, &refusal{resp.StatusCode, excerpt(resp, body)}
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("it answered with more than %d bytes", maxAnswer)
	case !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return nil, fmt.Errorf("it answered with something else than JSON: %s", excerpt(resp, body))
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// excerpt says what an answer was, in one short line.
func excerpt(resp *http.Response, body []byte) string {
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		return "a page of HTML"
	}
	return oneLine(string(body))
}

// oneLine returns the beginning of s without line breaks and what else does
// not belong in a line.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool { return r <= ' ' || r == utf8.RuneError || r == 0x7f }), " ")
	if len(s) > maxError {
		return head(s, maxError) + "…"
	}
	return s
}

// plain is what langchaingo's client for OpenAI's protocol sends with. That
// client hides the cause of every network error; these are none to it.
type plain struct{ *http.Client }

// Do sends a request.
func (p plain) Do(req *http.Request) (*http.Response, error) {
	resp, err := p.Client.Do(req)
	if err == nil || errors.Is(err, context.Canceled) {
		return resp, err
	}
	if r := (*refusal)(nil); errors.As(err, &r) {
		return nil, fmt.Errorf("%s: %w", req.URL, r)
	}
	return nil, errors.New(err.Error())
}
