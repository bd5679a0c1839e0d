package recall

import (
	"recollect/internal/memory"
)

// orientation lists what a session is told at its start: for each source how
// many memories at most, the newest first.
var orientation = []struct {
	source memory.Source
	items  int
}{
	{memory.Handoffs, 1},
	{memory.Registry, 1},
	{memory.Goals, 3},
	{memory.Preferences, 4},
	{memory.Patterns, 3},
}

// Orient returns what a session in a project should know before its first
// prompt.
func (r *Recall) Orient(req Request) (Result, error) {
	res := Result{Keys: map[string]string{}}
	res.Timestamp = req.Now
	items := 0
	for _, o := range orientation {
		items += o.items
	}
	p := newPurse(&req.Settings.Config, req.Settings.Orientation.Tokens, items)
	var entries []string
	for _, o := range orientation {
		if !req.Settings.Sources.Of(o.source).Enabled {
			continue
		}
		newest, err := r.newest(o.source, req, o.items)
		if err != nil {
			return Result{}, err
		}
		for i := range newest {
			c := &candidate{memory: newest[i]}
			if entry := pick(&p, c, req); entry != "" {
				entries = append(entries, entry)
				res.Bites = append(res.Bites, bite(c, entry))
				res.Keys[c.memory.ID] = c.memory.ContentKey()
			}
		}
	}
	res.Context = frame(entries)
	return res, nil
}

// newest returns the n newest memories of a source that belong to the
// project, or to no project in particular, that the session does not know and
// that are still to be done.
func (r *Recall) newest(src memory.Source, req Request, n int) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range r.Store.Source(src) {
		if err != nil {
			return nil, err
		}
		home := m.Home()
		if !home.Zero() && !home.Same(req.Project) || r.Store.SupersededBy(m.ID) != "" || m.Done() ||
			told(req.Session.Told, m.ID, m.ContentKey()) {
			continue
		}
		out = insertNewest(out, m, n)
	}
	return out, nil
}

// insertNewest keeps the n newest memories, newest first. Of one moment, or
// day, the one that was stored later is the newer.
func insertNewest(ms []memory.Memory, m memory.Memory, n int) []memory.Memory {
	at := len(ms)
	for at > 0 && !ms[at-1].When().After(m.When()) {
		at--
	}
	if at == n {
		return ms
	}
	ms = append(ms, memory.Memory{})
	copy(ms[at+1:], ms[at:])
	ms[at] = m
	return ms[:min(n, len(ms))]
}
