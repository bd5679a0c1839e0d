// Package embed turns texts into vectors that are similar for texts of similar
// meaning.
//
// The work is done by the model in the executable or by a backend: a server, or a model in a folder. A
// backend is a client in langchaingo's sense, and an Embedder is langchaingo's embeddings.Embedder. No
// backend is trusted: every answer is checked and scaled to length 1. A prompt never waits longer than
// the settings allow, and a backend that fails is not asked again for a while.
//
// A space is a set of vectors that may be compared with one another: those of one model and one
// preparation of the texts. Version names it.
package embed

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"strings"
	"time"

	"github.com/tmc/langchaingo/embeddings"

	"recollect/internal/config"
	"recollect/internal/index/embed/builtin"
)

// ErrNothing means that a text has no vector and never will: the model knows nothing in it, a server
// refuses it, or the embedder is off. The caller continues with words alone.
var ErrNothing = errors.New("nothing to embed")

// maxChars is the number of characters of a text that are embedded, more than the supported models read.
const maxChars = 6000

// callTimeout is the longest time that a backend may take for one text. It
// allows for a server that must first load its model into memory.
const callTimeout = 30 * time.Second

var _ embeddings.Embedder = (*Embedder)(nil)

// A backend is a client that embeds with one model. It may be slow, wrong or unavailable. Each call has
// one text, because some servers answer a batch in a different order, and some return another vector for
// a text in a batch.
type backend interface {
	embeddings.EmbedderClient
	// model names the model: vectors of models with equal names can be
	// compared. It is empty until it is known.
	model() string
	close()
}

// An Embedder embeds with one backend. Its methods may be called concurrently.
type Embedder struct {
	kind     string
	linked   *builtin.Model // for kind builtin; called directly, because it is fast
	backend  backend        // for the other kinds; nil when off
	prefixes prefixes
	timeout  time.Duration

	space     space
	health    *health
	cache     *cache
	queries   *singleFlight
	documents *singleFlight
}

// Open creates the embedder that s specifies. It neither waits for a server
// nor loads a model from a folder; that happens with the first text.
func Open(s config.Embedder, log *slog.Logger) (*Embedder, error) {
	e := newEmbedder(s, log)
	if err := e.open(s); err != nil {
		return nil, fmt.Errorf("open embedder %s: %w", s.Kind, err)
	}
	return e, nil
}

// newEmbedder makes an embedder without a backend.
func newEmbedder(s config.Embedder, log *slog.Logger) *Embedder {
	return &Embedder{
		kind:      s.Kind,
		timeout:   time.Duration(s.Timeout),
		health:    &health{log: log.With("embedder", s.Kind)},
		cache:     newCache(),
		queries:   newSingleFlight(),
		documents: newSingleFlight(),
	}
}

func (e *Embedder) open(s config.Embedder) (err error) {
	switch s.Kind {
	case config.EmbedderBuiltin:
		e.linked, err = builtin.Load()
	case config.EmbedderOllama, config.EmbedderOpenAI:
		e.prefixes = prefixesOf(s.Model)
		e.backend, err = openServer(s)
	case config.EmbedderBERT:
		if e.prefixes, err = prefixesIn(s.Folder); err == nil {
			e.backend, err = openFolder(s.Folder)
		}
	case config.EmbedderOff:
	default:
		err = errors.New("unknown kind")
	}
	return err
}

// Kind returns the kind in the settings.
func (e *Embedder) Kind() string { return e.kind }

// Dims returns the number of dimensions of a vector. It is 0 until the first answer of a server shows it.
func (e *Embedder) Dims() int {
	if e.linked != nil {
		return e.linked.Dims()
	}
	return e.space.size()
}

// Version names the space of the vectors. For the model in the executable it is the model's own version;
// otherwise it consists of the kind, the model, the number of dimensions, and a checksum of the
// preparation of texts. It stays the same after a restart. It is empty while Dims is 0 and when the
// embedder is off.
func (e *Embedder) Version() string {
	dims := e.Dims()
	switch {
	case dims == 0:
		return ""
	case e.linked != nil:
		return e.linked.Version()
	}
	prepared := crc32.ChecksumIEEE(fmt.Appendf(nil, "%d %q %q", maxChars, e.prefixes.query, e.prefixes.document))
	return fmt.Sprintf("%s:%s:%d:%08x", e.kind, e.backend.model(), dims, prepared)
}

