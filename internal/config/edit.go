package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"recollect/internal/config/layout"
)

// Edit sets some settings, by their keys, in the text of a config.toml. The rest of the text, including
// its comments, remains. It returns an error if the text has mistakes, if a key is not a setting, or if a
// value breaks a rule.
func Edit(file, text string, values map[string]any) (string, error) {
	if rest, ok := strings.CutPrefix(text, byteOrderMark); ok {
		edited, err := Edit(file, rest, values)
		return byteOrderMark + edited, err
	}
	list := newCatalog()
	changes, err := list.parse(file, text)
	if err != nil {
		return "", err
	}
	is, _ := list.resolve(changes)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		number, ok := list.names[strings.ToLower(key)]
		if !ok {
			return "", Problem{File: file, Key: key, Rule: "is not a setting" + meant(key, list.spelled)}
		}
		changes = append(changes, change{number, values[key], Problem{File: file, Key: key}})
	}
	wanted, err := list.check(func(key string) Problem { return Problem{File: file, Key: key} }, changes)
	if err != nil {
		return "", err
	}
	edited := text
	for _, s := range slices.Backward(list.settings) { // backward, because each is added at the beginning of its table
		value, ok := values[s.key]
		if n, isWhole := value.(int64); ok && isWhole && s.of(&wanted).Kind() == reflect.Float64 {
			value = float64(n)
		}
		if ok && !reflect.DeepEqual(s.of(&is).Interface(), s.of(&wanted).Interface()) {
			edited = layout.SetLine(edited, s.key, literal(value))
		}
	}
	if got, err := Parse(file, edited); err != nil || !reflect.DeepEqual(got, wanted) {
		return "", fmt.Errorf("%s: it is written in a form that cannot be edited here: change it by hand", file)
	}
	return edited, nil
}

// byteOrderMark is what some editors on Windows write at the beginning of a file.
const byteOrderMark = "\ufeff"

// EditEmbedder is Edit for the settings of the embedder.
func EditEmbedder(file, text string, want Embedder) (string, error) {
	return editTable(file, text, "embedder", Config{Embedder: want})
}

// EditReader is Edit for the settings of the reader.
func EditReader(file, text string, want Reader) (string, error) {
	return editTable(file, text, "reader", Config{Reader: want})
}

// editTable is Edit for all settings of a table.
func editTable(file, text, table string, want Config) (string, error) {
	values := map[string]any{}
	for _, s := range settings() {
		if layout.Table(s.key) != table {
			continue
		}
		switch value := s.of(&want).Interface().(type) {
		case Duration:
			values[s.key] = time.Duration(value).String()
		default:
			values[s.key] = value
		}
	}
	return Edit(file, text, values)
}
