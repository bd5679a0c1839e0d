package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"recollect/internal/endpoint"
)

// sound is a text that every model embeds.
const sound = "hello"

// blamesText reports whether err may be the fault of the text alone: it is too
// long for the model, say, or makes it compute nonsense. Servers have no status
// for that which they keep for it: llama.cpp says 500 where OpenAI says 400.
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

// insist asks for the vector of a text like ask. The error is ErrNothing where
// the backend fails with this text, twice, and not with another between. So one
// text that it never embeds does not keep those behind it from being embedded,
// and a backend that embeds nothing is not taken for one that refuses texts.
func (e *Embedder) insist(ctx context.Context, text string) ([]float32, error) {
	v, err := e.ask(ctx, text)
	if !blamesText(err) {
		return v, err
	}
	if _, fails := e.ask(ctx, e.prefixes.document+sound); fails != nil {
		return nil, err
	}
	v, err = e.ask(ctx, text)
	if !blamesText(err) {
		return v, err
	}
	e.health.refused(err)
	return nil, fmt.Errorf("%w: %w", ErrNothing, err)
}
