//go:build unix && !linux && !darwin

package lease

func kernel() string { return hostname() }
