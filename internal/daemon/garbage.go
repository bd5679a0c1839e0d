package daemon

import (
	"runtime/debug"
	"runtime/metrics"
)

// openingGC is how much the heap may grow between two garbage collections while the
// engine is opened, in percent of the heap in use. Nearly everything that is allocated
// then remains in use. With the usual 100, collections would take a seventh of the time.
const openingGC = 400

// servingGC is the least that the heap may grow while the daemon serves, in percent. Below the usual
// 100, the daemon needs a quarter less memory, at the same median time of a hook: most of a large heap
// is what the store and the vectors keep, so that collecting it more often costs little.
const servingGC = 40

// headroom is the least that the heap may grow while the daemon serves, in bytes. A prompt allocates
// half a megabyte, so without headroom every tenth prompt would wait for a collection of a small heap.
const headroom = 16 << 20

// workingHeadroom takes the place of headroom while the engine is busy in the background for most of
// the time. An import allocates its own size many times over. With 16 MiB it would collect garbage a
// third of the time, and slow down the answers to prompts meanwhile.
const workingHeadroom = 96 << 20

// A gcPace holds the settings of the garbage collector that are in force.
type gcPace struct {
	percent int
	working bool // workingHeadroom is in force
}

// paceGC sets how much the heap may grow once the daemon serves. After work in the background it returns
// memory to the system.
func (d *Daemon) paceGC(pace *gcPace) {
	e, serving := d.engine.now()
	if !serving {
		return
	}
	worked, room := pace.working, uint64(headroom)
	if pace.working = e.Worked() > watchEvery/2; pace.working {
		room = workingHeadroom
	}
	if percent := gcPercent(heapInUse(), room); percent != pace.percent {
		pace.percent = percent
		debug.SetGCPercent(percent)
	}
	if worked && !pace.working {
		debug.FreeOSMemory()
	}
}

// gcPercent returns how much a heap may grow to have room bytes, in percent of the bytes in use. It is
// rounded, because each change of it stops the program for a moment.
func gcPercent(inUse, room uint64) int {
	const step = 10
	percent := 100 * room / max(1, inUse)
	return int(min(openingGC, max(servingGC, percent/step*step)))
}

// heapInUse returns the size of the heap that the last garbage collection found in use, in bytes.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// limitMemory applies the configured memory limit, so that a rebuild of the index cannot grow the
// daemon without bound.
func (d *Daemon) limitMemory() {
	if limit := d.settings.Current().Daemon.MemoryLimit; limit != d.memoryLimit {
		d.memoryLimit = limit
		debug.SetMemoryLimit(int64(limit) << 20)
	}
}
