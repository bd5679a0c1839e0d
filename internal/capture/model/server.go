package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"recollect/internal/capture/finding"
	"recollect/internal/config"
	"recollect/internal/config/endpoint"
)

// A server is a model behind one of langchaingo's clients.
type server struct {
	llm          llms.Model
	answerTokens int
}

// openServer makes the client that c asks for. Every setting is passed to it,
// because it would read a missing one from the environment.
func openServer(c config.Asked) (model, error) {
	token, err := endpoint.Token(c.TokenFile)
	if err != nil {
		return nil, err
	}
	s := server{answerTokens: c.AnswerTokens}
	url := c.ServerURL()
	client := endpoint.PlainErrorClient{Client: endpoint.Policy{AllowRemote: c.AllowRemote, Setting: c.Table + ".allow_remote", MaxAnswer: maxAnswer}.Client()}
	switch c.Kind {
	case config.ModelOllama:
		// Without a size of its own Ollama would read the end of the question
		// only. A token may be shorter than tokenBytes.
		size := c.MaxTokens + c.MaxTokens/2 + c.AnswerTokens
		s.llm, err = ollama.New(ollama.WithServerURL(url), ollama.WithModel(c.Model), ollama.WithHTTPClient(client.Client),
			ollama.WithFormat("json"), ollama.WithRunnerNumCtx(size))
	case config.ModelOpenAI:
		s.llm, err = openai.New(openai.WithBaseURL(url), openai.WithModel(c.Model), openai.WithToken(token),
			openai.WithOrganization(""), openai.WithHTTPClient(client))
	case config.ModelAnthropic:
		s.llm, err = anthropic.New(anthropic.WithBaseURL(url), anthropic.WithModel(c.Model), anthropic.WithToken(token),
			anthropic.WithHTTPClient(client))
	}
	return s, err
}

// ask implements model.
func (s server) ask(ctx context.Context, system, question string) (string, error) {
	resp, err := s.llm.GenerateContent(ctx, []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, system),
		llms.TextParts(llms.ChatMessageTypeHuman, question),
	}, llms.WithMaxTokens(s.answerTokens))
	if err != nil {
		return "", errors.New(oneLine(err.Error())) // langchaingo quotes answers in its own
	}
	var answer strings.Builder
	for _, choice := range resp.Choices {
		if choice != nil { // a block that langchaingo does not know
			answer.WriteString(choice.Content)
		}
	}
	if strings.TrimSpace(answer.String()) == "" {
		return "", fmt.Errorf("%w: it is empty", finding.ErrAnswer)
	}
	return answer.String(), nil
}
