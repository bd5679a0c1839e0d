package store

import (
	"math"

	"recollect/internal/memory"
)

// projects numbers the projects whose memories a log holds, from 1.
type projects struct {
	numbers map[memory.Project]uint16
	all     []memory.Project
}

// put returns the number of a project, 0 for none. It numbers at most 65,535 projects; memories of
// further ones count as having none.
func (ps *projects) put(p memory.Project) uint16 {
	if n := len(ps.all); n > 0 && ps.all[n-1] == p { // nearly always
		return uint16(n)
	}
	number, known := ps.numbers[p]
	if known || p.Zero() || len(ps.all) == math.MaxUint16 {
		return number
	}
	ps.all = append(ps.all, p)
	number = uint16(len(ps.all))
	ps.numbers[p] = number
	return number
}

// of returns the project with this number.
func (ps *projects) of(number uint16) memory.Project {
	if number == 0 {
		return memory.Project{}
	}
	return ps.all[number-1]
}
