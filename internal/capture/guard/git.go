package guard

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// gitVerbs are subcommands of git that people name without it.
var gitVerbs = map[string]string{
	"commit": "commit", "commits": "commit", "committing": "commit", "commiting": "commit", "push": "push", "pushing": "push", "rebase": "rebase", "rebasing": "rebase",
	"amend": "commit", "amending": "commit", "stash": "stash", "cherry-pick": "cherry-pick", "force-push": "push", "force-pushing": "push", "squash": "rebase", "merge": "merge", "merging": "merge",
}

// gitVerb reads "commit", "push to main", "force push", "amend commits".
func (p *parser) gitVerb() (memory.GuardRule, bool) {
	_, hasForce := p.take(0, func(t token) bool { return t.low == "force" })
	p.take(0, isOneOf(gitLead))
	_, isGit := p.take(0, isOneOf(prose.WordSet("git")))
	i, ok := p.take(0, func(t token) bool {
		isSubcommand := gitVerbs[t.low] != "" || isGit && plainSubcommands[t.low]
		return !t.quoted && isSubcommand
	})
	if !ok || p.hasBefore(i) {
		return memory.GuardRule{}, false
	}
	verb := p.words[i].low
	sub := cmp.Or(gitVerbs[verb], verb)
	rule := memory.GuardRule{Programs: []string{"git"}, Subcommands: []string{sub}}
	if strings.HasPrefix(verb, "amend") {
		rule.Flags = []string{"--amend"}
	}
	if hasForce || strings.HasPrefix(verb, "force") {
		rule.Flags = []string{"--force", "-f", "--force-with-lease"}
	}
	p.take(i+1, func(t token) bool { return gitVerbs[t.low] == sub && !t.quoted })
	p.addFlags(&rule)
	p.addBranch(&rule)
	p.take(0, isOneOf(remotes))
	if len(rule.Paths) == 0 && p.addFiles(&rule, i+1) && sub == "commit" {
		rule.Subcommands = []string{"add", "commit"}
	}
	return rule, true
}

// addFiles takes the files that something is not to be done with, and reports whether there are any.
func (p *parser) addFiles(rule *memory.GuardRule, from int) bool {
	for {
		i, ok := p.take(from, func(t token) bool { return isPath(t.text) || t.text == "." })
		if !ok {
			return len(rule.Paths) > 0
		}
		rule.Paths = append(rule.Paths, p.words[i].text)
	}
}

// skippedHooks reads "--no-verify" alone, and "skip the pre-commit hooks".
func (p *parser) skippedHooks() (memory.GuardRule, bool) {
	rule := memory.GuardRule{Programs: []string{"git"}, Flags: []string{"--no-verify"}}
	if i, ok := p.take(0, func(t token) bool { return t.low == "--no-verify" }); ok {
		p.take(0, isOneOf(runVerbs))
		return rule, !p.hasBefore(i)
	}
	_, skips := p.take(0, isOneOf(skipVerbs))
	_, hooks := p.take(0, isOneOf(hookNouns))
	p.take(0, isOneOf(hookNames))
	return rule, skips && hooks
}

// Words around a subcommand of git.
var (
	gitLead   = prose.WordSet("run use")
	remotes   = prose.WordSet("upstream remotely remote github origin directly")
	skipVerbs = prose.WordSet("skip skipping bypass bypassing")
	hookNouns = prose.WordSet("hook hooks")
	hookNames = prose.WordSet("git commit pre-commit precommit pre-push")
	toBranch  = prose.WordSet("to on into onto the or against")
	branches  = prose.WordSet("main master develop development dev production prod staging release trunk stable")
)

// hasBefore reports whether a word that means something stands before the one at i.
func (p *parser) hasBefore(i int) bool {
	return slices.ContainsFunc(p.words[:i], func(t token) bool {
		means := t.quoted || !fillers[t.low]
		return means && !gitLead[t.low] && t.low != "git" && t.low != "force"
	})
}

// addFlags takes options that are named: "with --no-verify".
func (p *parser) addFlags(rule *memory.GuardRule) {
	for {
		i, ok := p.take(0, func(t token) bool {
			return strings.HasPrefix(t.text, "-") && len(t.text) > 1 && !strings.Contains(t.text, " ")
		})
		if !ok {
			return
		}
		rule.Flags = append(rule.Flags, p.words[i].text)
	}
}

// addBranch takes a branch that something is done to: "to main", "to the develop branch".
func (p *parser) addBranch(rule *memory.GuardRule) {
	for i := 1; i < len(p.words); i++ {
		w := p.words[i]
		isBranch := w.quoted || branches[w.low] || p.isBeforeBranch(i)
		if p.used[i] || !isBranch || !toBranch[p.words[i-1].low] {
			continue
		}
		p.used[i] = true
		rule.Paths = append(rule.Paths, w.text)
	}
	p.take(0, isOneOf(prose.WordSet("branch branches")))
	if len(rule.Paths) > 0 && slices.ContainsFunc(rule.Subcommands, func(s string) bool { return s == "commit" || s == "merge" || s == "rebase" }) {
		p.why = "which branch is checked out is not in the call"
	}
}

// isBeforeBranch reports whether the word at i is a name in front of "branch".
func (p *parser) isBeforeBranch(i int) bool {
	return i+1 < len(p.words) && p.words[i+1].low == "branch" && !fillers[p.words[i].low]
}
