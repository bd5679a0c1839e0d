package layout

import "strings"

// Table returns the table of a dotted key, or "" if it has none.
func Table(key string) string { return key[:max(strings.LastIndexByte(key, '.'), 0)] }

// Name returns the last part of a dotted key.
func Name(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// Join returns the dotted key of a name in a table. The table may be "".
func Join(table, name string) string {
	if table == "" {
		return name
	}
	return table + "." + name
}
