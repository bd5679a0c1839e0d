// Package layout finds settings in the text of a TOML file and changes one of them without touching the
// rest. A key is dotted: "capture.keep.age" is the setting "age" of the table "capture.keep".
package layout

import "strings"

// SetLine sets one key in the text of a config.toml. If the key is missing, it adds it to its table, else
// to the table above, else at the end.
func SetLine(text, key, value string) string {
	at := outlineOf(text)
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if v, ok := at.values[strings.ToLower(key)]; ok {
		return text[:v.from] + value + text[v.to:]
	}
	name, said := Name(key), value
	for table := Table(key); table != ""; name, table = Join(Name(table), name), Table(table) {
		lower := strings.ToLower(table)
		said = name + " = " + value
		if inner := Table(name); inner != "" && !at.dotted(lower+"."+strings.ToLower(inner)) {
			said = inner + " = { " + Name(name) + " = " + value + " }"
		}
		if v, ok := at.values[lower]; ok {
			return text[:v.from] + addToBraces(text[v.from:v.to], said) + text[v.to:]
		}
		if end, ok := at.tables[lower]; ok {
			return text[:end] + newline + said + text[end:]
		}
		if start, ok := at.first(lower); ok {
			return text[:start] + key + " = " + value + newline + text[start:]
		}
	}
	if text = strings.TrimRight(text, "\r\n"); text != "" {
		text += newline + newline
	}
	return text + "[" + key[:strings.IndexByte(key, '.')] + "]" + newline + said + newline
}

// addToBraces adds a setting to an inline table.
func addToBraces(table, said string) string {
	open := strings.TrimRight(strings.TrimSuffix(table, "}"), " \t")
	if open != "{" {
		open += ","
	}
	return open + " " + said + " }"
}
