// Package activity tells what kind of work a prompt asks for, a tool call does, or a standing
// wish is about: "commit", "test", "deploy". A wish about an activity is relevant to every
// prompt and call of that activity, whatever other words they share.
//
// An activity is a word. Which words, commands and files mean which is data: the tables in
// rules/. A prompt must ask for an activity; that it mentions one is not
// enough. A wish is about all that it mentions, unless it says when it holds ("before you
// commit, …").
package activity

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"

	"recollect/internal/text/rule"
)

var (
	//go:embed rules/activities.toml
	wordText string
	//go:embed rules/calls.toml
	callText string
)

var (
	rules = rule.Read[wordTables](wordText)
	calls = rule.Read[callTables](callText)
)

type wordTables struct {
	rule.Header
	Lead     *rule.Rule `toml:"lead"`
	Question *rule.Rule `toml:"question"`
	Mention  *rule.Rule `toml:"mention"`
	Typed    *rule.Rule `toml:"typed"`
	Divider  rule.Set   `toml:"divider"`
	Idiom    rule.Set   `toml:"idiom"`
	Moment   rule.Set   `toml:"moment"`
	Asked    []*sign    `toml:"asked" rule:"each"`
	About    []*sign    `toml:"about" rule:"each"`
}

type callTables struct {
	rule.Header
	Starter   *rule.Rule `toml:"starter"`
	Computed  *rule.Rule `toml:"computed"`
	Command   []*sign    `toml:"command" rule:"each"`
	File      []*sign    `toml:"file" rule:"each"`
	Operand   *rule.Rule `toml:"operand"`
	FixedLine *rule.Rule `toml:"fixed-line"`
	Quoted    *rule.Rule `toml:"quoted"`
	Compiler  *rule.Rule `toml:"compiler"`
}

// A sign is a pattern that means activities.
type sign struct {
	rule.Rule
	Activities []string
}

// signs are those of a table, of which each counts that takes a text.
type signs struct {
	all    []*sign
	trials *rule.Trials
}

func signsOf(table []*sign) signs {
	rules := make([]*rule.Rule, len(table))
	for i, s := range table {
		rules[i] = &s.Rule
	}
	return signs{table, rule.NewTrials(rules)}
}

var (
	askedSigns = sync.OnceValue(func() signs { return signsOf(rules().Asked) })
	aboutSigns = sync.OnceValue(func() signs { return signsOf(rules().About) })
	callSigns  = sync.OnceValue(func() signs { return signsOf(calls().Command) })
	fileSigns  = sync.OnceValue(func() signs { return signsOf(calls().File) })
)

// meaningOf returns the activities of the signs that take a text, each once.
func (s signs) meaningOf(text string) []string {
	var out []string
	for i := range s.trials.Of(text) {
		if s.all[i].MatchString(text) {
			out = join(out, s.all[i].Activities)
		}
	}
	return out
}

// join adds to list what it lacks.
func join(list, more []string) []string {
	for _, a := range more {
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// Shared returns the first activity that stands in both lists, or "".
func Shared(a, b []string) string {
	for _, one := range a {
		if slices.Contains(b, one) {
			return one
		}
	}
	return ""
}

// Version changes with the rules, for those who store what they derived.
func Version() string {
	h := fnv.New32a()
	h.Write([]byte(wordText + callText))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}
