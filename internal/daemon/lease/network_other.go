//go:build !linux && !darwin

package lease

// fileSystem returns "", because the name is unknown here.
func fileSystem(string) string { return "" }
