package daemon

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/api"
)

// The events of Claude Code that are answered with memories whatever the
// request says.
const (
	promptEvent = "UserPromptSubmit"
	startEvent  = "SessionStart"
)

const (
	// keepDays is how many days are counted apart; older ones are forgotten.
	keepDays = 90
	// keepTally is how often the counts are written at most: what a daemon that
	// is killed has counted since is lost.
	keepTally = time.Minute
)

// tally counts what the daemon does, a day at a time. It lies in stats.json;
// what each session was told, and whether it was of use, is in usage.
type tally struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	days  map[string]*day // by date, of UTC
	dirty bool
	kept  time.Time // when it was written
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
	Silent int       `json:"silent"` // answered with nothing
	Failed int       `json:"failed"` // not answered, or too late
	Times  histogram `json:"times"`
}

func openTally(home string, log *slog.Logger) *tally {
	t := &tally{path: filepath.Join(home, "stats.json"), log: log, days: map[string]*day{}}
	b, err := os.ReadFile(t.path)
	if err == nil {
		err = json.Unmarshal(b, &t.days)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read stats", "error", err)
	}
	if t.days == nil { // the file says null
		t.days = map[string]*day{}
	}
	for date, d := range t.days {
		if d == nil || slices.Contains(slices.Collect(maps.Values(d.Recalls)), nil) {
			delete(t.days, date)
		}
	}
	return t
}

// count changes the counts of the day of now.
func (t *tally) count(now time.Time, change func(*day)) {
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

// recalled counts a request for memories that took a while.
func (t *tally) recalled(now time.Time, event string, took time.Duration, told int, err error) {
	t.count(now, func(d *day) {
		r := d.of(event)
		r.Count++
		switch {
		case err != nil:
			r.Failed++
			return
		case told == 0:
			r.Silent++
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

// captured counts a transcript that was read, or could not be.
func (t *tally) captured(now time.Time, err error) {
	t.count(now, func(d *day) {
		if err != nil {
			d.CaptureFailed++
		} else {
			d.Captured++
		}
	})
}

// expired counts memories that were forgotten because of their age or number.
func (t *tally) expired(now time.Time, memories int) {
	t.count(now, func(d *day) { d.Expired += memories })
}

// cached counts an answer that was looked for in the cache.
func (t *tally) cached(now time.Time, hit bool) {
	t.count(now, func(d *day) {
		if hit {
			d.CacheHits++
		} else {
			d.CacheMisses++
		}
	})
}

// keep writes the counts if they have changed and were not written lately, or
// if this is the last time.
func (t *tally) keep(now time.Time, last bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dirty || !last && now.Sub(t.kept) < keepTally {
		return
	}
	for date := range t.days {
		if date < dateOf(now.AddDate(0, 0, -keepDays)) {
			delete(t.days, date)
		}
	}
	b, err := json.Marshal(t.days)
	if err == nil {
		err = writeFile(t.path, b)
	}
	if err != nil {
		t.log.Warn("keep stats", "error", err)
		return
	}
	t.dirty, t.kept = false, now
}

// add fills in what was counted on the day of from and later.
func (t *tally) add(out *api.Stats, from time.Time) {
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
			e.Silent += r.Silent
			e.Failed += r.Failed
		}
	}
	for event, h := range times {
		e := out.Event(event)
		e.P50, e.P95 = h.quantile(0.5), h.quantile(0.95)
	}
}

// A histogram counts times in steps of 2^(1/4), from 10 µs on: a quantile is
// known within a fifth. The key is the number of the step.
type histogram map[int]int

const (
	firstStep = 10 * time.Microsecond
	doubling  = 4  // steps that double a time
	lastStep  = 80 // ten seconds; longer times count as that
)

func (h *histogram) add(took time.Duration) {
	if *h == nil {
		*h = histogram{}
	}
	step := 0
	if took > firstStep {
		step = min(int(math.Ceil(doubling*math.Log2(float64(took)/float64(firstStep)))), lastStep)
	}
	(*h)[step]++
}

func (h histogram) join(other histogram) {
	for step, n := range other {
		h[step] += n
	}
}

// quantile returns the time in milliseconds that a share of the times do not
// exceed, 0 if there are none.
func (h histogram) quantile(share float64) float64 {
	all := 0
	for _, n := range h {
		all += n
	}
	rest := int(math.Ceil(share * float64(all)))
	for step := 0; rest > 0 && step <= lastStep; step++ {
		if rest -= h[step]; rest <= 0 {
			return firstStep.Seconds() * 1000 * math.Exp2(float64(step)/doubling)
		}
	}
	return 0
}
