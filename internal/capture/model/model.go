// Package model asks a language model of the user. As the extractor it takes
// memories out of sessions, besides what the rules of package extract find; as
// the reader it chooses among what recollect holds.
//
// A question asks for JSON. An answer of the extractor is checked here for its
// form, and by capture for what it claims; one of the reader is numbers alone,
// so that no word of a model gets anywhere. The model is behind a
// server, asked through langchaingo, or behind Claude Code's own command. Both
// are trusted with nothing: an answer is bounded in length and time, panics
// are errors, and whatever goes wrong costs only what the model would have
// added.
package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/capture/finding"
	"recollect/internal/config"
	"recollect/internal/config/endpoint"
)

const (
	// maxAnswer is the longest answer that is read, in bytes. Those of servers
	// come wrapped in JSON of their own.
	maxAnswer = 1 << 20
	// maxError is how much of an error or a panic is passed on, in bytes.
	maxError = 300
	// tokenBytes is how many bytes a token is taken for.
	tokenBytes = 4
)

// A model answers a question. The error is finding.ErrAnswer where it did, but
// in a way that it would answer again.
type model interface {
	ask(ctx context.Context, system, question string) (string, error)
}

// A Model is the model that the settings ask for. Its methods may be called at
// the same time.
type Model struct {
	name    string // "extractor ollama"
	model   model
	room    int // bytes that a question of the user's texts may have
	timeout time.Duration
}

// Open returns the model that c asks for. Nobody is asked yet. There is none
// for "rules" or "off".
func Open(c config.Asked) (*Model, error) {
	m := &Model{name: c.Role + " " + c.Kind, room: c.MaxTokens*tokenBytes - len(system), timeout: time.Duration(c.Timeout)}
	var err error
	switch c.Kind {
	case config.ModelOllama, config.ModelOpenAI, config.ModelAnthropic:
		m.model, err = openServer(c)
	case config.ModelClaude:
		m.model = claude{model: c.Model}
	default:
		err = errors.New("it has no model")
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", m.name, err)
	}
	return m, nil
}

// Room returns how many bytes of turns one question holds.
func (m *Model) Room() int { return m.room }

// Read has the model read turns. It is a finding.Reader.
func (m *Model) Read(ctx context.Context, turns []string) ([]finding.Finding, error) {
	var found []finding.Finding
	err := m.answer(ctx, system, question(turns), func(answer string) (err error) {
		found, err = findings(answer)
		return err
	})
	return found, err
}

// answer puts one question, and has read take the answer apart.
func (m *Model) answer(ctx context.Context, system, question string, read func(answer string) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, m.timeout, fmt.Errorf("no answer within %v: %w", m.timeout, context.DeadlineExceeded))
	defer cancel()
	answer, err := m.ask(ctx, system, question)
	if err == nil {
		err = read(answer)
	} else if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// ask puts one question. A panic in a client is an error.
func (m *Model) ask(ctx context.Context, system, question string) (answer string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %s", oneLine(fmt.Sprint(r)))
		}
	}()
	return m.model.ask(ctx, system, question)
}

// oneLine returns the beginning of s in one line.
func oneLine(s string) string { return endpoint.OneLine(s, maxError) }
