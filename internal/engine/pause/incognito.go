package pause

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"recollect/internal/api"
)

// Incognito are the sessions of which nothing is ever learned: each has an empty file in
// the folder incognito, which a hook can leave there too. It is safe for concurrent use.
type Incognito struct {
	home string

	mu    sync.Mutex
	known map[string]bool
}

// OpenIncognito returns the incognito sessions of a data folder.
func OpenIncognito(home string) *Incognito {
	return &Incognito{home: home, known: map[string]bool{}}
}

// Add makes a session incognito. Even with an error it is for this process.
func (i *Incognito) Add(session string) error {
	if session == "" || i.Has(session) {
		return nil
	}
	i.mu.Lock()
	i.known[session] = true
	i.mu.Unlock()
	if err := api.WriteIncognito(i.home, session); err != nil {
		return fmt.Errorf("store that session %s is incognito: %w", session, err)
	}
	return nil
}

// Has reports whether a session is incognito, or was once.
func (i *Incognito) Has(session string) bool {
	if session == "" {
		return false
	}
	i.mu.Lock()
	known := i.known[session]
	i.mu.Unlock()
	if known {
		return true
	}
	_, err := os.Lstat(api.IncognitoPath(i.home, session))
	return err == nil
}

// Count returns how many sessions are incognito.
func (i *Incognito) Count() int {
	entries, err := os.ReadDir(filepath.Dir(api.IncognitoPath(i.home, "x")))
	if err != nil {
		return 0
	}
	return len(entries)
}
