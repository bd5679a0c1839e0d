// Package storetest opens a store for the tests of other packages.
package storetest

import (
	"errors"
	"log/slog"
	"testing"

	"recollect/internal/store"
)

// Open opens the store of a data folder until the test has ended.
func Open(t testing.TB, home string) *store.Store {
	t.Helper()
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(lock, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(errors.Join(err, lock.Release()))
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), lock.Release()); err != nil {
			t.Error(err)
		}
	})
	return s
}
