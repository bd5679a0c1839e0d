package usage

import (
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

const (
	// maxDays is how many days are counted apart; older ones are forgotten.
	maxDays = 90
	// saveEvery is how often the counts are written at most: what a daemon that
	// is killed has counted since is lost.
	saveEvery = time.Minute
)

// Tally counts what the daemon does on each day, in stats.json. What was injected into
// each session, and whether it was used, is in Log.
type Tally struct {
	file *durable.State
	log  *slog.Logger

	mu    sync.Mutex
	days  map[string]*day // by date, of UTC
	dirty bool
	saved time.Time // when it was written
}

// A day is what was done on a day.
type day struct {
	Recalls       map[string]*recalls `json:"recalls,omitempty"` // by event
	Captured      int                 `json:"captured,omitempty"`
	CaptureFailed int                 `json:"capture_failed,omitempty"`
	Expired       int                 `json:"expired,omitempty"`
	CacheHits     int                 `json:"cache_hits,omitempty"`
	CacheMisses   int                 `json:"cache_misses,omitempty"`
}

// recalls are the requests for memories at one event.
type recalls struct {
	Count  int       `json:"count"`
	Empty  int       `json:"silent"` // answered with no memory
	Failed int       `json:"failed"` // not answered, or too late
	Times  histogram `json:"times"`
}

// OpenTally reads the counts in home. If they cannot be read, that is logged, and the
// counts begin at zero.
func OpenTally(home string, log *slog.Logger) *Tally {
	t := &Tally{file: durable.NewState(filepath.Join(home, "stats.json")), log: log}
	if err := t.file.Read(&t.days); err != nil {
		t.days = nil
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("read stats", logkey.Error, err)
		}
	}
	if t.days == nil {
		t.days = map[string]*day{}
	}
	for date, d := range t.days {
		if d == nil || slices.Contains(slices.Collect(maps.Values(d.Recalls)), nil) {
			delete(t.days, date)
		}
	}
	return t
}

// Newer returns an error if a newer version wrote the file.
func (t *Tally) Newer() error { return t.file.Newer() }

// count changes the counts of the day of now.
func (t *Tally) count(now time.Time, change func(*day)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	date := dateOf(now)
	if t.days[date] == nil {
		t.days[date] = &day{}
	}
	change(t.days[date])
	t.dirty = true
}

func dateOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Recalled counts a request for memories that took a while.
func (t *Tally) Recalled(now time.Time, event string, took time.Duration, injected int, err error) {
	t.count(now, func(d *day) {
		r := d.of(event)
		r.Count++
		switch {
		case err != nil:
			r.Failed++
			return
		case injected == 0:
			r.Empty++
		}
		r.Times.add(took)
	})
}

func (d *day) of(event string) *recalls {
	if d.Recalls == nil {
		d.Recalls = map[string]*recalls{}
	}
	if d.Recalls[event] == nil {
		d.Recalls[event] = &recalls{}
	}
	return d.Recalls[event]
}

// Captured counts a transcript that was read, or could not be.
func (t *Tally) Captured(now time.Time, err error) {
	t.count(now, func(d *day) {
		if err != nil {
			d.CaptureFailed++
		} else {
			d.Captured++
		}
	})
}

// Expired counts memories that were forgotten because of their age or number.
func (t *Tally) Expired(now time.Time, memories int) {
	t.count(now, func(d *day) { d.Expired += memories })
}

// Cached counts a look-up of an answer in the cache.
func (t *Tally) Cached(now time.Time, hit bool) {
	t.count(now, func(d *day) {
		if hit {
			d.CacheHits++
		} else {
			d.CacheMisses++
		}
	})
}

// Save writes the counts if they have changed and were not written lately, or
// if this is the last time.
func (t *Tally) Save(now time.Time, last bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dirty || !last && now.Sub(t.saved) < saveEvery {
		return
	}
	for date := range t.days {
		if date < dateOf(now.AddDate(0, 0, -maxDays)) {
			delete(t.days, date)
		}
	}
	if err := t.file.Write(t.days); err != nil {
		t.log.Warn("save stats", logkey.Error, err)
		return
	}
	t.dirty, t.saved = false, now
}

// Fill adds to out what was counted on the day of from and later.
func (t *Tally) Fill(out *api.Stats, from time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	times := map[string]histogram{}
	for date, d := range t.days {
		if date < dateOf(from) && !from.IsZero() {
			continue
		}
		out.Captured += d.Captured
		out.CaptureFailed += d.CaptureFailed
		out.Expired += d.Expired
		out.CacheHits += d.CacheHits
		out.CacheMisses += d.CacheMisses
		for event, r := range d.Recalls {
			if times[event] == nil {
				times[event] = histogram{}
			}
			times[event].join(r.Times)
			e := out.Event(event)
			e.Recalls += r.Count
			e.Empty += r.Empty
			e.Failed += r.Failed
		}
	}
	for event, h := range times {
		e := out.Event(event)
		e.P50, e.P95 = h.quantile(0.5), h.quantile(0.95)
	}
}

// Days returns what was counted on each day since the day of from, by date.
func (t *Tally) Days(from time.Time) map[string]*api.Day {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]*api.Day{}
	for date, d := range t.days {
		if date < dateOf(from) && !from.IsZero() {
			continue
		}
		out[date] = &api.Day{Date: date}
		for event, r := range d.Recalls {
			*out[date].Event(event) = api.EventStats{
				Recalls: r.Count, Empty: r.Empty, Failed: r.Failed, P50: r.Times.quantile(0.5), P95: r.Times.quantile(0.95),
			}
		}
	}
	return out
}

// DayOf returns the day of a time, which is added if it is not there.
func DayOf(days map[string]*api.Day, at time.Time) *api.Day {
	date := dateOf(at)
	if days[date] == nil {
		days[date] = &api.Day{Date: date}
	}
	return days[date]
}
