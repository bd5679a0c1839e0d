package config

// Fixed returns settings that never change, because no file is read for them.
func Fixed(s Settings) *Live {
	return &Live{merged: s.Config, synonyms: watched[*Synonyms]{value: s.Synonyms, err: s.Err}}
}
