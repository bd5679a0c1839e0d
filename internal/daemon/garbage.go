package daemon

import (
	"runtime/debug"
	"runtime/metrics"
)

// openingGC is how much the heap may grow between two garbage collections while the
// engine is opened, in percent of what is in use. Nearly all that is allocated then
// remains, so the usual 100 would cost a seventh of the time for nothing.
const openingGC = 400

// servingGC is the least that it may grow while the daemon serves. Most of a large heap is what the
// store and the vectors keep, so that collecting it more often than usual costs little: a quarter of
// the memory less, at the same median time of a hook.
const servingGC = 40

// headroom is the least that the heap may grow by then, in bytes. A prompt allocates half a megabyte,
// so that a small heap would be collected at every tenth, beside the answer to it.
const headroom = 16 << 20

// workingHeadroom is what it is while the engine works in the background for most of the time. An
// import allocates its own size many times over: with 16 MiB it collects garbage a third of the time,
// and whatever allocates meanwhile, such as the answer to a prompt, has to help.
const workingHeadroom = 96 << 20

// A gcPace is what is in force of the garbage collector.
type gcPace struct {
	percent int
	working bool // the engine has its room for work
}

// paceGC sets how much the heap may grow once the daemon serves, by what of it is in use now. After
// work, what it took is given back.
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

// gcPercent returns how much a heap may grow to have room, in percent of what of it is in use: in steps, since to
// change it stops the program for a moment.
func gcPercent(inUse, room uint64) int {
	const step = 10
	percent := 100 * room / max(1, inUse)
	return int(min(openingGC, max(servingGC, percent/step*step)))
}

// heapInUse returns what of the heap the last garbage collection found in use, in bytes.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// limitMemory sets the memory limit of the garbage collector, so that a rebuild of the index cannot
// grow the daemon without bound.
func (d *Daemon) limitMemory() {
	if limit := d.settings.Current().Daemon.MemoryLimit; limit != d.memoryLimit {
		d.memoryLimit = limit
		debug.SetMemoryLimit(int64(limit) << 20)
	}
}
