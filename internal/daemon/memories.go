package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/clean"
	"recollect/internal/foreign"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// How many results a search gives.
const (
	defaultResults = 10
	maxResults     = 1000
)

// indexWait is how long a search waits for the index to hold what was stored
// before it.
const indexWait = 2 * time.Second

// upToDate waits for the parts, and for the index as long as is reasonable.
func (d *Daemon) upToDate(ctx context.Context) error {
	if err := d.parts(ctx); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, indexWait)
	defer cancel()
	d.follower.caughtUp(wait) // else search what is there
	return ctx.Err()
}

func (d *Daemon) search(ctx context.Context, in searchRequest) (api.SearchReply, error) {
	if err := d.upToDate(ctx); err != nil {
		return api.SearchReply{}, err
	}
	if strings.TrimSpace(in.query) == "" {
		return api.SearchReply{}, &badRequest{errors.New("query: must not be empty")}
	}
	filter := recall.Filter{Project: in.project}
	if in.source != "" {
		src, err := memory.ParseSource(in.source)
		if err != nil {
			return api.SearchReply{}, &badRequest{err}
		}
		filter.Source = src
	}
	req := recall.Request{
		Prompt:   in.query,
		Project:  d.project(in.cwd),
		Uses:     d.usage.of,
		Now:      time.Now(),
		Settings: d.settings.Current(),
		Filter:   filter,
	}
	if !in.explain {
		found, err := d.recall.Search(ctx, req, in.limit)
		return api.SearchReply{Results: found}, err
	}
	found, explanation, err := d.recall.ExplainSearch(ctx, req, in.limit)
	explanation.Index = d.follower.status()
	return api.SearchReply{Results: found, Explanation: &explanation}, err
}

func (d *Daemon) show(ctx context.Context, id string) (api.Shown, error) {
	if err := d.parts(ctx); err != nil {
		return api.Shown{}, err
	}
	m, err := d.store.Get(id)
	return api.Shown{Memory: m, SupersededBy: d.store.SupersededBy(id)}, err
}

// expand shows several memories.
func (d *Daemon) expand(ctx context.Context, in api.Expand) (api.Expanded, error) {
	if len(in.IDs) > maxResults {
		return api.Expanded{}, &badRequest{fmt.Errorf("ids: %d are too many, %d at most", len(in.IDs), maxResults)}
	}
	out := api.Expanded{Memories: []api.Shown{}}
	for _, id := range in.IDs {
		m, err := d.show(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			out.Missing = append(out.Missing, id)
		case err != nil:
			return api.Expanded{}, err
		default:
			out.Memories = append(out.Memories, m)
		}
	}
	return out, nil
}

// remember stores memories that a user or Claude wrote down.
func (d *Daemon) remember(ctx context.Context, in api.Remember) (api.Remembered, error) {
	if err := d.parts(ctx); err != nil {
		return api.Remembered{}, err
	}
	now := time.Now().UTC().Truncate(time.Second)
	here := d.project(in.Cwd)
	for i := range in.Memories {
		m := &in.Memories[i]
		m.Title, m.Text = clean.Text(m.Title), clean.Text(m.Text)
		if len(m.Text) > memory.MaxText {
			return api.Remembered{}, &badRequest{fmt.Errorf("text: %d bytes are more than a memory holds (%d)", len(m.Text), memory.MaxText)}
		}
		if m.Home().Zero() {
			m.SetHome(here)
		} else if m.ProjectPath == "" && m.ProjectRemote == "" {
			m.SetHome(d.named(m.Project, here))
		}
		if m.OccurredAt.IsZero() {
			m.OccurredAt = now
		}
		if m.Origin == "" {
			m.Origin = memory.OriginUser
		}
		m.RecordedAt = now
	}
	if err := d.writer.append(ctx, in.Memories); err != nil {
		return api.Remembered{}, err
	}
	ids := make([]string, len(in.Memories))
	for i, m := range in.Memories {
		ids[i] = m.ID
	}
	return api.Remembered{IDs: ids}, nil
}

