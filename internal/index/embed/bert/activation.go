package bert

import "math"

// activations are the functions between the two layers of the feed-forward
// network, by hidden_act.
var activations = map[string]func(x float64) float64{
	"gelu":              gelu,
	"gelu_new":          geluTanh,
	"gelu_pytorch_tanh": geluTanh,
	"relu":              func(x float64) float64 { return max(x, 0) },
}

// gelu is x times the standard normal distribution function of x (Hendrycks
// and Gimpel 2016).
func gelu(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }

// geluTanh is the approximation from the same paper.
func geluTanh(x float64) float64 {
	return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

// A table has the values of a function in [low, high), tableSteps per unit. It interpolates between them.
// The error is at most 2e-6 for the functions here, in a tenth of the time of computing them.
type table struct {
	low, high float32
	values    []float32
}

const tableSteps = 256

func newTable(low, high int, f func(float64) float64) *table {
	t := &table{float32(low), float32(high), make([]float32, (high-low)*tableSteps+2)} // one more, because x - low is rounded
	for i := range t.values {
		t.values[i] = float32(f(float64(low) + float64(i)/tableSteps))
	}
	return t
}

// at returns the value of x, which is below t.high; below t.low it is 0.
func (t *table) at(x float32) float32 {
	if !(x >= t.low) {
		return 0
	}
	steps := (x - t.low) * tableSteps
	i := int(steps)
	a, b := t.values[i], t.values[i+1]
	return a + (b-a)*(steps-float32(i))
}

// activate applies an activation to each x. Beyond the table, every activation is 0 or x to seven digits.
func (t *table) activate(x []float32) {
	for i, v := range x {
		if v < t.high {
			x[i] = t.at(v)
		}
	}
}

// exponential is exp for softmax, whose arguments are at most 0. Below -17 the value is smaller than the
// precision of the sum.
var exponential = newTable(-17, 1, math.Exp)
