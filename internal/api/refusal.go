package api

import "errors"

// ErrBusy means that a queue is full: the caller should try again later. It
// is answered with 503.
var ErrBusy = errors.New("too much to do at the moment")

// A BadRequest is the caller's mistake. It is answered with 400.
type BadRequest struct{ Err error }

// Error implements error.
func (e *BadRequest) Error() string { return e.Err.Error() }

// Unwrap returns the mistake.
func (e *BadRequest) Unwrap() error { return e.Err }
