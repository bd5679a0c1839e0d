package follower

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/config"
	"recollect/internal/index/embed"
	"recollect/internal/index/vectors"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
)

// openWanted returns the vectors of the wanted embedder. They come into use at once if no
// others are in use and they are the built-in embedder's or have been filled before.
func (e *Vectors) openWanted(ctx context.Context) (*vectors.Retriever, error) {
	if e.target != nil {
		return e.target, nil
	}
	if e.embedder == nil {
		embedder, err := embed.Open(e.wanted, e.log)
		if err != nil {
			return nil, err
		}
		e.embedder = embedder
	}
	v, err := vectors.OpenRetriever(ctx, filepath.Join(e.dir, folderOf(e.wanted)), e.embedder, e.log)
	if err != nil {
		return nil, err
	}
	e.embedder = nil // it is closed with v
	e.state.Lock()
	e.target = v
	e.state.Unlock()
	if e.used == nil && (e.wanted.Kind == config.EmbedderBuiltin || v.File.Watermark() != nil) {
		e.useVectors(v)
	}
	return v, nil
}

// useVectors makes recall use the vectors v, nil for none, and closes the previous ones.
func (e *Vectors) useVectors(v *vectors.Retriever) {
	old := e.used
	if old == v {
		return
	}
	e.provide(v)
	if e.folder = ""; v != nil {
		e.folder = folderOf(e.wanted)
	}
	e.state.Lock()
	e.used = v
	e.state.Unlock()
	e.closeVectors(old)
}

// dropUnused closes what was opened but is not in use.
func (e *Vectors) dropUnused() {
	if e.embedder != nil {
		e.embedder.Close()
		e.embedder = nil
	}
	v := e.target
	e.state.Lock()
	e.target = nil
	e.state.Unlock()
	if v != e.used {
		e.closeVectors(v)
	}
}

func (e *Vectors) closeVectors(v *vectors.Retriever) {
	if v == nil {
		return
	}
	e.logs.Lock()
	defer e.logs.Unlock()
	if err := v.Close(); err != nil {
		e.log.Warn("close vectors", logkey.Error, err)
	}
}

// Close closes the vectors and takes them from recall.
func (e *Vectors) Close() error {
	e.dropUnused()
	e.useVectors(nil)
	return nil
}

// deleteOthers deletes the vectors of every embedder but the one in use.
func (e *Vectors) deleteOthers() error {
	entries, err := os.ReadDir(e.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete old vectors: %w", err)
	}
	for _, entry := range entries {
		if entry.Name() == e.folder {
			continue
		}
		if err := os.RemoveAll(filepath.Join(e.dir, entry.Name())); err != nil {
			return fmt.Errorf("delete old vectors: %w", err)
		}
	}
	return nil
}

// readChanges returns what the store has and v lacks, as many lines of it, from the start if v
// is new. Marks is nil when v lacks nothing.
func (e *Vectors) readChanges(v *vectors.Retriever, lines int) (store.Changes, error) {
	e.logs.Lock()
	defer e.logs.Unlock()
	from := marksOf(v)
	ch, err := e.store.Since(from, lines)
	if errors.Is(err, store.ErrRewritten) {
		if err := e.startOver(v); err != nil {
			return store.Changes{}, err
		}
		from = store.Marks{}
		ch, err = e.store.Since(from, lines)
	}
	if none := len(ch.Put)+len(ch.Deleted) == 0; err == nil && none && sameMarks(ch.Marks, from) {
		ch.Marks = nil
	}
	return ch, err
}

// marksOf returns how far into the logs v has come.
func marksOf(v *vectors.Retriever) store.Marks {
	marks := store.Marks{}
	if mark := v.File.Watermark(); mark != nil && json.Unmarshal(mark, &marks) != nil {
		return store.Marks{} // as if v were new: its vectors are replaced
	}
	return marks
}

// startOver makes v begin at the start of logs that a user edited. Its vectors remain in
// use until they are replaced.
func (e *Vectors) startOver(v *vectors.Retriever) error {
	e.log.Info("logs were edited, embedding anew", logkey.Memories, e.store.Len())
	gone := e.listGone(v)
	if err := v.File.Update(nil, gone, encodeMarks(store.Marks{})); err != nil {
		return err
	}
	if len(gone) == 0 {
		return nil
	}
	return v.File.Compact()
}

// listGone lists the memories that have a vector but are no longer in the store.
func (e *Vectors) listGone(v *vectors.Retriever) []string {
	live := map[string]bool{}
	for _, id := range e.store.IDs() {
		live[id] = true
	}
	return slices.DeleteFunc(v.File.IDs(), func(id string) bool { return live[id] })
}

// Rebase calls compact to compact logs, and then compacts the vectors, so that those of
// forgotten memories leave the disk too. Vectors that were up to date remain so.
func (e *Vectors) Rebase(ctx context.Context, compact func() error) error {
	wait, cancel := context.WithTimeout(ctx, embedWait)
	e.CaughtUp(wait) // vectors that are behind would have to begin anew
	cancel()
	e.logs.Lock()
	defer e.logs.Unlock()
	before := e.store.Marks()
	if err := compact(); err != nil {
		return err
	}
	e.state.Lock()
	files := []*vectors.Retriever{e.used, e.target}
	e.state.Unlock()
	for _, v := range slices.Compact(files) {
		if v == nil {
			continue
		}
		if err := e.rebaseVectors(v, before); err != nil {
			e.log.Warn("compact vectors", logkey.Error, err)
		}
	}
	return nil
}

// rebaseVectors brings v in line with compacted logs, whose marks were before until then.
func (e *Vectors) rebaseVectors(v *vectors.Retriever, before store.Marks) error {
	var mark []byte
	if sameMarks(before, marksOf(v)) {
		mark = encodeMarks(e.store.Marks())
	}
	if err := v.File.Update(nil, e.listGone(v), mark); err != nil {
		return err
	}
	return v.File.Compact()
}
