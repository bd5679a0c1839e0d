package terms

import "testing"

// What few memories have is rare only if developers seldom write it elsewhere.
func TestRarity(t *testing.T) {
	const docs = 20
	rarityOf := func(word string, found int) float64 { return rarityOf(found, docs, usualShare(word)) }
	for _, tt := range []struct {
		name         string
		rare, common float64
	}{
		{"a usual word", rarityOf("hikaricp", 1), rarityOf("file", 1)},
		{"in capitals, too", rarityOf("hikaricp", 1), rarityOf("File", 1)},
		{"one that most memories have", rarityOf("hikaricp", 1), rarityOf("hikaricp", 15)},
		{"an unknown one is as rare as can be", rarityOf("xyzzyplugh", 0), rarityOf("error", 0)},
	} {
		if tt.rare <= 1.2*tt.common {
			t.Errorf("%s: %.2f, the rare one %.2f", tt.name, tt.common, tt.rare)
		}
	}
	if usual := rarityOf("error", 5000); usual <= 0 {
		t.Errorf("a word that more memories have than there are has the rarity %v", usual)
	}
}
