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
	c, configErr := load(configPath, text, variables(env))
	text, err = readOptional(synonymsPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	s, synonymsErr := ParseSynonyms(synonymsPath, text)
	return c, s, errors.Join(configErr, synonymsErr)
}

// load lays variables over the text of a config.toml. Over one with mistakes
// they cannot be laid, but their names are checked all the same.
func load(path, text string, vars map[string]string) (Config, error) {
	list := newCatalog()
	changes, err := list.parse(path, text)
	if err != nil {
		_, problems := list.fromVariables(vars)
		return Config{}, errors.Join(append([]error{err}, problems...)...)
	}
	return list.override(changes, vars)
}
