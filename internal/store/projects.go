package store

import (
	"math"

	"recollect/internal/memory"
)

// projects are the projects of which a log has memories, numbered from 1.
type projects struct {
	numbers map[memory.Project]uint16
	all     []memory.Project
}

// put returns the number of a project, 0 for none. Beyond 65,535 it knows no more projects, so that
// their memories count as those of none.
func (ps *projects) put(p memory.Project) uint16 {
	if n := len(ps.all); n > 0 && ps.all[n-1] == p { // as nearly always
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

// of returns the project with a number.
func (ps *projects) of(number uint16) memory.Project {
	if number == 0 {
		return memory.Project{}
	}
	return ps.all[number-1]
}
