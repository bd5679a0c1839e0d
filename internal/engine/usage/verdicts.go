package usage

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"recollect/internal/api"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

// maxVerdicts is of how many memories the verdict is retained, the newest: more than anybody gives.
const maxVerdicts = 5000

// Verdicts has what the owner said last of each memory, in verdicts.json. It is safe for concurrent use, and a
// question does not wait while a verdict is written.
type Verdicts struct {
	path string
	file *durable.State

	setting sync.Mutex // held while verdicts change
	byID    atomic.Pointer[map[string]api.Verdict]
}

// verdictFile is verdicts.json.
type verdictFile struct {
	V        int           `json:"v"`
	Verdicts []api.Verdict `json:"verdicts"` // the oldest first
}

// OpenVerdicts reads the verdicts in home. If they cannot be read, that is logged, the file is set aside, and there are
// none.
func OpenVerdicts(home string, log *slog.Logger) *Verdicts {
	path := filepath.Join(home, "verdicts.json")
	v := &Verdicts{path: path, file: durable.NewState(path)}
	var stored verdictFile
	err := v.file.Read(&stored)
	byID := map[string]api.Verdict{}
	if err == nil {
		for _, one := range stored.Verdicts {
			byID[one.ID] = one
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read verdicts", logkey.Error, err)
		v.setAside(log)
	}
	v.byID.Store(&byID)
	return v
}

// setAside moves a damaged file away, so that the next verdict does not replace what can still be read in it.
func (v *Verdicts) setAside(log *slog.Logger) {
	if v.Newer() != nil {
		return
	}
	if err := os.Rename(v.path, v.path+".damaged"); err != nil {
		log.Warn("set verdicts aside", logkey.Error, err)
	}
}

// Newer returns an error if a newer version wrote the file.
func (v *Verdicts) Newer() error { return v.file.Newer() }

// All returns the last verdict on each memory, by its id.
func (v *Verdicts) All() map[string]api.Verdict { return maps.Clone(*v.byID.Load()) }

// Of returns the last verdict on a memory, whose Says is "" if there is none.
func (v *Verdicts) Of(id string) api.Verdict { return (*v.byID.Load())[id] }

// Said returns what the owner said of a memory.
func (v *Verdicts) Said(id string) (useful, wrong bool) {
	says := v.Of(id).Says
	return says == api.Useful, says == api.Wrong
}

// IsWrong reports whether the owner said that a memory is wrong.
func (v *Verdicts) IsWrong(id string) bool { return v.Of(id).Says == api.Wrong }

// Set stores a verdict, or takes one back, and returns the one before.
func (v *Verdicts) Set(one api.Verdict) (before api.Verdict, err error) {
	v.setting.Lock()
	defer v.setting.Unlock()
	now := v.All()
	before = now[one.ID]
	before.ID = one.ID
	now[one.ID] = one
	if one.Says == "" {
		delete(now, one.ID)
	}
	return before, v.replace(now)
}

// Forget removes the verdicts on memories.
func (v *Verdicts) Forget(ids map[string]bool) error {
	v.setting.Lock()
	defer v.setting.Unlock()
	now := v.All()
	maps.DeleteFunc(now, func(id string, _ api.Verdict) bool { return ids[id] })
	if len(now) == len(*v.byID.Load()) {
		return nil
	}
	return v.replace(now)
}

// replace writes the newest of some verdicts, and lets them hold.
func (v *Verdicts) replace(now map[string]api.Verdict) error {
	all := slices.SortedFunc(maps.Values(now), func(a, b api.Verdict) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	for len(all) > maxVerdicts {
		delete(now, all[0].ID)
		all = all[1:]
	}
	if err := cmp.Or(v.Newer(), v.file.Write(verdictFile{1, all})); err != nil {
		return err
	}
	v.byID.Store(&now)
	return nil
}
