package guard

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// run adds a command, and what it runs in turn.
func (r *reader) run(c command) {
	if len(c.words) == 0 || len(r.out) >= maxCommands {
		return
	}
	c.text = c.text[:min(len(c.text), maxLine)]
	r.emit(c)
	program := programName(c.words[0])
	if same := alsoCalled[program]; same != nil {
		alias := c
		alias.words = append(slices.Clone(same), c.words[1:]...)
		r.emit(alias)
	}
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch {
	case program == "cd" || program == "pushd":
		r.changeFolder(c)
	case shells[program]:
		r.runShell(c)
	case program == "eval":
		r.readText(strings.Join(c.words[1:], " "))
	case program == "set" && slices.Contains(c.words, "--"):
		r.setArguments(c.words[slices.Index(c.words, "--"):])
	case program == "trap" && len(c.words) > 1:
		r.readText(c.words[1])
	case program == "awk" || program == "gawk" || program == "expect":
		r.readCode(strings.Join(c.words[1:], "\n"), program)
	case program == "." || program == "source":
		r.runFile(c.words[1:])
	case interpreters[program] != "":
		r.runInterpreter(c, program)
	case program == "find" || program == "fd":
		r.runFound(c)
	case program == "git":
		r.runGit(c)
	default:
		r.runFile(c.words[:1])
		r.runWrapped(c, program)
	}
}

// alsoCalled has programs that are short for others with a subcommand.
var alsoCalled = map[string][]string{
	"npx": {"npm", "exec"}, "pnpx": {"pnpm", "dlx"}, "pnx": {"pnpm", "dlx"}, "bunx": {"bun", "x"}, "uvx": {"uv", "tool", "run"},
	"docker-compose": {"docker", "compose"}, "gmake": {"make"}, "yarnpkg": {"yarn"}, "apt-get": {"apt"}, "nodejs": {"node"},
	"npm-cli.js": {"npm"}, "npx-cli.js": {"npm", "exec"}, "pnpm.cjs": {"pnpm"}, "yarn.js": {"yarn"}, "ipython": {"python"}, "opentofu": {"tofu"},
}

func (r *reader) changeFolder(c command) {
	operands := c.operands()
	switch {
	case len(operands) == 0 || strings.Contains(operands[0], unknown) || operands[0] == "-":
		r.dir = ""
	case strings.HasPrefix(operands[0], "/") || strings.HasPrefix(operands[0], "~"):
		r.dir = operands[0]
	case r.dir != "":
		r.dir = path.Join(r.dir, operands[0])
	}
}

var shells = prose.WordSet("sh bash zsh dash ksh ash fish mksh rbash pwsh powershell")

// runShell reads what a shell is given by -c, or the file that it runs.
func (r *reader) runShell(c command) {
	for i, w := range c.words[1:] {
		isText := textOption.MatchString(w)
		switch {
		case isText && i+2 < len(c.words):
			r.setArguments(c.words[i+3:])
			r.readText(c.words[i+2])
			return
		case strings.HasPrefix(w, "-") && strings.HasSuffix(w, "o") || strings.HasPrefix(w, "+"):
		case !strings.HasPrefix(w, "-") && !strings.HasSuffix(c.words[i], "o"): // "-o pipefail"
			r.runFile(c.words[i+1:])
			return
		}
	}
}

// textOption matches the option of a shell behind which a text stands: -c, -lc, -Command.
var textOption = regexp.MustCompile(`(?i)^-(?:[a-z]*c|command)$`)

// setArguments sets $0, $1 and $@ for a text that a shell runs.
func (r *reader) setArguments(words []string) {
	for i, w := range words {
		r.vars[strconv.Itoa(i)] = w
	}
	if len(words) > 1 {
		r.vars["@"] = strings.Join(words[1:], " ")
		r.vars["*"] = r.vars["@"]
	}
}

// runFile reads a script that the line itself has written.
func (r *reader) runFile(words []string) {
	if len(words) == 0 {
		return
	}
	if text, ok := r.files[path.Base(words[0])]; ok {
		r.readText(text)
	}
}

