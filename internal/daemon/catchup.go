package daemon

import "time"

// catchUpAfter is how long the daemon leaves to the prompt that started it
// before it reads what it missed.
const catchUpAfter = time.Second

// catchUp has those transcripts looked at that have grown, or became others,
// while no daemon ran. What no hook ever named is not among them: hooks were
// switched off for it.
func (d *Daemon) catchUp(now time.Time) {
	if !d.settings.Current().Hooks.On("Stop") {
		return
	}
	paths := d.capture.Behind()
	for _, path := range paths {
		if !d.looks.add(look{path: path, spare: true, due: now.Add(catchUpAfter)}) {
			d.log.Warn("catch up: too many transcripts, the rest when the daemon starts again", "transcripts", len(paths))
			return
		}
	}
}
