// Package upkeep is the work on memories that nobody waits for: it joins
// those that say the same (Consolidation), deletes those that have expired
// (Retention), judges anew what earlier versions stored (Reconsideration), has a model read the sessions that have become quiet
// (Refinement) or say which of their candidates stand (Confirmation), and imports the sessions from before the first one with recollect
// (Backlog).
package upkeep

import "time"

// drain is how long the last consolidation may take when the daemon ends.
const drain = 5 * time.Second

// Upkeep is all of that work, and the transcripts that are read again.
type Upkeep struct {
	Revisits        *Revisits
	Consolidation   *Consolidation
	Retention       *Retention
	Reconsideration *Reconsideration
	Refinement      *Refinement
	Confirmation    *Confirmation
	Backlog         *Backlog
}
