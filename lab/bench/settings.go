package bench

import (
	"fmt"
	"strconv"
	"strings"

	"recollect/internal/config"
)

// Settings returns the shipped settings with changes applied. A change is "key=value" with a dotted key
// of config.toml; a value that is not a number, boolean or list may be unquoted. The later of two changes
// to a setting wins.
func Settings(changes []string) (config.Settings, error) {
	values, keys := map[string]string{}, []string{}
	for _, change := range changes {
		key, value, ok := strings.Cut(change, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || value == "" {
			return config.Settings{}, fmt.Errorf("setting %q: must be key=value", change)
		}
		if _, again := values[key]; !again {
			keys = append(keys, key)
		}
		values[key] = literal(value)
	}
	var text strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&text, "%s = %s\n", key, values[key])
	}
	c, err := config.Parse("--set", text.String())
	if err != nil {
		return config.Settings{}, err
	}
	synonyms, err := config.ParseSynonyms("", "")
	return config.Settings{Config: c, Synonyms: &synonyms}, err
}

// literal returns a value in TOML's syntax, quoted if it is a bare word.
func literal(value string) string {
	_, err := strconv.ParseFloat(value, 64)
	if err == nil || value == "true" || value == "false" || strings.ContainsAny(value[:1], `"'[{`) {
		return value
	}
	return strconv.Quote(value)
}
