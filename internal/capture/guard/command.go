package guard

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// A command is one program that a call runs.
type command struct {
	words  []string // the program and its arguments, without quotation marks; unknown parts are the character unknown
	text   string   // as it is written, with its here-documents
	dir    string   // in which it runs, "" if that is not known
	writes []string // files that its output goes to
	tool   bool     // it is the tool itself
}

// unknown stands in a word for what only the shell knows when it runs.
const unknown = "\x00"

// name returns the program with its subcommand.
func (c command) name() string {
	name := programName(c.words[0])
	if subs := c.subcommands(); len(subs) > 0 && !c.tool && !strings.ContainsAny(subs[0], "/.\x00") {
		name += " " + subs[0]
	}
	return strings.ReplaceAll(name, unknown, "…")
}

// plainLine returns the command as one line in which nothing is quoted.
func (c command) plainLine() string {
	words := slices.Clone(c.words)
	words[0] = programName(words[0])
	for i, w := range words {
		words[i] = notPlain.Replace(w)
	}
	return strings.Join(words, " ")
}

var notPlain = strings.NewReplacer(" ", "_", "\n", "_", ";", "_", "&", "_", "|", "_", "(", "_", ")", "_", unknown, "_")

// programName returns the bare name of a program.
func programName(word string) string {
	word = path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		word = strings.TrimSuffix(word, ending)
	}
	if at := strings.LastIndexByte(word, '@'); at > 0 { // npx npm@latest
		word = word[:at]
	}
	if !strings.HasPrefix(word, "p") {
		return word
	}
	if bare := strings.TrimRight(word, "0123456789."); bare == "python" || bare == "pip" {
		return bare
	}
	return word
}

// sameProgram reports whether a word runs a program. A word with wildcards may.
func sameProgram(word, program string) bool {
	name, wanted := programName(word), programName(program)
	if strings.ContainsAny(name, "*?[") {
		fits, err := path.Match(name, wanted)
		return fits && err == nil && strings.Trim(name, "*?") != ""
	}
	return strings.EqualFold(name, wanted) || strings.Contains(program, "/") && word == program
}

// valueOptions are options before a subcommand that take the next word, by program.
var valueOptions = map[string]map[string]bool{
	"git":       prose.WordSet("-C -c --git-dir --work-tree --namespace --exec-path --config-env"),
	"npm":       prose.WordSet("--prefix -C --workspace -w --registry --loglevel --cache --userconfig"),
	"pnpm":      prose.WordSet("-C --dir --filter -F --store-dir"),
	"yarn":      prose.WordSet("--cwd --registry"),
	"docker":    prose.WordSet("-H --host -c --context --config -l --log-level -f --file -p --project-name --project-directory --env-file --profile"),
	"kubectl":   prose.WordSet("-n --namespace --context --kubeconfig --cluster --user -s --server"),
	"cargo":     prose.WordSet("--manifest-path -C --config"),
	"go":        prose.WordSet("-C"),
	"make":      prose.WordSet("-C -f -j --directory --file"),
	"gh":        prose.WordSet("-R --repo"),
	"helm":      prose.WordSet("-n --namespace --kube-context"),
	"terraform": prose.WordSet("-chdir"),
	"apt":       prose.WordSet("-o -t"),
	"systemctl": prose.WordSet("-H -M"),
}

// passedOver are words between a program and what it is to do: "yarn workspace web add", "cargo +nightly build".
func passedOver(program, word string) int {
	switch {
	case program == "yarn" && word == "workspace", program == "npm" && word == "workspace":
		return 2
	case program == "cargo" && strings.HasPrefix(word, "+"), program == "corepack":
		return 1
	}
	return 0
}

// subcommands returns what stands behind the program and the options before a subcommand, without options.
func (c command) subcommands() []string {
	program, words := programName(c.words[0]), c.words[1:]
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch skip := passedOver(program, w); {
		case w == "--", w == unknown: // it may be empty
		case strings.HasPrefix(w, "-"):
			if valueOptions[program][w] {
				i++
			}
		case skip > 0 && len(out) == 0:
			i += skip - 1
		default:
			out = append(out, w)
		}
	}
	if len(out) > 0 {
		if same := sameSubcommand[program][out[0]]; same != "" {
			out = append(strings.Fields(same), out[1:]...)
		}
	}
	return out
}

