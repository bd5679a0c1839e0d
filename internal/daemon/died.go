package daemon

import (
	"bytes"
	"io"
	"log/slog"
	"path/filepath"

	"recollect/internal/memory/secret"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// maxDiedLog is how much of the log of a daemon that died is kept, in bytes.
const maxDiedLog = 128 << 10

func crashPath(home string) string { return filepath.Join(home, "daemon.crash") }

// DiedPath returns the path of the file about the daemon that died last: how it died, and its log.
func DiedPath(home string) string { return filepath.Join(home, "daemon.died") }

// watchForCrash makes Go write a crash of this daemon to a file. If the daemon before it died, it stores
// and returns how, else nil.
func watchForCrash(home, version string, log *slog.Logger) *crash.Death {
	died, err := crash.Watch(crashPath(home), version)
	if err != nil {
		log.Debug("watch for a crash", logkey.Error, err) // the folder is read-only, or the disk is full
	}
	if died == nil {
		return nil
	}
	text := logEnd(filepath.Join(home, "daemon.log"))
	died.Explain(text)
	died.Trace = secret.Redact(died.Trace)
	log.Warn("the daemon before this one died", logkey.Error, died.Reason())
	if err := died.Write(DiedPath(home), secret.Redact(text)); err != nil {
		log.Warn("keep the log of a daemon that died", logkey.Error, err)
	}
	return died
}

// diedReading returns how the daemon before this one died if it died while it read a turn, else "".
func (d *Daemon) diedReading() string {
	if d.died == nil || !d.died.In("recollect/internal/capture") {
		return ""
	}
	return d.died.Reason()
}

// logEnd returns the last lines of a log.
func logEnd(path string) string {
	f, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, fi.Size()-maxDiedLog), maxDiedLog))
	if err != nil {
		return ""
	}
	if _, whole, ok := bytes.Cut(text, []byte("\n")); ok && fi.Size() > maxDiedLog {
		text = whole
	}
	return string(text)
}

// Died returns how the last daemon of home died, nil if none did.
func Died(home string) *crash.Death {
	if died := crash.Last(crashPath(home)); died != nil { // no daemon has started since
		died.Explain(logEnd(filepath.Join(home, "daemon.log")))
		return died
	}
	return crash.Last(DiedPath(home))
}
