package doctor

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/config"
	"recollect/internal/share/machines"
)

// checkCredentials checks that other users of the machine cannot read or change the files with keys,
// passwords and tokens.
func checkCredentials(in *installation) finding {
	var open []string
	for _, path := range credentialFiles(in) {
		if fi, err := os.Stat(path); err == nil && openToOthers(fi) {
			open = append(open, fmt.Sprintf("%q (%v)", path, fi.Mode().Perm()))
		}
	}
	if len(open) == 0 {
		return fineFinding("no file with a key, a password or a token is open to other users")
	}
	return newWarning("chmod 600 each, and get new ones where others may have read them", "%s: others may read that", strings.Join(open, ", "))
}

// credentialFiles lists the files with keys, passwords and tokens that the settings name, both in the
// file and in force.
func credentialFiles(in *installation) []string {
	files := []string{filepath.Join(in.home, machines.KeyFile)}
	for _, c := range []config.Config{in.written, in.inForce} {
		files = append(files, c.Team.Credentials, c.Embedder.TokenFile, c.Capture.TokenFile)
		if u, err := url.Parse(c.Sync.Target); err == nil && u.User != nil {
			if _, secret := u.User.Password(); secret {
				files = append(files, filepath.Join(in.home, "config.toml"))
			}
		}
	}
	files = slices.DeleteFunc(files, func(path string) bool { return path == "" })
	slices.Sort(files)
	return slices.Compact(files)
}
