package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
	"recollect/internal/system/trust"
)

// Live holds the settings of a running daemon. It reads a file again when that has changed, and keeps the
// last good settings in force while the file has a mistake. It stores a copy of the last good text beside
// each file for the next daemon.
type Live struct {
	mu       sync.Mutex
	config   watched[[]change]
	synonyms watched[*Synonyms]
	vars     map[string]string // environment variables that are settings

	list   catalog
	merged Config // settings of the file, overridden by vars
	broken error  // mistakes in vars, or nil
}

// Settings are the settings in force at one moment.
type Settings struct {
	Config
	Synonyms *Synonyms // another pointer after a change
	Err      error     // mistakes that keep the user's newest files from being used, or nil
}

// Problem returns the mistakes that keep the user's newest files from being used, "" for none.
func (s *Settings) Problem() string {
	if s.Err == nil {
		return ""
	}
	return s.Err.Error()
}

// NewLive reads the settings in home. Those in env, which has the form of os.Environ, override them for
// the lifetime of the Live. After a mistake the last good settings remain in force, or the defaults, and
// Current reports the mistake.
func NewLive(home string, env []string) (*Live, error) {
	configPath, synonymsPath := Paths(home)
	list := newCatalog()
	l := &Live{
		list:   list,
		vars:   variables(env),
		config: watched[[]change]{path: configPath, parse: list.parse},
		synonyms: watched[*Synonyms]{path: synonymsPath, parse: func(name, text string) (*Synonyms, error) {
			s, err := ParseSynonyms(name, text)
			return &s, err
		}},
	}
	err := errors.Join(l.config.open(), l.synonyms.open())
	l.merged, l.broken = l.list.override(l.config.value, l.vars)
	return l, err
}

// Current returns the settings in force. If no file has changed, it costs two calls of the file system.
func (l *Live) Current() Settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.config.refresh() {
		l.merged, l.broken = l.list.override(l.config.value, l.vars)
	}
	l.synonyms.refresh()
	return Settings{l.merged, l.synonyms.value, errors.Join(l.config.err, l.synonyms.err, l.broken)}
}

// tried lists the tables whose settings can be tried: those that a recall depends on.
var tried = []string{"recall.", "rank.", "budget.", "project.other_", "sources."}

// Try returns the settings as they would be if the user's file also contained text, which is TOML. It
// changes nothing.
func (l *Live) Try(text string) (Settings, error) {
	now := l.Current()
	if text == "" {
		return now, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changes, err := l.list.parse("tried settings", text)
	if err != nil {
		return now, err
	}
	for _, ch := range changes {
		key := l.list.settings[ch.number].key
		if !slices.ContainsFunc(tried, func(table string) bool { return strings.HasPrefix(key, table) }) {
			return now, fmt.Errorf("%s cannot be tried", key)
		}
	}
	now.Config, err = l.list.override(slices.Concat(l.config.value, changes), l.vars)
	return now, err
}

// A watched file is a user's file with its value.
type watched[T any] struct {
	path  string
	parse func(name, text string) (T, error)
	stamp stamp
	value T
	err   error // why value is not that of the file
}

// A stamp shows whether a file has changed.
type stamp struct {
	modified time.Time
	size     int64
}

// open reads the file for the first time. It starts with the defaults, which must be valid, then tries
// the last good copy, then the file itself.
func (f *watched[T]) open() error {
	var err error
	if f.value, err = f.parse("", ""); err != nil {
		return err
	}
	if text, err := readOptional(f.good()); err == nil {
		if v, err := f.parse(f.good(), text); err == nil {
			f.value = v
		}
	}
	f.stamp = f.currentStamp()
	f.read()
	return nil
}

// refresh reads the file again if it has changed, and reports whether it had.
func (f *watched[T]) refresh() bool {
	now := f.currentStamp()
	if now == f.stamp {
		return false
	}
	f.stamp = now
	f.read()
	return true
}

func (f *watched[T]) read() {
	text, err := readOptional(f.path)
	if err != nil {
		f.err = err
		return
	}
	v, err := f.parse(f.path, text)
	if f.err = err; err == nil {
		f.value = v
		f.saveGood(text)
	}
}

// saveGood stores a copy of a text without mistakes. If that fails, as on a full disk, and the file then
// gets a mistake, the next daemon begins with the defaults.
func (f *watched[T]) saveGood(text string) {
	if text == "" {
		os.Remove(f.good())
		return
	}
	if old, err := regular.Read(f.good(), maxFile); err != nil || string(old) != text {
		durable.WriteFile(f.good(), []byte(text), 0o600)
	}
}

// good returns the path of the copy.
func (f *watched[T]) good() string {
	return filepath.Join(filepath.Dir(f.path), "."+filepath.Base(f.path)+".good")
}

func (f *watched[T]) currentStamp() stamp {
	fi, err := os.Stat(f.path)
	if err != nil {
		return stamp{}
	}
	return stamp{fi.ModTime(), fi.Size()}
}

// Paths returns the paths of a user's settings and synonyms below home.
func Paths(home string) (config, synonyms string) {
	return filepath.Join(home, "config.toml"), filepath.Join(home, "synonyms.toml")
}

// maxFile is the largest size of a file of settings, in bytes.
const maxFile = 1 << 20

// readOptional returns the text of a file that need not exist.
func readOptional(path string) (string, error) {
	if err := trust.Check(path); err != nil {
		return "", fmt.Errorf("read settings: %w", err)
	}
	b, err := regular.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read settings: %w", err)
	}
	return strings.TrimPrefix(string(b), byteOrderMark), nil
}

// Fixed returns settings that never change, because they are read from no file.
func Fixed(s Settings) *Live {
	return &Live{merged: s.Config, synonyms: watched[*Synonyms]{value: s.Synonyms, err: s.Err}}
}
