package config

import "recollect/internal/memory"

// Keep says how long memories are kept, a source at a time. Never deleted are
// those that a user wrote or that are of high importance, and what was told
// within KeepUsed.
type Keep struct {
	Patterns    Kept `toml:"patterns"`
	Journal     Kept `toml:"journal"`
	Failures    Kept `toml:"failures"`
	Handoffs    Kept `toml:"handoffs"`
	Registry    Kept `toml:"registry"`
	Inbox       Kept `toml:"inbox"`
	Goals       Kept `toml:"goals"`
	Preferences Kept `toml:"preferences"`
	Episodes    Kept `toml:"episodes"`
	Thinking    Kept `toml:"thinking"`
}

// KeepUsed is how long a memory is kept after it was last told, whatever its
// age.
const KeepUsed = 90 * day

// Kept says which memories of a source are kept.
type Kept struct {
	Age   Duration `toml:"age"`   // older ones are deleted, 0s where none is
	Count int      `toml:"count"` // only the newest are kept, 0 where all are
}

// Of returns the settings of src.
func (k *Keep) Of(src memory.Source) Kept {
	switch src {
	case memory.Patterns:
		return k.Patterns
	case memory.Journal:
		return k.Journal
	case memory.Failures:
		return k.Failures
	case memory.Handoffs:
		return k.Handoffs
	case memory.Registry:
		return k.Registry
	case memory.Inbox:
		return k.Inbox
	case memory.Goals:
		return k.Goals
	case memory.Preferences:
		return k.Preferences
	case memory.Episodes:
		return k.Episodes
	case memory.Thinking:
		return k.Thinking
	}
	return Kept{}
}

func (v *rules) keep(k Keep) {
	for _, src := range memory.Sources {
		key, kept := "capture.keep."+string(src), k.Of(src)
		v.age(key+".age", kept.Age)
		if kept.Count < 0 {
			v.add(key+".count", kept.Count, "must be 0 or more")
		}
	}
}
