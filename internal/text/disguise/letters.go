package disguise

// alike are letters of other alphabets, and of phonetic ones, that look like one of ours. They are
// in lower case, as the texts are; the norm knows those that are the same letter in another form.
var alike = map[rune]string{
	'a': "аαɑᴀ⍺ꭺ",
	'b': "ьвʙƅɓᏼᴃβ",
	'c': "сϲᴄꮯ",
	'd': "ԁɗᴅժ",
	'e': "еєҽεᴇ℮ꭼɛ",
	'f': "ꜰƒϝꞙք",
	'g': "ɡɢᶃԍց",
	'h': "һʜнհꮋ",
	'i': "іıɪιɩꙇ¡",
	'j': "јʝᴊϳ",
	'k': "кκᴋқ",
	'l': "ӏʟɭǀ",
	'm': "мᴍ",
	'n': "ոռɴηᴎп",
	'o': "оοօᴏσөø",
	'p': "рρᴘ",
	'q': "ԛգզ",
	'r': "гʀᴦɾ",
	's': "ѕꜱʂ",
	't': "тτᴛ",
	'u': "υսᴜцʋ",
	'v': "ѵνᴠ",
	'w': "ԝѡᴡωшɯ",
	'x': "хχ×",
	'y': "уүʏγ",
	'z': "ᴢʐʑ",
}

// lookalikes are the same by the letter of the other alphabet.
var lookalikes = func() map[rune]rune {
	out := map[rune]rune{}
	for as, letters := range alike {
		for _, r := range letters {
			out[r] = as
		}
	}
	return out
}()