// feed reads what a command gets as its input, if it runs that.
func (r *reader) feed(c command, input string) {
	last := r.innermost(c)
	program := programName(last[0])
	hasOperand := len(command{words: last}.operands()) > 0
	switch {
	case shells[program] && !hasOperand, textReaders[program]:
		r.readText(input)
	case interpreters[program] != "" && (!hasOperand || slices.Contains(last, "-")):
		r.readCode(input, program)
	case program == "xargs" || program == "parallel":
		r.runAppended(c, last, input)
	}
}

// textReaders run the text that they get as their input, and inputReaders do something with it.
var (
	textReaders  = prose.WordSet("ssh at batch")
	inputReaders = prose.WordSet("ssh xargs parallel")
)

// innermost returns the words behind sudo and the like.
func (r *reader) innermost(c command) []string {
	words := c.words
	for range maxDepth {
		program := programName(words[0])
		if inputReaders[program] || shells[program] {
			return words
		}
		rest := wrappedBy(words, program)
		if len(rest) == 0 {
			return words
		}
		words = rest
	}
	return words
}

// runAppended runs what xargs makes of its input.
func (r *reader) runAppended(c command, words []string, input string) {
	rest := wrappedBy(words, programName(words[0]))
	if len(rest) == 0 {
		r.readText(input) // xargs alone prints, parallel runs each line
		return
	}
	mark := ""
	for i, w := range words {
		if w == "-I" && i+1 < len(words) {
			mark = words[i+1]
		} else if m, ok := strings.CutPrefix(w, "-I"); ok && m != "" {
			mark = m
		}
	}
	var made []string
	for _, w := range rest {
		if mark != "" {
			w = memory.Clip(strings.ReplaceAll(w, mark, memory.Clip(strings.TrimSpace(input), maxFilled)), maxLine)
		}
		made = append(made, w)
	}
	if mark == "" {
		made = append(made, strings.Fields(input)...)
	}
	if strings.ContainsAny(made[0], " \n") {
		made = append(strings.Fields(made[0]), made[1:]...)
	}
	c.words = made
	r.run(c)
}

// maxFilled is the most that is filled in for each "{}", in bytes.
const maxFilled = 500

// A wrapper is a program that runs the command among its arguments.
type wrapper struct {
	values string // options that take the next word
	after  string // the subcommands behind which the command stands, "" for none
	pass   string // words that may stand before them
	skip   int    // arguments before the command
	text   string // options whose value is a command line
	dashes bool   // the command stands behind "--"
}

