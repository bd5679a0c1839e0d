package prose

import (
	"slices"
	"strings"
	"unicode"
)

// PlainWords returns the words of a sentence without what is only polite.
func PlainWords(bare string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(bare, "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'-_./#+@", r)
	}) {
		word = strings.Trim(word, "'-./")
		switch word {
		case "", "please", "pls", "kindly", "just", "bitte", "claude":
		case "don't", "dont":
			out = append(out, "do", "not")
		default:
			out = append(out, word)
		}
	}
	return out
}

// SortedSet sorts a list in place and returns it with each word once.
func SortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// silentWords say nothing about the subject of a claim.
var silentWords = WordSet(`a an the and or of to we i you us our my your it is are be should must shall will would like want wants always never don't dont do not ever no more stop avoid instead please let's lets
	decided decide agreed chosen chose opted against use uses using go going with for stick switch switching move migrate adopt settle prefer prefers rather only just that remember told said now everything all any
	database db indentation indent language package manager runner framework library tool backend ne pas bitte immer nie niemals verwende benutze nutze nimm toujours jamais siempre nunca usa utiliza
	answers answer reply respond responses replies speak talk antworte réponds responde contesta write writing adding add make making create creating`)

// SubjectWords returns the words of s that say something about its subject,
// plurals as singulars.
func SubjectWords(s string) []string {
	var out []string
	for _, word := range PlainWords(s) {
		if !silentWords[word] {
			out = append(out, toSingular(word))
		}
	}
	return out
}

func toSingular(word string) string {
	if alias := aliases[word]; alias != "" {
		return alias
	}
	isPlural := strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
	if isPlural && len(word) > 3 && FamilyOf(word) < 0 {
		return word[:len(word)-1]
	}
	return word
}

// aliases are other names of what one chooses between.
var aliases = map[string]string{
	"postgresql": "postgres", "psql": "postgres", "mongo": "mongodb", "deutsch": "german", "englisch": "english", "französisch": "french", "spanisch": "spanish",
	"sqlite3": "sqlite", "js": "javascript", "ts": "typescript", "golang": "go-language", "camel-case": "camelcase", "snake-case": "snake_case", "tab": "tabs", "space": "spaces",
}

// families are what one chooses one of.
var families = [...]map[string]bool{
	WordSet("tabs spaces"),
	WordSet("german english french spanish italian portuguese dutch polish russian chinese japanese korean turkish swedish"),
	WordSet("npm pnpm yarn bun"),
	WordSet("pip poetry uv pipenv conda"),
	WordSet("postgres mysql sqlite mariadb mongodb duckdb oracle cockroachdb"),
	WordSet("jest vitest mocha jasmine ava"),
	WordSet("pytest unittest nose"),
	WordSet("webpack vite rollup esbuild parcel turbopack"),
	WordSet("docker podman"),
	WordSet("react vue svelte angular solidjs"),
	WordSet("snake_case camelcase kebab-case pascalcase"),
	WordSet("redis memcached valkey"),
	WordSet("kafka rabbitmq nats sqs"),
	WordSet("aws gcp azure hetzner"),
	WordSet("prettier biome"),
	WordSet("black ruff yapf autopep8"),
	WordSet("rebase squash"),
	WordSet("rest graphql grpc"),
	WordSet("zustand redux mobx"),
	WordSet("playwright cypress selenium puppeteer"),
}

// FamilyOf returns the number of the family of things, of which one chooses one,
// that a word belongs to, and -1 if it belongs to none.
func FamilyOf(word string) int {
	return slices.IndexFunc(families[:], func(f map[string]bool) bool { return f[word] })
}