// sameSubcommand has other names of subcommands.
var sameSubcommand = map[string]map[string]string{
	"npm": {
		"i": "install", "in": "install", "ins": "install", "inst": "install", "isntall": "install", "add": "install", "un": "uninstall",
		"rm": "uninstall", "remove": "uninstall", "r": "uninstall", "t": "test", "tst": "test", "run-script": "run", "rum": "run", "x": "exec",
		"clean-install": "ci", "ic": "ci", "up": "update", "upgrade": "update", "start": "run start",
	},
	"pnpm":    {"i": "install", "rm": "remove", "un": "remove", "uninstall": "remove", "up": "update", "upgrade": "update"},
	"yarn":    {"run-script": "run"},
	"bun":     {"i": "install", "a": "add", "rm": "remove"},
	"brew":    {"up": "update", "rm": "uninstall", "remove": "uninstall"},
	"kubectl": {"del": "delete"},
}

// hasSubcommand reports whether a command has a subcommand, of one or more words.
func (c command) hasSubcommand(wanted string) bool {
	want, have := strings.Fields(wanted), c.subcommands()
	if len(want) > 0 {
		if same := sameSubcommand[programName(c.words[0])][want[0]]; same != "" {
			want = append(strings.Fields(same), want[1:]...)
		}
	}
	if len(have) == 0 && len(want) == 1 {
		return programName(c.words[0]) == "yarn" && want[0] == "install"
	}
	if isRun := len(have) > 1 && have[0] == "run"; isRun && slices.Contains([]string{"test", "stop", "restart"}, wanted) {
		have = have[1:] // npm run test is npm test
	}
	return len(want) > 0 && len(have) >= len(want) && slices.Equal(have[:len(want)], want)
}

// longFlags are long names of short options, by program.
var longFlags = map[string]map[string]string{
	"rm":  {"--recursive": "r", "--force": "f"},
	"git": {"--force": "f", "--all": "a", "--delete": "d", "--no-verify": "n"},
	"cp":  {"--recursive": "r", "--force": "f"},
}

// hasFlag reports whether a command has an option: a long one, if need be cut short, or all letters of a
// short one.
func (c command) hasFlag(wanted string) bool {
	if strings.HasPrefix(wanted, "--") || len(wanted) < 2 || wanted[0] != '-' {
		return slices.ContainsFunc(c.words[1:], func(w string) bool {
			name, _, _ := strings.Cut(w, "=")
			isShort := len(name) > 5 && strings.HasPrefix(name, "--") && strings.HasPrefix(wanted, name)
			return name == wanted || isShort
		})
	}
	if len(wanted) > 2 && slices.Contains(c.words[1:], wanted) { // "-auto-approve"
		return true
	}
	for _, letter := range wanted[1:] {
		if !c.hasLetter(string(letter)) {
			return false
		}
	}
	return true
}

func (c command) hasLetter(letter string) bool {
	program := programName(c.words[0])
	return slices.ContainsFunc(c.words[1:], func(w string) bool {
		switch {
		case strings.HasPrefix(w, "--"):
			return longFlags[program][w] == letter
		case !strings.HasPrefix(w, "-"):
			return false
		}
		isLarge := program == "rm" && letter == "r" // rm -R is rm -r
		return strings.Contains(w, letter) || isLarge && strings.Contains(w, "R")
	})
}

// Programs that change the files that they are given: all of them, or the last one.
var (
	changers = prose.WordSet(`rm mv tee touch truncate chmod chown chgrp ln rmdir mkdir shred patch dos2unix prettier gofmt goimports black isort
		rustfmt clang-format ed ex vi vim nano unlink sponge`)
	lastChangers = prose.WordSet("cp install rsync scp ln")
	editors      = prose.WordSet("sed perl ruby awk gawk") // with -i
	removers     = prose.WordSet("rm mv rmdir shred")
	gitChangers  = prose.WordSet("checkout restore rm mv clean apply")
)

// touched returns the files that a command changes.
func (c command) touched() []string {
	if c.tool {
		return nil
	}
	out := slices.Clone(c.writes)
	program, operands := programName(c.words[0]), c.operands()
	isLast := lastChangers[program] && len(operands) > 0
	switch {
	case changers[program], editors[program] && c.hasLetter("i"):
		out = append(out, operands...)
	case isLast:
		out = append(out, operands[len(operands)-1])
	case program == "git" && len(operands) > 0 && gitChangers[operands[0]]:
		out = append(out, operands[1:]...)
	case program == "dd":
		for _, o := range operands {
			if file, ok := strings.CutPrefix(o, "of="); ok {
				out = append(out, file)
			}
		}
	}
	return slices.DeleteFunc(out, func(w string) bool { return w == "" || strings.Contains(w, unknown) })
}

// operands returns the arguments that are no options.
func (c command) operands() []string {
	var out []string
	for _, w := range c.words[1:] {
		if !strings.HasPrefix(w, "-") {
			out = append(out, w)
		} else if _, value, ok := strings.Cut(w, "="); ok {
			out = append(out, value)
		}
	}
	return out
}
