//go:build !windows

package cli

import "os"

// enableColor reports whether a terminal understands escape sequences.
func enableColor(*os.File) bool { return true }
