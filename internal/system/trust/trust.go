// Package trust distinguishes files of the user of this process from those of another user in a folder
// where both can write.
package trust

import (
	"fmt"
	"io/fs"
	"os"
)

// Foreign reports whether a file belongs to another user, or is a link to such a file. Root's files are
// not foreign, because nothing is safe from root. A missing file is not foreign.
func Foreign(path string) bool {
	fi, err := os.Lstat(path)
	if err == nil && fi.Mode()&fs.ModeSymlink != 0 && ownerTrusted(fi) {
		fi, err = os.Stat(path)
	}
	return err == nil && !ownerTrusted(fi)
}

// Check returns an error if a file is foreign.
func Check(path string) error {
	if Foreign(path) {
		return fmt.Errorf("%s belongs to another user", path)
	}
	return nil
}