// named returns the project that a user called by name or by path: the one
// they stand in where that fits, else the one at the path, else any of that
// name.
func (d *Daemon) named(name string, here memory.Project) memory.Project {
	switch {
	case name == here.Name || name == here.Path:
		return here
	case filepath.IsAbs(name):
		return d.project(name)
	}
	return memory.Project{Name: name}
}

// importFile takes the memories from a file, or from what another program keeps.
func (d *Daemon) importFile(ctx context.Context, in api.Import) (api.Imported, error) {
	if err := d.parts(ctx); err != nil {
		return api.Imported{}, err
	}
	if in.From != "" {
		if fi, err := os.Stat(in.Path); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
			return api.Imported{}, &badRequest{fmt.Errorf("read %s: neither a file nor a folder", in.Path)}
		}
		done, err := d.capture.Records(ctx, func(yield func(memory.Memory) error) error {
			return foreign.Read(in.From, in.Path, d.project, yield)
		})
		return api.Imported(done), err
	}
	done, err := d.capture.File(ctx, capture.Input{Path: in.Path, Whole: true, Ignore: d.settings.Current().Capture.Ignore}, d.project)
	return api.Imported(done), err
}

// flush hands a transcript to capture and answers at once.
func (d *Daemon) flush(_ context.Context, in api.Flush) (struct{}, error) {
	in.Reason = cmp.Or(in.Reason, "Stop")
	if !d.settings.Current().Hooks.On(in.Reason) || in.TranscriptPath == "" {
		return struct{}{}, nil
	}
	if !d.later(chore{session: d.sessions.get(in.SessionID), flush: &in}) {
		return struct{}{}, errBusy
	}
	return struct{}{}, nil
}

// exportPage is the number of memories in one page of an export.
const exportPage = 500

func (d *Daemon) export(ctx context.Context, after string) (api.Export, error) {
	if err := d.parts(ctx); err != nil {
		return api.Export{}, err
	}
	ids := d.store.IDs()
	slices.Sort(ids) // so that a page does not depend on what happens between pages
	from, found := slices.BinarySearch(ids, after)
	if found {
		from++
	}
	out := api.Export{Memories: []memory.Memory{}}
	for _, id := range ids[from:min(from+exportPage, len(ids))] {
		m, err := d.store.Get(id)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return api.Export{}, err
		}
		out.Memories = append(out.Memories, m)
	}
	if from+exportPage < len(ids) {
		out.Next = ids[from+exportPage-1]
	}
	return out, nil
}

func (d *Daemon) config(context.Context, struct{}) (api.ConfigReply, error) {
	s := d.settings.Current()
	var b strings.Builder
	if err := s.Config.Write(&b); err != nil {
		return api.ConfigReply{}, err
	}
	out := api.ConfigReply{TOML: b.String()}
	if s.Err != nil {
		out.Problem = s.Err.Error()
	}
	return out, nil
}

// maxProblems is how many problems health names.
const maxProblems = 20

func (d *Daemon) health(context.Context, struct{}) (api.Health, error) {
	h := api.Health{
		Status:  "ok",
		PID:     os.Getpid(),
		Uptime:  time.Since(d.began).Round(time.Second).String(),
		Version: d.version,
		Home:    d.home,
		Index:   "opening",
	}
	if err := d.settings.Current().Err; err != nil {
		h.Problems = strings.Split(err.Error(), "\n")
	}
	select {
	case <-d.ready:
	default:
		return h, nil
	}
	h.Memories, h.Sources = d.store.Len(), d.store.Counts()
	h.Index, h.Indexed = d.follower.status(), d.index.Len()
	var failure error
	if h.Embedder, h.Embedded, failure = d.embedding.health(); failure != nil {
		h.Problems = append(h.Problems, "embedder: "+failure.Error())
	}
	if err := d.refinement.problem(); err != nil {
		h.Problems = append(h.Problems, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	for _, p := range d.store.Problems() {
		if len(h.Problems) == maxProblems {
			break
		}
		h.Problems = append(h.Problems, fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason))
	}
	return h, nil
}

func (d *Daemon) shutdown(context.Context, struct{}) (struct{}, error) {
	d.log.Info("asked to end")
	d.stop()
	return struct{}{}, nil
}
