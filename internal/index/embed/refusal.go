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

// blamesText reports whether err may be caused by the text alone, for example
// because it is too long for the model or makes it compute invalid numbers. No
// status is reserved for this case: llama.cpp answers 500 where OpenAI answers
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

// askAgain asks for the vector of a text like ask. The error is ErrNothing if
// the backend fails twice for this text, and not for another one in between. A
// single text that cannot be embedded therefore does not block those after it,
// and a backend that embeds nothing is not mistaken for one that refuses
// texts.
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