var wrappers = map[string]wrapper{
	"sudo":  {values: "-u -g -h -p -C -T -U -D -R -r -t --user --group --chdir --host --prompt"},
	"doas":  {values: "-u -C"},
	"env":   {values: "-u -C --unset --chdir", text: "-S --split-string"},
	"nohup": {}, "setsid": {}, "builtin": {}, "command": {}, "unbuffer": {}, "winpty": {}, "cross-env": {}, "busybox": {}, "rtk": {}, "noglob": {},
	"time": {values: "-f -o"}, "exec": {values: "-a"}, "nice": {values: "-n"}, "ionice": {values: "-c -n -p"}, "stdbuf": {values: "-i -o -e"},
	"timeout": {values: "-s -k --signal --kill-after", skip: 1}, "gtimeout": {values: "-s -k", skip: 1}, "chrt": {skip: 1}, "taskset": {skip: 1},
	"xargs":    {values: "-I -n -P -L -d -a -E -s --max-args --max-procs --delimiter --arg-file"},
	"parallel": {values: "-j --jobs -a"},
	"watch":    {values: "-n --interval"}, "strace": {values: "-o -e -p"}, "ltrace": {values: "-o -e"}, "caffeinate": {values: "-t -w"},
	"flock": {values: "-w -E", skip: 1, text: "-c"}, "chroot": {skip: 1}, "gosu": {skip: 1}, "su-exec": {skip: 1}, "faketime": {skip: 1},
	"su": {values: "-s --shell", text: "-c --command", skip: 1}, "runuser": {values: "-u", text: "-c"}, "script": {text: "-c --command", skip: 99},
	"tini": {}, "dumb-init": {}, "firejail": {}, "proxychains": {}, "proxychains4": {}, "torsocks": {}, "xvfb-run": {values: "-s -n -e"},
	"systemd-run": {values: "-p -u --unit --property"}, "entr": {}, "nodemon": {text: "-x --exec", skip: 99}, "concurrently": {}, "start": {},
	"direnv": {after: "exec", skip: 1}, "dotenv": {values: "-e -f", pass: "run"}, "dotenvx": {after: "run", values: "-f -e"}, "op": {after: "run", values: "--env-file"},
	"doppler": {after: "run", values: "-p -c"}, "aws-vault": {after: "exec", skip: 1}, "chamber": {after: "exec", skip: 1}, "infisical": {after: "run"},
	"nix-shell": {values: "-p -A", text: "--run --command", skip: 99}, "nix": {after: "develop shell run"},
	"docker": {
		after: "run exec", pass: "container compose", skip: 1,
		values: "-e -v -p -w -u -m -l -f --env --volume --workdir --user --name --network --mount --env-file --publish --platform --file --label",
	},
	"podman":  {after: "run exec", skip: 1, values: "-e -v -p -w -u --env --volume --workdir --user --name --network --mount"},
	"kubectl": {after: "exec", skip: 1, values: "-c -n --container --namespace"}, "heroku": {after: "run", values: "-a --app"},
	"ssh": {skip: 1, values: "-i -p -l -o -F -J -L -R -D"}, "vagrant": {after: "ssh", text: "-c --command", skip: 99},
	"npx": {values: "-p --package", text: "-c --call"}, "bunx": {}, "pnpx": {}, "uvx": {values: "--from --with --python"}, "pipx": {after: "run", values: "--spec"},
	"npm": {after: "exec x", values: "-p --package", text: "-c --call"}, "pnpm": {after: "exec dlx", values: "-C --filter -F"}, "yarn": {after: "exec dlx"},
	"bun": {after: "x"}, "uv": {after: "run", values: "--with --python -p --directory --project --extra --group"}, "poetry": {after: "run", values: "-C -P"},
	"pipenv": {after: "run"}, "pdm": {after: "run", values: "-p"}, "hatch": {after: "run"}, "rye": {after: "run"}, "pixi": {after: "run"}, "bundle": {after: "exec"},
	"corepack": {}, "volta": {after: "run", values: "--node --npm"}, "mise": {after: "exec x", dashes: true}, "asdf": {after: "exec"}, "fnm": {after: "exec", values: "--using"},
	"nvm": {after: "exec", skip: 1}, "conda": {after: "run", values: "-n -p --name --prefix"}, "mamba": {after: "run", values: "-n -p"},
	"micromamba": {after: "run", values: "-n -p"}, "tmux": {after: "new-session new send-keys split-window", values: "-s -t -n -c"}, "screen": {values: "-S"},
	"cmd": {}, "arch": {}, "setarch": {skip: 1}, "bwrap": {}, "unshare": {}, "nsenter": {}, "lima": {}, "wsl": {values: "-d -u"},
}

// runWrapped runs what a wrapper wraps.
func (r *reader) runWrapped(c command, program string) {
	w, ok := wrappers[program]
	if !ok {
		return
	}
	texts := prose.WordSet(w.text)
	for i, word := range c.words[1:] {
		name, value, joined := strings.Cut(word, "=")
		switch {
		case joined && texts[name]:
			r.readText(value)
		case texts[word] && i+2 < len(c.words):
			r.readText(strings.Join(append([]string{c.words[i+2]}, restOf(program, c.words[i+3:])...), " "))
		}
	}
	rest := wrappedBy(c.words, program)
	if len(rest) == 0 {
		return
	}
	if program == "command" && strings.HasPrefix(strings.Join(c.words[1:2], ""), "-v") {
		return // it only asks where the program is
	}
	isText := program == "ssh" || program == "tmux" || strings.ContainsAny(rest[0], " ;|&")
	if isText {
		if program == "concurrently" {
			r.readText(strings.Join(rest, "\n"))
			return
		}
		r.readText(strings.Join(rest, " "))
		return
	}
	c.words = rest
	r.run(c)
}

