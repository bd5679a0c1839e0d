package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableColor makes a console obey escapes, and reports whether it does.
func enableColor(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
