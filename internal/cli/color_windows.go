package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableColor switches escape sequences on in a console, and reports whether it understands them.
func enableColor(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