// Status describes the state of the embedder for people: "ready", "off", "not
// asked yet", or since when it has been failing, with the error.
func (e *Embedder) Status() (state string, err error) {
	switch {
	case e.linked != nil:
		return "ready", nil
	case e.backend == nil:
		return "off", nil
	}
	return e.health.status()
}

// Close releases the backend. A call that still waits for it returns an error.
func (e *Embedder) Close() error {
	e.queries.stop()
	e.documents.stop()
	if e.backend != nil {
		e.backend.close()
	}
	return nil
}

// EmbedQuery returns the unit vector of a prompt, which the caller owns. It waits at most as long as the
// settings allow, and not at all while the backend rests after a failure or is busy with an abandoned
// prompt. The error is ErrNothing if there is nothing to embed.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if e.backend == nil || strings.TrimSpace(text) == "" {
		return e.direct(text)
	}
	text = e.prefixes.query + head(text)
	if v, ok := e.cache.get(text); ok {
		return v, nil
	}
	if err := e.health.resting(time.Now()); err != nil {
		return nil, err
	}
	return e.await(ctx, text)
}

// Known returns the vector of a prompt that was embedded recently, without
// asking a backend.
func (e *Embedder) Known(text string) ([]float32, bool) {
	if e.backend == nil || strings.TrimSpace(text) == "" {
		v, err := e.direct(text)
		return v, err == nil
	}
	return e.cache.get(e.prefixes.query + head(text))
}

// direct embeds a text with the model in the executable, if the settings choose that.
func (e *Embedder) direct(text string) ([]float32, error) {
	if e.linked == nil {
		return nil, ErrNothing
	}
	v := make([]float32, e.linked.Dims())
	if !e.linked.Embed(v, head(text)) {
		return nil, ErrNothing
	}
	return v, nil
}

// await requests the vector of a prompt and waits for it until the deadline. The call continues
// afterwards, so that its result is available when the same prompt is sent again, and a server can finish
// loading its model.
func (e *Embedder) await(ctx context.Context, text string) ([]float32, error) {
	waiting, stopWaiting := context.WithTimeoutCause(ctx, e.timeout, e.late(e.timeout))
	defer stopWaiting()
	working, stop := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	v, err := e.queries.call(waiting, stop, func() ([]float32, error) {
		v, err := e.ask(working, text)
		switch {
		case err == nil:
			e.cache.put(text, v)
		case blamesText(err) && e.Dims() > 0: // it has embedded other texts
			err = fmt.Errorf("%w: %w", ErrNothing, err)
		}
		e.recordCall(working, err, waiting.Err() == nil)
		return v, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		e.health.record(time.Now(), err, true)
	}
	return v, err
}

// late returns the error for a missed deadline.
func (e *Embedder) late(after time.Duration) error {
	return fmt.Errorf("%s: no answer within %v: %w", e.kind, after, context.DeadlineExceeded)
}

// recordCall records the outcome of a call, unless the call was cancelled. A
// text without a vector is not a failure.
func (e *Embedder) recordCall(working context.Context, err error, inTime bool) {
	if errors.Is(err, ErrNothing) {
		err = nil
	}
	if !errors.Is(working.Err(), context.Canceled) {
		e.health.record(time.Now(), err, inTime)
	}
}

// EmbedDocuments returns the unit vectors of memories, in their order, with nil for each text that gives
// ErrNothing. The caller owns the vectors. It waits up to half a minute for each text and ends with the
// first failure that is not caused by the text. It asks a backend even while prompts do not, so that a
// recovered backend is noticed.
func (e *Embedder) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := e.document(ctx, text)
		if err != nil && !errors.Is(err, ErrNothing) {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

func (e *Embedder) document(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.backend == nil || strings.TrimSpace(text) == "" {
		return e.direct(text)
	}
	text = e.prefixes.document + head(text)
	working, stop := context.WithTimeoutCause(ctx, callTimeout, e.late(callTimeout))
	v, err := e.documents.call(working, stop, func() ([]float32, error) {
		v, err := e.askAgain(working, text)
		e.recordCall(working, err, false)
		return v, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		e.health.record(time.Now(), err, false)
	}
	return v, err
}

// ask sends one text to the backend and checks the answer.
func (e *Embedder) ask(ctx context.Context, text string) ([]float32, error) {
	vectors, err := guarded(ctx, e.backend, text)
	var v []float32
	if err == nil {
		v, err = e.space.check(vectors[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.kind, err)
	}
	return v, nil
}

// head returns the first maxChars characters of text.
func head(text string) string {
	n := maxChars
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}
