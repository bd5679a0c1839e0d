package config

import "recollect/internal/memory"

// Keep says how long memories are kept. Sources inherit the embedded Kept unless the user sets theirs;
// the Kept of each source here already includes it. Memories that a user wrote, that are of high
// importance or that were injected within KeepUsed are never deleted.
type Keep struct {
	Kept
	BySource[Kept]
}

// KeepUsed is how long a memory is kept after it was last injected, whatever its age.
const KeepUsed = 90 * day

// Kept says which memories of a source are kept.
type Kept struct {
	Age   Duration `toml:"age"`   // older ones are deleted; 0s for none
	Count int      `toml:"count"` // only the newest are kept; 0 for all
}

// defaultKeep limits only the age of thinking. It is the largest source, is rarely needed after half a
// year, and its results are stored as decisions and failures.
func defaultKeep() Keep {
	return Keep{BySource: BySource[Kept]{Thinking: Kept{Age: 180 * day}}}
}

// keep checks how long memories are kept.
func (v *rules) keep(k Keep) {
	v.kept("capture.keep", k.Kept)
	for _, src := range memory.Sources {
		v.kept("capture.keep."+string(src), k.Of(src))
	}
}

func (v *rules) kept(key string, k Kept) {
	v.age(key+".age", k.Age)
	if k.Count < 0 {
		v.add(key+".count", k.Count, "must be 0 or more")
	}
}
