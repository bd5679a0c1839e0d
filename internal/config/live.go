package config

import (
	"os"
	"sync"
	"time"
)

// Live is the settings of a running daemon: read again when a file changed,
// with the last good ones in force while a file has a mistake.
type Live struct {
	home string

	mu       sync.Mutex
	stamp    [2]stamp
	config   Config
	synonyms *Synonyms
	err      error
}

// A stamp tells whether a file changed.
type stamp struct {
	modified time.Time
	size     int64
}

// Settings are the settings in force at one moment.
type Settings struct {
	Config
	Synonyms *Synonyms // another pointer when they changed
	Err      error     // the mistake that keeps the user's newest files from being used, or nil
}

// NewLive reads the settings in home. A mistake leaves the defaults in force
// and is reported by Current.
func NewLive(home string) (*Live, error) {
	synonyms, err := ParseSynonyms("", "")
	if err != nil {
		return nil, err
	}
	l := &Live{home: home, config: Default(), synonyms: &synonyms}
	l.stamp = l.look()
	l.reload()
	return l, nil
}

// Current returns the settings in force. It costs two looks at the file
// system when nothing changed.
func (l *Live) Current() Settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.look(); now != l.stamp {
		l.stamp = now
		l.reload()
	}
	return Settings{l.config, l.synonyms, l.err}
}

func (l *Live) reload() {
	c, s, err := Load(l.home)
	l.err = err
	if err == nil {
		l.config, l.synonyms = c, &s
	}
}

func (l *Live) look() [2]stamp {
	var out [2]stamp
	config, synonyms := Paths(l.home)
	for i, path := range []string{config, synonyms} {
		if fi, err := os.Stat(path); err == nil {
			out[i] = stamp{fi.ModTime(), fi.Size()}
		}
	}
	return out
}
