package guard

import "testing"

// TestDraft reads sentences with what a rule of them says, "" for those that are refused.
func TestDraft(t *testing.T) {
	for sentence, want := range map[string]string{
		"never npm here": "calls of npm: ask",
		"Never use npm in this repo, always pnpm":    "calls of npm: ask",
		"use pnpm instead of npm":                    "calls of npm: ask",
		"use pnpm, never npm, in this repo":          "calls of npm: ask",
		"always use pnpm":                            "calls of npm, yarn or bun: ask",
		"avoid jest, use vitest":                     "calls of jest: ask",
		"don't use yarn or npm":                      "calls of yarn or npm: ask",
		"you should never use sudo":                  "calls of sudo: ask",
		"use pnpm not npm":                           "calls of npm: ask",
		"no sudo":                                    "calls of sudo: ask",
		"never push without asking":                  "calls of git push: ask",
		"ask me before you push":                     "calls of git push: ask",
		"Don’t push to main or master!":              "calls of git push on main or master: ask",
		"never force push":                           "calls of git push with --force, -f or --force-with-lease: ask",
		"don't amend commits":                        "calls of git commit with --amend: ask",
		"never skip the pre-commit hooks":            "calls of git with --no-verify: ask",
		"never git add .":                            "calls of git add on .: ask",
		"never commit .env":                          "calls of git add or commit on .env: ask",
		"never run `rm -rf`":                         "calls of rm with -rf: ask",
		"never use docker compose down -v":           "calls of docker compose down with -v: ask",
		"never start `npm run dev`, I run it myself": "calls of npm run dev: ask",
		"never edit files in src/generated/**":       "changes to src/generated/**: ask",
		"hands off vendor/":                          "changes to vendor/: ask",
		"never touch the legacy folder":              "changes to legacy/**: ask",
		"never delete files in docs/":                "calls of rm, rmdir, unlink or shred on docs/: ask",
		"never add Co-Authored-By lines to commits":  "calls of git commit with text that matches (?i)\\bCo-Authored-By\\b: ask",
		"never add \"TODO\" comments to src/":        `changes to src/ with text that matches \bTODO\b: ask`,
		"never leave `console.log(` in src/**":       `changes to src/** with text that matches \bconsole\.log\(: ask`,
		"never deploy without asking":                "commands that deploy: ask",
		"never install new dependencies":             "commands that add dependencies: ask",
		"never use WebFetch":                         "calls of WebFetch: ask",
		"The lockfile breaks. Never use npm.":        "calls of npm: ask",

		"":                                       "",
		"be concise":                             "",
		"use pnpm":                               "",
		"never mind npm":                         "",
		"don't forget to run npm":                "",
		"should we never use npm?":               "",
		"don't deploy on fridays":                "",
		"never commit before the tests pass":     "",
		"never use npm except in web/":           "",
		"only push on main":                      "",
		"don't run npm, and never use yarn":      "",
		"Never use npm. Never use yarn.":         "",
		"never run npm install, the build fails": "",
		"never use python directly":              "",
		"never run psql against production":      "",
		"never run killall node":                 "",
		"never merge to main":                    "",
		"never create *.md files":                "",
		"never touch the database":               "",
		"never refactor unrelated code":          "",
		"they never use npm at my old company":   "",
		"don't open .env files":                  "",
		"never use WebSearch":                    "",
		"never use yarn classic":                 "",
		"don't add emojis to commit messages":    "",
		"never use `git commit` with emojis":     "",
		"never `npm` \x1b[31m":                   "",
	} {
		rule, err := Draft(sentence)
		got := ""
		if err == nil {
			got = Describe(rule)
		}
		if got != want {
			t.Errorf("Draft(%q) = %q (%v), want %q", sentence, got, err, want)
		}
	}
}
