//go:build !linux && !darwin

package lease

// fileSystem is not known.
func fileSystem(string) string { return "" }
