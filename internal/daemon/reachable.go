package daemon

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

// watchEvery is how often watchFolder checks the folder, the socket and the lease.
const watchEvery = time.Second

// watchFolder ends the daemon when its folder or its socket is no longer its own, or another machine has
// the lease of the folder. Until then it also applies changes of the memory limit, and paces the garbage
// collector.
func (d *Daemon) watchFolder(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	pace := gcPace{percent: servingGC}
	for d.isReachable() {
		if err := d.lease.Keep(time.Now()); err != nil {
			d.giveUp(err)
			return
		}
		d.limitMemory()
		d.paceGC(&pace)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// isReachable reports whether the data folder and the socket are still those of this daemon. If not, it
// ends the daemon, because nobody can reach it, and another one may serve the folder by now. It also
// ends a daemon whose read-only folder has become writable: its index is in memory, its socket elsewhere.
func (d *Daemon) isReachable() bool {
	err := d.lock.Held()
	if err == nil && !d.socket.ours() {
		err = fmt.Errorf("the socket %s was removed or replaced", d.socket.path)
	}
	if err == nil {
		err = d.folder.inspect(d.home, d.log)
	}
	if err == nil && d.readOnly && isWritable(d.home) {
		err = fmt.Errorf("%s was read-only and can be written to now", d.home)
	}
	if err != nil {
		d.giveUp(err)
	}
	return err == nil
}

// giveUp logs why the daemon ends, and ends it.
func (d *Daemon) giveUp(err error) {
	d.log.Warn("ending", logkey.Error, err)
	d.stop()
}

// whileReachable passes requests on to next while the daemon is reachable. Afterwards it closes their
// connections, so that the clients start another daemon.
func (d *Daemon) whileReachable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.isReachable() {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
}

// isWritable reports whether a file can be made in the folder.
func isWritable(home string) bool {
	f, err := os.CreateTemp(home, durable.TempPrefix)
	if err != nil {
		return false
	}
	f.Close()
	os.Remove(f.Name())
	return true
}
