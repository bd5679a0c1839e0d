package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// An attempt is a tool call that was made to reach something: what counts as
// trying the same again has the same goal.
type attempt struct {
	goal     string   // program and subcommand, script or tool: "go test", "python run.py"
	program  string   // the first word of the goal
	operands []string // what stands behind it, options left out
	script   string   // the file that it runs, if it runs one
	lead     string   // what the call began with: "PORT=1 python3 -m pytest"
	line     string   // the call as it was made, at most MaxCommand bytes of it
	whole    string   // the same, at most maxWhole bytes
	piped    bool     // success says nothing
}

// tryOf reads a call as an attempt; ok is false where its failure teaches
// nothing: it only read, or it is a tool that says itself what to do next.
func tryOf(a claudecode.Action) (attempt, bool) {
	switch {
	case a.Command != "":
		return tryCommand(clean.Text(a.Command))
	case strings.HasPrefix(a.Tool, "mcp__"):
		return attempt{goal: a.Tool, program: a.Tool, line: a.Tool}, true
	case a.Tool == "WebFetch":
		host := hostOf(clean.Text(Member(a.Input, "url")))
		return attempt{goal: "fetch " + host, program: "fetch", line: "fetch " + host}, host != ""
	}
	return attempt{}, false
}

func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return prose.Clip(host, MaxCommand)
}

// maxOperands bounds the operands of an attempt: those of one are compared with
// those of each other.
const maxOperands = 12

func tryCommand(command string) (attempt, bool) {
	shell := readShell(command)
	text, words := shell.text, shell.mainStep()
	if len(words) == 0 {
		return attempt{}, false
	}
	out := attempt{line: shortenLine(text, MaxCommand), whole: shortenLine(text, maxWhole), piped: shell.piped}
	all := words
	out.program, words = programOf(words)
	out.lead = strings.Join(all[:len(all)-len(words)], " ")
	out.goal = out.program
	if scripted[out.program] && strings.Contains(text, "<<") {
		_, script, _ := strings.Cut(text, "<<")
		out.goal, out.line, out.operands = out.goal+" -", out.lead+" <<…", []string{script}
		return out, true
	}
	subs := subcommands[out.program]
	for i, w := range words {
		switch {
		case w == "-m" || w == "-am":
			return out, true // a message follows
		case strings.HasPrefix(w, "-"):
			if scripted[out.program] && (w == "-c" || w == "-e") {
				out.goal += " " + w
				out.line, out.operands = out.lead+" "+w, []string{strings.Join(words[i:], " ")}
				return out, true
			}
		case w == "run" && subs > 0: // npm run test is npm test
		case subs > 0:
			out.goal += " " + w
			subs--
		case w == "./...": // all there is
		case installing[w] && !scripted[out.program] && out.isBare():
			out.goal += " " + w // playwright install is not playwright test
		case scripted[out.program] && out.goal == out.program:
			out.goal, out.script = out.goal+" "+path.Base(w), w
		case len(out.operands) < maxOperands:
			out.operands = append(out.operands, w)
		}
	}
	return out, true
}

// subcommands are programs that do different things by their next word.
var subcommands = map[string]int{
	"git": 1, "go": 1, "npm": 1, "pnpm": 1, "yarn": 1, "bun": 1, "cargo": 1, "docker": 1, "docker-compose": 1, "kubectl": 1, "pip": 1,
	"make": 1, "gh": 1, "brew": 1, "apt": 1, "apt-get": 1, "terraform": 1, "dotnet": 1, "mvn": 1, "gradle": 1, "gradlew": 1, "rails": 1,
	"mix": 1, "poetry": 1, "uv": 1, "helm": 1, "aws": 2, "gcloud": 2, "az": 2, "deno": 1, "composer": 1, "swift": 1, "flutter": 1,
	"firebase": 1, "vercel": 1, "wrangler": 1, "supabase": 1, "prisma": 1, "conda": 1, "systemctl": 1, "bundle": 1, "nx": 1, "turbo": 1,
	"just": 1, "task": 1, "rake": 1, "invoke": 1, "podman": 1, "tofu": 1, "terragrunt": 1, "pulumi": 1, "heroku": 1, "fly": 1, "serverless": 1, "vagrant": 1,
	"stack": 1, "cabal": 1, "sbt": 1, "lein": 1, "bazel": 1, "hatch": 1, "pdm": 1, "rye": 1, "pixi": 1, "mvnw": 1, "ng": 1, "expo": 1, "biome": 1, "skaffold": 1,
}

