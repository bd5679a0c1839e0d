package follower

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"recollect/internal/config"
	"recollect/internal/index/embed"
	"recollect/internal/index/vectors"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
)

const (
	// embedLines is how many lines of the logs go into one batch of vectors, and
	// slowLines how many with a slow embedder, of whose work little should be lost.
	embedLines = 1000
	slowLines  = 32
	// settingsEvery is how often the settings are read while nothing else happens.
	settingsEvery = 2 * time.Second
	// A failed embedding is tried again after firstRetry, and then after
	// twice as long each time, up to lastRetry.
	firstRetry = 10 * time.Second
	lastRetry  = time.Minute
	// embedWait is how long a compaction of the logs waits for the vectors to be up
	// to date: if they are not, all of them are made again.
	embedWait = 500 * time.Millisecond
)

// Vectors brings the vectors up to date with the store, as Index does the index, and
// provides recall with them. The vectors have a watermark from their first batch on, so
// the work of a slow embedder is never done twice. After a change of the embedder in the
// settings, recall uses the old vectors until the new ones are complete. An embedder that
// fails is tried again without end; nothing waits for it.
type Vectors struct {
	dir      string
	settings *config.Live
	store    *store.Store
	provide  func(*vectors.Retriever) // has recall use them
	way      *traffic.Traffic         // what each batch gives way to
	log      *slog.Logger
	*progress

	// Only Run uses these.
	wanted   config.Embedder // the settings that vectors are made for
	embedder *embed.Embedder // for the vectors to open next
	folder   string          // of the vectors in use
	swept    bool            // folders of other embedders are deleted
	retry    time.Time       // not before
	pause    time.Duration   // before the retry after this one

	logs sync.Mutex // held while logs are compacted or read, or vectors closed

	state  sync.Mutex         // guards what follows
	used   *vectors.Retriever // that recall has, or nil
	target *vectors.Retriever // those of the wanted embedder, or nil; in use when complete
	known  config.Embedder    // the wanted embedder
	err    error              // why the vectors are not kept up, or nil
	since  time.Time          // of the first error in a row
}

// NewVectors returns the follower of s that provides recall with vectors. It begins with those
// that were opened ahead, and will close them. Run does the work.
func NewVectors(home string, settings *config.Live, s *store.Store, provide func(*vectors.Retriever), ahead Ahead, way *traffic.Traffic, log *slog.Logger) *Vectors {
	e := &Vectors{dir: folder(home), settings: settings, store: s, provide: provide, way: way, log: log, progress: newProgress()}
	if ahead.wanted.Kind != "" {
		e.adoptSettings(ahead.wanted)
	}
	if ahead.vectors != nil {
		e.target = ahead.vectors
		e.useVectors(ahead.vectors)
	}
	return e
}

func folder(home string) string { return filepath.Join(home, "vectors") }

// Ahead are vectors that were opened before the store. The zero value has none.
type Ahead struct {
	wanted  config.Embedder    // of the settings, if it is one to open ahead
	vectors *vectors.Retriever // or nil
}

// OpenAhead opens the vectors of the built-in model, so that the first prompt has them,
// while the store is opened. If it fails, Run tries again. Run opens other embedders too,
// because they may take long.
func OpenAhead(ctx context.Context, home string, settings *config.Live, log *slog.Logger) Ahead {
	wanted := settings.Current().Embedder
	if wanted.Kind != config.EmbedderBuiltin {
		return Ahead{}
	}
	embedder, err := embed.Open(wanted, log)
	if err != nil {
		log.Debug("vectors not opened at once", logkey.Error, err)
		return Ahead{wanted: wanted}
	}
	v, err := vectors.OpenRetriever(ctx, filepath.Join(folder(home), folderOf(wanted)), embedder, log)
	if err != nil {
		log.Debug("vectors not opened at once", logkey.Error, errors.Join(err, embedder.Close()))
		return Ahead{wanted: wanted}
	}
	return Ahead{wanted, v}
}

// Close closes vectors that no follower has taken over.
func (a Ahead) Close() error {
	if a.vectors == nil {
		return nil
	}
	return a.vectors.Close()
}

// Run embeds until ctx ends. The vectors stay in use until Close.
func (e *Vectors) Run(ctx context.Context) {
	tick := time.NewTicker(settingsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.nudge:
		case <-tick.C:
		}
		e.adoptSettings(e.settings.Current().Embedder)
		if time.Now().Before(e.retry) {
			continue
		}
		if err := e.bringUpToDate(ctx); err == nil {
			e.recordAttempt(nil)
			e.recordCaughtUp()
		} else if ctx.Err() == nil && !errors.Is(err, errOtherSettings) {
			e.recordAttempt(err)
			e.recordFailure(err)
		}
	}
}

