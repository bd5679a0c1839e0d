package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/api"
	"recollect/internal/store/backup"
)

// Backup writes an archive of what cannot be made again to a new file. The logs are as they were at
// one moment: what is written while the archive is made is left out.
func (e *Engine) Backup(ctx context.Context, in api.Backup) (api.BackedUp, error) {
	if !filepath.IsAbs(in.Path) {
		return api.BackedUp{}, &api.BadRequest{Err: fmt.Errorf("path %q: must be absolute", in.Path)}
	}
	e.saveTally(true)
	m := backup.Manifest{Recollect: in.Version, Made: time.Now().UTC().Truncate(time.Second)}
	var set *backup.Set
	err := e.Store.Still(func() (err error) {
		set, err = backup.Open(e.home)
		m.Memories = e.Store.Len()
		return err
	})
	if err != nil {
		return api.BackedUp{}, fmt.Errorf("back up: %w", err)
	}
	defer set.Close()
	f, err := os.OpenFile(in.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return api.BackedUp{}, &api.BadRequest{Err: fmt.Errorf("%s exists already", in.Path)}
	}
	if err != nil {
		return api.BackedUp{}, &api.BadRequest{Err: err}
	}
	m, err = set.Write(ctx, f, m)
	if err == nil {
		err = f.Sync()
	}
	var size int64
	if fi, statErr := f.Stat(); statErr == nil {
		size = fi.Size()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return api.BackedUp{}, errors.Join(fmt.Errorf("write backup: %w", err), os.Remove(in.Path))
	}
	return api.BackedUp{Path: in.Path, Bytes: size, Files: len(m.Files), Memories: m.Memories}, nil
}
