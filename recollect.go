// Package recollect holds the files at the top of the repository that ship
// inside the executables: the settings, the synonyms and the version.
package recollect

import (
	"embed"
	"encoding/json"
)

// ConfigTOML is the shipped config.toml: every setting with its default.
//
//go:embed config.toml
var ConfigTOML string

// Synonyms holds the shipped synonyms.toml and the files of the folder synonyms, by field.
//
//go:embed synonyms.toml synonyms/*.toml
var Synonyms embed.FS

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