// restOf returns the arguments that "env -S" appends to its text.
func restOf(program string, words []string) []string {
	if program == "env" {
		return words
	}
	return nil
}

// wrappedBy returns the words of the command that a wrapper runs, nil for none.
func wrappedBy(words []string, program string) []string {
	w, ok := wrappers[program]
	if !ok {
		return nil
	}
	values, after, pass := prose.WordSet(w.values+" "+w.text), prose.WordSet(w.after), prose.WordSet(w.pass)
	rest := pastOptions(words[1:], values)
	for len(rest) > 0 && pass[rest[0]] {
		rest = pastOptions(rest[1:], values)
	}
	if w.after != "" {
		if len(rest) == 0 || !after[rest[0]] {
			return nil
		}
		if end := slices.Index(rest, "--"); end >= 0 && w.dashes {
			return rest[end+1:]
		}
		rest = pastOptions(rest[1:], values)
	}
	for range w.skip {
		if len(rest) == 0 {
			return nil
		}
		rest = pastOptions(rest[1:], values)
	}
	return rest
}

// pastOptions returns words behind options and variables.
func pastOptions(words []string, values map[string]bool) []string {
	for len(words) > 0 {
		name, _, sets := strings.Cut(words[0], "=")
		switch {
		case words[0] == "--":
			return words[1:]
		case values[words[0]] && len(words) > 1:
			words = words[2:]
		case strings.HasPrefix(words[0], "-"), strings.EqualFold(words[0], "/c"), sets && isVariable(name):
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

func isVariable(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// runFound runs what find runs for each file.
func (r *reader) runFound(c command) {
	for i, w := range c.words {
		if !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec"}, w) {
			if w == "-delete" && len(c.words) > 1 {
				c.words = append([]string{"rm"}, c.words[1:]...)
				r.emit(c)
				return
			}
			continue
		}
		rest := c.words[i+1:]
		if end := slices.IndexFunc(rest, func(w string) bool { return w == ";" || w == "+" }); end >= 0 {
			rest = rest[:end]
		}
		files := command{words: c.words[:i+1]}.operands()
		c.words = slices.Clone(rest)
		if len(files) > 0 {
			for j, word := range c.words {
				c.words[j] = memory.Clip(strings.ReplaceAll(word, "{}", memory.Clip(files[0], maxFilled)), maxLine)
			}
		}
		r.run(c)
		return
	}
}

// runGit runs what git runs: "bisect run", "submodule foreach", "rebase --exec", aliases of the line; and
// it names what "push origin +main" means.
func (r *reader) runGit(c command) {
	subs := c.subcommands()
	for i, w := range c.words {
		if alias, ok := strings.CutPrefix(w, "alias."); ok && c.words[i-1] == "-c" {
			name, text, _ := strings.Cut(alias, "=")
			if shell, ok := strings.CutPrefix(text, "!"); ok {
				r.readText(shell)
			} else if len(subs) > 0 && subs[0] == name {
				c.words = append(append([]string{"git"}, strings.Fields(text)...), subs[1:]...)
				r.emit(c)
			}
		}
		if (w == "-x" || w == "--exec") && i+1 < len(c.words) {
			r.readText(c.words[i+1])
		}
	}
	switch {
	case len(subs) > 2 && subs[0] == "bisect" && subs[1] == "run":
		i := slices.Index(c.words, "run")
		c.words = c.words[i+1:]
		r.run(c)
	case len(subs) > 2 && subs[0] == "submodule" && subs[1] == "foreach":
		r.readText(strings.Join(subs[2:], " "))
	case len(subs) > 1 && subs[0] == "rm":
		c.words = append([]string{"rm"}, subs[1:]...)
		r.emit(c)
	case len(subs) > 2 && subs[0] == "push" && slices.ContainsFunc(subs, func(w string) bool { return strings.HasPrefix(w, "+") }):
		c.words = append(slices.Clone(c.words), "--force")
		r.emit(c)
	}
}
