package rankers

import (
	"math"
	"math/rand/v2"
	"testing"
)

// even gives every prior the same weight.
var even = Bounded{Share: .1, Latest: .5, Weight: 1, Recency: 1, Frequency: 1, Importance: 1, Project: 1}

func TestBounded(t *testing.T) {
	perfect := Candidate{Relevance: .8, Weight: 1e9, Uses: 1e9, Importance: "high", SameProject: true}
	worst := Candidate{Relevance: .8, Age: 1e4 * day, HalfLife: day, Importance: "low"}
	tests := []struct {
		name   string
		ranker Bounded
		change func(*Candidate)
		of     Candidate
		want   float64
	}{
		{"all priors full", even, nil, perfect, .8},
		{"all priors empty", even, nil, worst, .8 * math.Pow(.98, 5)},
		{"a weight of one is one half", Bounded{Share: .2, Weight: 1}, func(c *Candidate) { c.Weight = 1 }, perfect, .8 * .9},
		{"one half-life", Bounded{Share: .2, Recency: 1}, func(c *Candidate) { c.Age, c.HalfLife = 45*day, 45*day }, perfect, .8 * .9},
		{"two half-lives", Bounded{Share: .2, Recency: 1}, func(c *Candidate) { c.Age, c.HalfLife = 90*day, 45*day }, perfect, .8 * .85},
		{"no half-life", Bounded{Share: .2, Recency: 1}, func(c *Candidate) { c.Age = 9000 * day }, perfect, .8},
		{"the future is now", Bounded{Share: .2, Recency: 1}, func(c *Candidate) { c.Age, c.HalfLife = -day, day }, perfect, .8},
		{"five uses are one half", Bounded{Share: .2, Frequency: 1}, func(c *Candidate) { c.Uses = 5 }, perfect, .8 * .9},
		{"low importance", Bounded{Share: .2, Importance: 1}, func(c *Candidate) { c.Importance = "low" }, perfect, .8 * .8},
		{"normal importance", Bounded{Share: .2, Importance: 1}, func(c *Candidate) { c.Importance = "normal" }, perfect, .8 * .9},
		{"importance unsaid", Bounded{Share: .2, Importance: 1}, func(c *Candidate) { c.Importance = "" }, perfect, .8 * .9},
		{"another project", Bounded{Share: .2, Project: 1}, func(c *Candidate) { c.SameProject = false }, perfect, .8 * .8},
		{"another project counts half", Bounded{Share: .2, Project: .5, Recency: .5}, func(c *Candidate) { c.SameProject = false }, perfect, .8 * .9},
		{"the latest, the best of all", even, func(c *Candidate) { c.Latest, c.Age = true, 3*day }, perfect, .8 / 2 * (1 + .5)},
		{"the latest, near the best", even, func(c *Candidate) { c.Latest, c.Age, c.Relevance, c.Best = true, 3*day, .64, 1 }, perfect, .5 * (1 + .8*.5)},
		{"the latest, far from the best", even, func(c *Candidate) { c.Latest, c.Relevance, c.Best = true, .4, 1 }, perfect, .4},
		{"the latest of nothing", even, func(c *Candidate) { c.Latest, c.Relevance = true, 0 }, perfect, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.of
			if tt.change != nil {
				tt.change(&c)
			}
			if got := tt.ranker.Score(c).Value; math.Abs(got-tt.want) > 1e-8 {
				t.Errorf("Score(%+v) = %v, want %v", c, got, tt.want)
			}
		})
	}
}

// Without priors the score is the relevance, to the last bit, and so is the
// order.
func TestBoundedWithoutPriors(t *testing.T) {
	shareless, weightless := even, Bounded{Share: .5, Latest: .7}
	shareless.Share, shareless.Latest = 0, 0
	for name, b := range map[string]Bounded{"no share": shareless, "no weights": weightless} {
		for _, c := range candidates(11, 500) {
			c.Latest = c.Latest && b.Latest == 0
			if got := b.Score(c).Value; got != c.Relevance {
				t.Errorf("%s: Score(%+v) = %v, want the relevance", name, c, got)
			}
		}
	}
}

// No prior, nor all of them, may lift a memory over one that is more relevant
// by more than the share allows.
func TestBoundedInfluence(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	swaps := 0
	for seed := range uint64(50) {
		b := randomBounded(rng)
		cs := candidates(seed, 40)
		for i := range cs {
			cs[i].Latest = false
		}
		for _, x := range cs {
			sx := b.Score(x).Value
			if sx > x.Relevance || sx < x.Relevance*(1-b.Share)-1e-15 {
				t.Fatalf("%+v: score %v of relevance %v", b, sx, x.Relevance)
			}
			for _, y := range cs {
				sy := b.Score(y).Value
				if x.Relevance > y.Relevance && sx < sy {
					swaps++
				}
				if x.Relevance*(1-b.Share) > y.Relevance+1e-12 && sx <= sy {
					t.Fatalf("%+v: %v of relevance %v passes %v of relevance %v", b, sy, y.Relevance, sx, x.Relevance)
				}
			}
		}
	}
	if swaps == 0 {
		t.Error("no prior ever moved anything")
	}
}

