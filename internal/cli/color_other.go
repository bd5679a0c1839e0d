//go:build !windows

package cli

import "os"

// enableColor reports whether a terminal obeys escapes.
func enableColor(*os.File) bool { return true }