// scripted are programs that run the script they are given.
var scripted = prose.WordSet(`python node ruby bash sh zsh ts-node tsx php perl`)

// starters only start what follows them.
var starters = prose.WordSet(`sudo time nohup npx bunx env exec nice command`)

// mainStep returns the words of what a command line is there for: its last
// step that does something, up to the first pipe.
func (s shellLine) mainStep() []string {
	for _, step := range slices.Backward(s.steps) {
		if first := step.calls[0]; first.isActing() && !preparesAnother(first.words[0]) {
			return first.words
		}
	}
	return nil
}

// preparesAnother reports whether word is the first word of a step that only prepares another.
func preparesAnother(word string) bool {
	return slices.Contains([]string{"source", ".", "export", "set", "unset", "if", "for", "while", "exit"}, word)
}

// programOf returns the bare name of the program that words start, and what
// follows it.
func programOf(words []string) (string, []string) {
	for len(words) > 1 {
		w := words[0]
		switch {
		case starters[w], strings.Contains(w, "=") && !strings.HasPrefix(w, "-"):
			words = words[1:]
		case w == "timeout" && len(words) > 2:
			words = words[2:]
		case len(words) > 2 && runsInEnvironment(w, words[1]):
			words = words[2:]
		case bareProgram(w) == "python" && words[1] == "-m" && len(words) > 2:
			words = words[2:]
		default:
			return bareProgram(w), words[1:]
		}
	}
	return bareProgram(words[0]), nil
}

// bareProgram is a program's name without its folder and version.
func bareProgram(word string) string {
	name := path.Base(withSlashes(strings.Trim(word, `"'`)))
	if trimmed := strings.TrimRight(name, "0123456789."); trimmed == "python" || trimmed == "pip" {
		return trimmed
	}
	return name
}

// maxWhole bounds a command that is to be run again as it is, in bytes.
const maxWhole = 220

// title names the attempt in a line of at most n bytes.
func (a attempt) title(n int) string {
	if len(a.line) > n && a.lead != "" {
		words := strings.Fields(withoutVariables(a.lead))
		sub := strings.Fields(a.goal)[1:]
		if scripted[a.program] || subcommands[a.program] > 0 {
			words = append(words, sub...)
		}
		if a.program == "git" {
			return strings.Join(words, " ")
		}
		return withOperands(strings.Join(words, " "), a.operands, n)
	}
	return prose.Clip(a.line, n)
}

// withOperands adds whole operands to a call, as long as it has at most n bytes.
// Of what is in quotes the beginning tells more than nothing.
func withOperands(call string, operands []string, n int) string {
	for _, o := range operands {
		if len(call)+1+len(o) > n && len(call) < n-8 && strings.ContainsAny(o[:1], `'"`) {
			return prose.Clip(call+" "+o, n)
		}
		if len(call)+1+len(o) > n {
			break
		}
		call += " " + o
	}
	return prose.Clip(call, n)
}

// isImprovised reports whether a script was made up on the spot.
func (a attempt) isImprovised() bool {
	return strings.HasSuffix(a.goal, " -c") || strings.HasSuffix(a.goal, " -e") || strings.HasSuffix(a.goal, " -")
}

// sameAs reports whether b tries what a tried; with exact set on the same
// operands too, or on more or fewer of them. What was made up on the spot is
// only the same when its words are.
func (a attempt) sameAs(b attempt, exact bool) bool {
	if a.goal != b.goal {
		return false
	}
	if a.isImprovised() {
		return slices.Equal(a.operands, b.operands)
	}
	if !exact || len(a.operands) == 0 || len(b.operands) == 0 {
		return true
	}
	for _, x := range a.operands {
		for _, y := range b.operands {
			if x == y || isPartOf(x, y) || isPartOf(y, x) {
				return true
			}
		}
	}
	return false
}

// isBare reports whether nothing was read of a command but its program.
func (a attempt) isBare() bool { return a.goal == a.program && len(a.operands) == 0 }

// runsInEnvironment reports whether two words run what follows them in a project's environment: uv run.
func runsInEnvironment(program, verb string) bool {
	return slices.Contains([]string{"uv", "poetry", "pipenv", "bundle"}, program) && (verb == "run" || verb == "exec")
}

// isPartOf reports whether an operand of more than one byte is within another one.
func isPartOf(operand, other string) bool {
	return len(operand) > 1 && strings.Contains(other, operand)
}
