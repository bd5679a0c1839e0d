package api

import "errors"

// A Cause tells a client why something failed, if the client can do something about it. Later versions
// may have other causes.
type Cause string

// The causes.
const (
	NoKey         Cause = "no_key"         // a target is encrypted, and this machine has no key
	EmptyTarget   Cause = "empty_target"   // a target no longer has its content
	DeletionsHeld Cause = "deletions_held" // deletions from elsewhere wait for the user's consent
)

// A CausedError is an error with a cause, which clients see.
type CausedError struct {
	Cause Cause
	Text  string
}

// Error implements error.
func (e *CausedError) Error() string { return e.Text }

// CauseOf returns the cause of an error of the daemon or in a reply, "" if it has none.
func CauseOf(err error) Cause {
	var caused *CausedError
	var refused *StatusError
	switch {
	case errors.As(err, &caused):
		return caused.Cause
	case errors.As(err, &refused):
		return refused.Cause
	}
	return ""
}

// ErrBusy means that a queue is full: the caller should try again later. The
// reply has the status 503.
var ErrBusy = errors.New("too much to do at the moment")

// A BadRequest is a mistake of the caller. The reply has the status 400.
type BadRequest struct{ Err error }

// Error implements error.
func (e *BadRequest) Error() string { return e.Err.Error() }

// Unwrap returns the mistake.
func (e *BadRequest) Unwrap() error { return e.Err }
