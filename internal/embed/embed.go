// Package embed turns texts into vectors that lie close together where the
// texts mean the same.
//
// The work is done by the model in the executable or by a backend: a server, or
// a model in a folder. A backend is a client in langchaingo's sense, and an
// Embedder is langchaingo's embeddings.Embedder. It trusts no backend: every
// answer is checked and brought to length 1, a prompt never waits longer than
// the settings say, and a backend that fails is left alone for a while.
//
// A space is the set of vectors that may be compared with one another: those
// of one model and one preparation of the texts. Version names it.
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
	"recollect/internal/embed/builtin"
)

// ErrNothing says that a text has no vector and never will, because there is
// nothing in it that the model knows, because a server refuses this very text,
// or because the embedder is off. The caller goes on with words alone.
var ErrNothing = errors.New("nothing to embed")

// maxChars is how much of a text is embedded, in characters: more than the
// models behind this read of one.
const maxChars = 6000

// patience is how long a backend may take for one text. It is ample for a
// server that must first load its model into memory.
const patience = 30 * time.Second

var _ embeddings.Embedder = (*Embedder)(nil)

// A backend is a client that embeds with one model, which may be slow, wrong or
// gone. Every text is a call of its own: servers are known that answer a batch
// in another order than it was asked, and that give another vector in a batch
// than alone.
type backend interface {
	embeddings.EmbedderClient
	// model names the model: equal names, comparable vectors. It is empty
	// until it is known.
	model() string
	close()
}

// An Embedder embeds with one backend. Its methods may be called at the same
// time.
type Embedder struct {
	kind     string
	linked   *builtin.Model // for kind builtin; asked directly, since it is as fast as any detour
	backend  backend        // for the other kinds; nil when off
	prefixes prefixes
	timeout  time.Duration

	space     space
	health    *health
	cache     *cache
	queries   *lane
	documents *lane
}

// Open makes the embedder that s asks for. It neither waits for a server nor
// loads a model from a folder: that is done when the first text comes.
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
		health:    newHealth(log.With("embedder", s.Kind)),
		cache:     newCache(),
		queries:   newLane(),
		documents: newLane(),
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
		e.prefixes = prefixesOf(s.Folder)
		e.backend, err = openFolder(s.Folder)
	case config.EmbedderOff:
	default:
		err = errors.New("there is no such kind")
	}
	return err
}

// Kind returns the kind in the settings.
func (e *Embedder) Kind() string { return e.kind }

// Off reports whether there are no vectors at all.
func (e *Embedder) Off() bool { return e.linked == nil && e.backend == nil }

// Dims returns how many numbers a vector has, or 0 as long as that is not
// known: a server's model tells it with the first answer.
func (e *Embedder) Dims() int {
	if e.linked != nil {
		return e.linked.Dims()
	}
	return e.space.size()
}

// Version names the space of the vectors. For the model in the executable it is
// the model's own version; else the kind, the model, the number of dimensions,
// and a checksum of how texts are prepared. It is the same after a restart. It
// is empty when off, and as long as Dims is 0.
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

// Status says how the embedder is, for people: "ready", "off", "not asked
// yet", or since when it fails, with the error.
func (e *Embedder) Status() (state string, err error) {
	switch {
	case e.Off():
		return "off", nil
	case e.linked != nil:
		return "ready", nil
	}
	return e.health.status()
}

// Close lets go of the backend. A call that still waits for it ends with an
// error.
func (e *Embedder) Close() error {
	e.queries.stop()
	e.documents.stop()
	if e.backend != nil {
		e.backend.close()
	}
	return nil
}

// EmbedQuery returns the unit vector of a prompt. The vector is the caller's.
// It waits at most as long as the settings say, and not at all while the
// backend rests after a failure or is still busy with a prompt that was not
// waited for. The error is ErrNothing when there is nothing to embed.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if e.backend == nil || strings.TrimSpace(text) == "" {
		return e.direct(text)
	}
	text = e.prefixes.query + head(text, maxChars)
	if v, ok := e.cache.get(text); ok {
		return v, nil
	}
	if err := e.health.resting(time.Now()); err != nil {
		return nil, err
	}
	return e.await(ctx, text)
}

// Known returns the vector of a prompt that was embedded a short while ago,
// without asking a backend.
func (e *Embedder) Known(text string) ([]float32, bool) {
	if e.backend == nil || strings.TrimSpace(text) == "" {
		v, err := e.direct(text)
		return v, err == nil
	}
	return e.cache.get(e.prefixes.query + head(text, maxChars))
}

// direct embeds a text with the model in the executable, where that is the one
// to ask.
func (e *Embedder) direct(text string) ([]float32, error) {
	if e.linked == nil {
		return nil, ErrNothing
	}
	v := make([]float32, e.linked.Dims())
	if !e.linked.Embed(v, head(text, maxChars)) {
		return nil, ErrNothing
	}
	return v, nil
}

// await asks for the vector of a prompt and waits for it until the deadline.
// The call goes on without the prompt: what it brings is there when the same
// prompt comes again, and a server that was loading its model gets to end it.
func (e *Embedder) await(ctx context.Context, text string) ([]float32, error) {
	waiting, stopWaiting := context.WithTimeoutCause(ctx, e.timeout, e.late(e.timeout))
	defer stopWaiting()
	working, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	v, err := e.queries.call(waiting, stop, func() ([]float32, error) {
		v, err := e.ask(working, text)
		switch {
		case err == nil:
			e.cache.put(text, v)
		case blamesText(err) && e.Dims() > 0: // it has embedded others
			err = fmt.Errorf("%w: %w", ErrNothing, err)
		}
		e.note(working, err, waiting.Err() == nil)
		return v, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		e.health.record(time.Now(), err, true)
	}
	return v, err
}

// late is the error of a deadline that passed.
func (e *Embedder) late(after time.Duration) error {
	return fmt.Errorf("%s: no answer within %v: %w", e.kind, after, context.DeadlineExceeded)
}

// note records how a call went, unless it was called off. That a text has no
// vector is no failure.
func (e *Embedder) note(working context.Context, err error, inTime bool) {
	if errors.Is(err, ErrNothing) {
		err = nil
	}
	if !errors.Is(working.Err(), context.Canceled) {
		e.health.record(time.Now(), err, inTime)
	}
}

// EmbedDocuments returns the unit vectors of memories, in their order; nil in
// the place of a text that has none, as ErrNothing says. The vectors are the
// caller's. It waits up to half a minute for each text; the first failure that
// is not the text's ends it. It asks even while prompts do not: so a backend that is back is noticed.
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
	text = e.prefixes.document + head(text, maxChars)
	working, stop := context.WithTimeoutCause(ctx, patience, e.late(patience))
	v, err := e.documents.call(working, stop, func() ([]float32, error) {
		v, err := e.insist(working, text)
		e.note(working, err, false)
		return v, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		e.health.record(time.Now(), err, false)
	}
	return v, err
}

// ask sends one text to the backend and checks what comes back.
func (e *Embedder) ask(ctx context.Context, text string) ([]float32, error) {
	vectors, err := guarded(ctx, e.backend, text)
	var v []float32
	if err == nil {
		v, err = e.space.admit(vectors[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.kind, err)
	}
	return v, nil
}

// head returns the first n characters of text.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}
