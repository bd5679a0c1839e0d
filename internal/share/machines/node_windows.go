package machines

import "io/fs"

// nodeOf returns 0, because the number of a folder is unknown without opening it.
func nodeOf(fs.FileInfo) uint64 { return 0 }
