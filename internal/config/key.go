package config

import "strings"

// above returns the key of the same name one table higher, from which that of
// a source inherits: capture.keep.age for capture.keep.inbox.age.
func above(key string) string { return join(dir(dir(key)), base(key)) }

// dir returns the table of a dotted key, "" where it has none.
func dir(key string) string { return key[:max(strings.LastIndexByte(key, '.'), 0)] }

// base returns the last part of a dotted key.
func base(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}
