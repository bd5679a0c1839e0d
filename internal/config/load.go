package config

import "errors"

// Load reads the user's config.toml and synonyms.toml in home, both optional,
// and the settings in env, which is as os.Environ gives it.
func Load(home string, env []string) (Config, Synonyms, error) {
	configPath, synonymsPath := Paths(home)
	text, err := readOptional(configPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	list := newCatalog()
	c := Config{}
	changes, configErr := list.parse(configPath, text)
	if configErr == nil {
		c, configErr = list.override(changes, variables(env))
	}
	text, err = readOptional(synonymsPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	s, synonymsErr := ParseSynonyms(synonymsPath, text)
	return c, s, errors.Join(configErr, synonymsErr)
}