func randomBounded(rng *rand.Rand) Bounded {
	return Bounded{
		Share:  rng.Float64(),
		Latest: rng.Float64(),
		Weight: rng.Float64(), Recency: rng.Float64(), Frequency: rng.Float64(), Importance: rng.Float64(), Project: rng.Float64(),
	}
}

// Each prior has a say of its own: with all others left out its better side
// wins between equals, and a larger share never lessens that.
func TestBoundedPriors(t *testing.T) {
	worst := Candidate{Relevance: .5, Weight: .1, Age: 90 * day, HalfLife: 45 * day, Importance: "low"}
	better := betters(worst)
	tests := []struct {
		name string
		only Bounded
		wins Candidate
	}{
		{"weight", Bounded{Weight: .3}, better["more weight"]},
		{"recency", Bounded{Recency: .3}, better["less age"]},
		{"frequency", Bounded{Frequency: .3}, better["more use"]},
		{"importance", Bounded{Importance: .3}, better["more importance"]},
		{"project", Bounded{Project: .3}, better["being at home"]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			last := 0.0
			for _, share := range []float64{.05, .1, .5, 1} {
				tt.only.Share = share
				lead := tt.only.Score(tt.wins).Value - tt.only.Score(worst).Value
				if lead <= last {
					t.Errorf("share %v: leads by %v, by %v with less", share, lead, last)
				}
				last = lead
			}
		})
	}
}

// Where the latest is asked for, the newer of two relevant memories wins, be
// they days or months old; what is much less relevant than the best does not.
func TestBoundedLatest(t *testing.T) {
	tests := []struct {
		name       string
		newer, old Candidate
		wins       bool
	}{
		{"yesterday over last week", Candidate{Relevance: .5, Age: day}, Candidate{Relevance: .9, Age: 7 * day}, true},
		{"last month over last spring", Candidate{Relevance: .5, Age: 30 * day}, Candidate{Relevance: .9, Age: 200 * day}, true},
		{"an hour over two days", Candidate{Relevance: .5, Age: day / 24}, Candidate{Relevance: .9, Age: 2 * day}, true},
		{"from elsewhere", Candidate{Relevance: .9, Age: 30 * day}, Candidate{Relevance: .9, Age: 60 * day, SameProject: true}, true},
		{"about the same time", Candidate{Relevance: .5, Age: 30 * day}, Candidate{Relevance: .9, Age: 31 * day}, false},
		{"hardly relevant", Candidate{Relevance: .4, Age: day}, Candidate{Relevance: .9, Age: 7000 * day}, false},
	}
	b := shipped["bounded"].(Bounded)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.newer.ID, tt.old.ID = "newer", "old"
			if first := Rank(b, []Candidate{tt.newer, tt.old})[0].ID; first != "old" {
				t.Errorf("%s wins without being asked for", first)
			}
			tt.newer.Latest, tt.old.Latest = true, true
			if first := Rank(b, []Candidate{tt.newer, tt.old})[0]; (first.ID == "newer") != tt.wins {
				t.Errorf("%s wins with %+v; the newer: want %t", first.ID, first.Score, tt.wins)
			}
		})
	}
}

// However time decides, a memory that is not half as relevant as the best
// stays below all that are, and no score leaves [0, best].
func TestBoundedLatestTiers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for seed := range uint64(50) {
		b := randomBounded(rng)
		cs := candidates(seed, 40)
		for i := range cs {
			cs[i].Latest = true
		}
		far := false
		for _, r := range Rank(b, cs) {
			if v := r.Score.Value; v < 0 || v > r.Best+1e-12 {
				t.Errorf("%+v: score %v, best relevance %v", b, v, r.Best)
			}
			near := r.Relevance >= r.Best/2
			if near && far {
				t.Fatalf("%+v: %+v stands below one that is not half as relevant as the best", b, r)
			}
			far = far || !near
		}
		if !far {
			t.Error("all are near the best: nothing was tested")
		}
	}
}

// The other rankers are what they were: nothing that bounded alone needs may
// move them.
func TestOthersReadNothingNew(t *testing.T) {
	for _, name := range []string{"typed", "linear", "balanced"} {
		for _, c := range candidates(13, 100) {
			old := Candidate{ID: c.ID, Relevance: c.Relevance, Weight: c.Weight, Age: c.Age, Uses: c.Uses, Tokens: c.Tokens}
			if got, want := shipped[name].Score(c).Value, shipped[name].Score(old).Value; got != want {
				t.Errorf("%s: %v with half-life, importance and home, %v without", name, got, want)
			}
		}
	}
}
