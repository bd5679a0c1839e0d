// Package recollect holds the files at the top of the repository that ship
// inside the executables: the settings, the synonyms and the version.
package recollect

import (
	_ "embed"
	"encoding/json"
)

// ConfigTOML is the shipped config.toml: every setting with its default.
//
//go:embed config.toml
var ConfigTOML string

// SynonymsTOML is the shipped synonyms.toml.
//
//go:embed synonyms.toml
var SynonymsTOML string

//go:embed .claude-plugin/plugin.json
var manifest []byte

// Version returns the version that .claude-plugin/plugin.json states, the
// only place where it is written.
func Version() string {
	var m struct{ Version string }
	if err := json.Unmarshal(manifest, &m); err != nil {
		panic("recollect: embedded plugin.json: " + err.Error())
	}
	return m.Version
}