// errOtherSettings means that the settings of the embedder changed during the work: begin
// again with the new ones.
var errOtherSettings = errors.New("embedder changed")

// adoptSettings switches to the embedder that the settings ask for.
func (e *Vectors) adoptSettings(wanted config.Embedder) {
	if wanted == e.wanted {
		return
	}
	e.dropUnused()
	if e.folder == folderOf(wanted) {
		e.useVectors(nil) // the folder is opened anew
	}
	e.wanted = wanted
	e.retry, e.pause, e.swept = time.Time{}, 0, false
	e.setStatus("opening")
	e.state.Lock()
	e.known, e.err = wanted, nil
	e.state.Unlock()
	e.recordChange()
}

// folderOf returns the name of the folder for an embedder's vectors. It does not depend on
// the address of a server, which may change without the vectors.
func folderOf(s config.Embedder) string {
	return fmt.Sprintf("%s-%08x", s.Kind, crc32.ChecksumIEEE(fmt.Appendf(nil, "%q %q", s.Model, s.Folder)))
}

// bringUpToDate brings the vectors of the wanted embedder up to date, and into use.
func (e *Vectors) bringUpToDate(ctx context.Context) error {
	var v *vectors.Retriever
	if e.wanted.Kind != config.EmbedderOff {
		var err error
		if v, err = e.openWanted(ctx); err != nil {
			return err
		}
		if err := e.followLogs(ctx, v); err != nil {
			return err
		}
	}
	e.useVectors(v)
	e.setStatus("ready")
	if e.swept {
		return nil
	}
	e.swept = true
	return e.deleteOthers()
}

// followLogs embeds what the store has gained since the vectors' watermark.
func (e *Vectors) followLogs(ctx context.Context, v *vectors.Retriever) error {
	lines := embedLines
	if e.wanted.Kind != config.EmbedderBuiltin {
		lines = slowLines
	}
	for {
		ch, err := e.readChanges(v, lines)
		if err != nil || ch.Marks == nil {
			return err
		}
		e.setWork("embedding", v.File.Len(), e.store.Len())
		if err := e.updateBatch(ctx, v, ch); err != nil {
			return err
		}
		if e.settings.Current().Embedder != e.wanted {
			return errOtherSettings
		}
	}
}

// updateBatch embeds a batch. A server takes no processor, and the wait for it no place of other work.
func (e *Vectors) updateBatch(ctx context.Context, v *vectors.Retriever, ch store.Changes) error {
	if e.wanted.Kind == config.EmbedderBuiltin {
		defer e.way.Begin(ctx).End()
	} else {
		e.way.Yield(ctx)
	}
	return v.Update(ctx, ch.Put, ch.Deleted, encodeMarks(ch.Marks))
}

// recordAttempt stores how the last attempt went. It logs the first error in a row.
func (e *Vectors) recordAttempt(err error) {
	e.state.Lock()
	defer e.state.Unlock()
	before := e.err
	if e.err = err; err == nil {
		e.pause = 0
		return
	}
	now := time.Now()
	if before == nil {
		e.since = now
		e.log.Error("vectors are not kept up", logkey.Embedder, e.known.Kind, logkey.Error, err)
	}
	e.pause = min(max(2*e.pause, firstRetry), lastRetry)
	e.retry = now.Add(e.pause)
}

// StoreChanged wakes the follower after memories were stored or deleted.
func (e *Vectors) StoreChanged() { e.recordChange() }

// A Health is the state of the embedder.
type Health struct {
	State    string // for people: ready after the kind of the embedder, or what is done or wrong
	Ready    bool   // every memory has the vector that it is to have
	Work     Work   // while vectors are made
	Embedded int    // memories with a vector that is in use
	Err      error  // what is wrong, or nil
}

// Health returns the state of the embedder. Settings that changed a moment ago are "opening".
func (e *Vectors) Health() Health {
	e.state.Lock()
	used, target, known, err, since := e.used, e.target, e.known, e.err, e.since
	e.state.Unlock()
	h := Health{}
	if used != nil {
		h.Embedded = used.File.Len()
	}
	failing := "failing since " + since.Format(time.DateTime)
	if err == nil && target != nil {
		failing, err = target.Embedder.Status() // prompts may fail where memories did not
	}
	kind := known.Kind
	switch status := e.Status(); {
	case known != e.settings.Current().Embedder:
		return Health{State: "opening"}
	case kind == config.EmbedderOff:
		return Health{State: kind, Ready: true}
	case err != nil:
		instead := "words alone"
		if used != target && used != nil {
			instead = used.Embedder.Kind() + " meanwhile"
		}
		h.State, h.Err = fmt.Sprintf("%s: %s: recall uses %s", kind, failing, instead), err
	case status != "ready":
		h.State, h.Work = status, e.Work()
	default:
		h.State, h.Ready = kind+", ready", true
	}
	return h
}
