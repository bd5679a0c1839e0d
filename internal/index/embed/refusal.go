package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"recollect/internal/config/endpoint"
)

// probeText is a text that every model can embed.
const probeText = "hello"

// blamesText reports whether the text alone may have caused err, for example because it is too long or
// makes the model compute invalid numbers. No status is reserved for this: llama.cpp answers 500, OpenAI
// 400.
func blamesText(err error) bool {
	var r *endpoint.Refusal
	if errors.As(err, &r) {
		switch r.Status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
			return true
		}
	}
	return errors.Is(err, errNotFinite) || errors.Is(err, errZeros)
}

// askAgain asks for the vector of a text like ask. It returns ErrNothing if the backend fails twice for
// this text but not for another one in between. So one text that cannot be embedded does not block the
// next ones, and a backend that embeds nothing is not mistaken for one that refuses a text.
func (e *Embedder) askAgain(ctx context.Context, text string) ([]float32, error) {
	v, err := e.ask(ctx, text)
	if !blamesText(err) {
		return v, err
	}
	if _, fails := e.ask(ctx, e.prefixes.document+probeText); fails != nil {
		return nil, err
	}
	v, err = e.ask(ctx, text)
	if !blamesText(err) {
		return v, err
	}
	e.health.refused(err)
	return nil, fmt.Errorf("%w: %w", ErrNothing, err)
}
