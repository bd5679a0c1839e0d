package config

// Fixed returns settings that stay as they are, whatever files there are.
func Fixed(s Settings) *Live {
	return &Live{
		config:   file[Config]{value: s.Config, err: s.Err},
		synonyms: file[*Synonyms]{value: s.Synonyms},
		merged:   s.Config,
	}
}
