package usage

import (
	"math"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Little is learned from use, because it shows little. Of what was injected into sessions that were replayed, so that no
// Claude saw it, 1.5 % counts as used, by chance: what readers found useful no more often than the rest. That one memory
// was not used proves nothing, then; but if of hundreds no more were than by chance, less is said. So it is if the owner
// says that memories are wrong. Nothing makes it more than is shipped: that costs more noise than it brings answers.
const (
	// newest is how many assessed injections with prompts are looked at, and ofOneSession how many of one session.
	newest, ofOneSession = 300, 10
	// byChance is the share of injections that count as used though Claude did not see them. So many as seenEnough
	// tell whether more are.
	byChance, seenEnough = 0.015, 300
	// What the owner says of a memory counts as verdictWeight injections beside doubtWeight of which nothing is known,
	// for verdictsOfSession memories of one session.
	verdictWeight, doubtWeight, verdictsOfSession = 10, 100, 3
	// verdictsOfSource is how many verdicts, divided as all are, a source has beside its own.
	verdictsOfSource = 20
)

// How much the log odds of a prompt lose, and the scores of the statements of a source lose or gain, at most. At
// mostUnused, of 18 labelled prompts that are answered 16 are, and of 100 that need nothing 6 get something, not 7.
const (
	mostUnused   = 0.25
	mostLost     = 0.5
	mostOfSource = 0.25
)

// Habits returns what became of the newest memories that were injected with prompts, and what follows from it, nil
// if there are none. said returns what the owner said of a memory; it may be nil.
func (u *Log) Habits(said func(id string) (useful, wrong bool)) *api.Habits {
	all, sources := count{}, map[memory.Source]*count{}
	inSession, verdicts, judged := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, t := range u.lastAssessed() {
		if inSession[t.Session]++; inSession[t.Session] > ofOneSession {
			continue
		}
		one := count{injected: 1}
		if t.used() {
			one.used = 1
		}
		if said != nil && !judged[t.ID] && verdicts[t.Session] < verdictsOfSession {
			one.judge(said(t.ID))
			judged[t.ID] = one.verdicts() > 0
			verdicts[t.Session] += one.verdicts()
		}
		src, _ := memory.SourceOf(t.ID)
		if sources[src] == nil {
			sources[src] = &count{}
		}
		sources[src].add(one)
		if all.add(one); all.injected == newest {
			break
		}
	}
	return habitsOf(all, sources)
}

// mostAssessed bounds the injections among which the newest are looked for.
const mostAssessed = 1000

// noteAssessed notes that an injection with a prompt is known to be used or not.
func (u *Log) noteAssessed(key injectionKey) {
	if u.assessed = append(u.assessed, key); len(u.assessed) == 2*mostAssessed {
		u.assessed = slices.Clone(u.assessed[mostAssessed:])
	}
}

// lastAssessed returns what was injected with prompts and is known to be used or not, the last that became known first.
func (u *Log) lastAssessed() []Injection {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []Injection
	for _, key := range slices.Backward(u.assessed) {
		if t := u.injected[key]; t != nil {
			out = append(out, *t)
		}
	}
	return out
}

// habitsOf returns what follows from counts.
func habitsOf(all count, sources map[memory.Source]*count) *api.Habits {
	if all.injected == 0 {
		return nil
	}
	h := &api.Habits{Injected: all.injected, Used: all.used, Useful: all.useful, Wrong: all.wrong, Sources: map[memory.Source]float64{}}
	h.Worth = between(-mostLost, all.lean()+all.unused(), 0)
	for src, c := range sources {
		if c.verdicts() > 0 {
			h.Sources[src] = between(-mostOfSource, c.beside(all), mostOfSource)
		}
	}
	return h
}

// A count is of injections.
type count struct{ injected, used, useful, wrong int }

func (c *count) judge(useful, wrong bool) {
	switch {
	case wrong:
		c.wrong = 1
	case useful:
		c.useful = 1
	}
}

func (c *count) verdicts() int { return c.useful + c.wrong }

func (c *count) add(other count) {
	c.injected += other.injected
	c.used += other.used
	c.useful += other.useful
	c.wrong += other.wrong
}

// lean returns which way the owner's words lean, less than 0 if more memories are wrong than useful.
func (c *count) lean() float64 {
	n := float64(c.injected + doubtWeight)
	return math.Log((n + verdictWeight*float64(c.useful)) / (n + verdictWeight*float64(c.wrong)))
}

// unused returns what is lost because no more is used than by chance, at most 0.
func (c *count) unused() float64 {
	used, chance := float64(max(c.used, c.useful)), byChance*float64(c.injected)
	return between(-mostUnused, math.Log((used+byChance*seenEnough)/(chance+byChance*seenEnough)), 0)
}

// beside returns how much better the owner speaks of these than of all.
func (c *count) beside(all count) float64 {
	share := (float64(all.useful) + 0.5) / float64(all.verdicts()+1)
	useful, wrong := float64(c.useful)+verdictsOfSource*share, float64(c.wrong)+verdictsOfSource*(1-share)
	return math.Log(useful/wrong) - math.Log(share/(1-share))
}

func between(low, x, high float64) float64 { return min(max(low, x), high) }
