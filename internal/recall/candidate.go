package recall

import (
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/rankers"
)

// A candidate is a memory on its way through the steps of recall.
type candidate struct {
	id          string
	made        store.Where    // where and when its memory was made
	memory      *memory.Memory // nil until it is read
	considered  bool           // it was relevant enough by itself to be looked at further
	lexicalRank int            // from 1, among the hits of the words; 0 where it is none
	vectorRank  int            // likewise, among the hits of the vectors
	bm25        float64
	cosine      float64
	closeness   float64   // how far the cosine is above the mean of what meaning found
	distance    float64   // how many standard deviations the cosine is above the mean of the store's
	others      float64   // share of the other turns in its session, in [0, 1]; 0 where it is alone
	embedded    bool      // it has a vector
	met         []float64 // how far it meets each clause, in [0, 1]
	features    [featureCount]float64
	relevance   float64
	required    float64
	unsure      float64 // of what is at most named: its relevance, less what another project's needs more
	bears       string  // the activity of the prompt that it bears on
	superseded  string  // id of the memory that replaces it
	apart       string  // why what a team shared is held back, whatever it bears on
	rank        int     // by score, from 1, whatever a gate says
	score       rankers.Score
	tokens      int
	outcome     string // how it is injected, or why it is held back; empty while undecided
}

// setMeaning sets the features that the vectors give.
func (c *candidate) setMeaning() {
	f, own := &c.features, 1-c.others
	f[featCosine], f[featCloseness] = own*max(0, c.cosine), own*c.closeness
	f[featDistance] = own * min(1.5, c.distance/6)
	f[featLongCosine] = f[featCosine] * f[featLength]
	f[featLongCloseness] = f[featCloseness] * f[featLength]
}

// setOthers sets the share of the other turns in its session. The meaning of a turn
// depends on them, so its own vector counts for the rest.
func (c *candidate) setOthers(others float64) {
	c.others = others
	c.setMeaning()
}

// semantic reports whether only the vectors found c.
func (c *candidate) semantic() bool { return c.vectorRank > 0 && c.lexicalRank == 0 }
