package guard

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/text/prose"
)

// interpreters run code that they are given in an argument, behind one of these options.
var interpreters = map[string]string{
	"python": "-c", "node": "-e -p --eval --print -pe", "nodejs": "-e -p", "ruby": "-e", "perl": "-e -E -ne -pe", "php": "-r", "deno": "eval", "bun": "-e --eval",
	"lua": "-e", "osascript": "-e", "tsx": "-e --eval",
}

// runInterpreter reads what an interpreter runs: a module, code in an argument, or a program by its path.
func (r *reader) runInterpreter(c command, program string) {
	options := strings.Fields(interpreters[program])
	for i, w := range c.words[1:] {
		next := c.words[i+2:]
		switch {
		case slices.Contains(options, w) && len(next) > 0:
			r.readCode(next[0], program)
			return
		case w == "-m" && program == "python" && len(next) > 0:
			c.words = next
			r.run(c)
			return
		case !strings.HasPrefix(w, "-"):
			r.runScript(c, c.words[i+1:])
			return
		}
	}
}

// runScript reads a script that the line has written, or one that is known as a program: npm-cli.js.
func (r *reader) runScript(c command, words []string) {
	name := programName(words[0])
	text, written := r.files[name]
	switch {
	case written:
		r.readCode(text, programName(c.words[0]))
	case alsoCalled[name] != nil, slices.Contains([]string{"npm", "npx", "yarn", "pnpm"}, name):
		c.words = words
		r.run(c)
	default:
		if wrapped := wrappedBy(c.words, programName(c.words[0])); len(wrapped) > 0 { // bun x
			c.words = wrapped
			r.run(c)
		}
	}
}

// starting matches what code calls to run a program.
var starting = regexp.MustCompile(strings.Join([]string{
	"system", "popen", "Popen", "subprocess", "exec", "spawn", "child_process", "Open3", "passthru", "do shell script", `Deno\.(?:run|Command)`,
	"check_call", "check_output", "\\$`", "qx",
}, "|"))

// literal matches a string in code.
var literal = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|` + "`([^`]*)`")

// between matches what may stand between the strings of one command.
var between = regexp.MustCompile(`^[\s,\[({]*(?:args: ?\[)?$`)

// withTicks are languages in which backticks run a command.
var withTicks = prose.WordSet("ruby perl php")

// readCode reads the programs that code runs, if it names them in strings: "npm install", or "npm" and
// "install" side by side. Between backticks, some languages run what others quote.
func (r *reader) readCode(code, program string) {
	r.read += len(code)
	isStarting := starting.MatchString(code) || withTicks[program] && strings.Contains(code, "`")
	if !isStarting || r.read > maxText {
		return
	}
	var words []string
	end := 0
	flush := func() {
		if len(words) == 1 {
			r.readText(words[0])
		} else if len(words) > 1 {
			if words[0] == words[1] { // execvp
				words = words[1:]
			}
			r.run(command{words: words, text: strings.Join(words, " "), dir: r.dir})
		}
		words = nil
	}
	for _, at := range literal.FindAllStringSubmatchIndex(code, maxCommands) {
		if !between.MatchString(code[end:at[0]]) {
			flush()
		}
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				words = append(words, unescape(code[at[g]:at[g+1]], false))
			}
		}
		end = at[1]
	}
	flush()
}

// ansiEscapes undoes the escapes of $'…'.
func ansiEscapes(s string) string {
	var b strings.Builder
	for s != "" {
		if c, _, rest, err := strconv.UnquoteChar(s, '\''); err == nil {
			b.WriteRune(c)
			s = rest
			continue
		}
		s = strings.TrimPrefix(s, `\`)
		if s != "" {
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}
