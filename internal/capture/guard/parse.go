package guard

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// A parser reads the words of what is forbidden. Each word is used once; what is left was not understood.
type parser struct {
	words []token
	used  []bool
	why   string // what is understood cannot be guarded, "" if it can
}

// A token is a word, or what stands between backticks or quotation marks.
type token struct {
	text   string // without the marks
	low    string
	quoted bool
	listed bool // a comma stands before it
}

func newParser(object string) *parser {
	p := &parser{}
	for object = strings.TrimSpace(object); object != ""; {
		rest := strings.TrimLeft(object, " \t\n,")
		t := token{listed: strings.Contains(object[:len(object)-len(rest)], ",")}
		object = rest
		if at := quoted.FindStringIndex(object); at != nil && at[0] == 0 {
			t.text, t.quoted = strings.Trim(object[:at[1]], "`\"“”"), true
			object = object[at[1]:]
		} else {
			n := strings.IndexAny(object, " \t\n,")
			if n < 0 {
				n = len(object)
			}
			t.text = strings.TrimLeft(object[:n], "':!")
			if t.text != "." { // "git add ."
				t.text = strings.TrimRight(t.text, "'.:!")
			}
			object = object[n:]
		}
		if t.low = strings.ToLower(t.text); t.text != "" {
			p.words = append(p.words, t)
		}
	}
	p.used = make([]bool, len(p.words))
	return p
}

// fillers say nothing of what is forbidden.
var fillers = prose.WordSet(`a an the any all ever again please in this that repo repository project codebase here yourself by itself for me
	commands command cli tool just it or and to from with of on your own our my anything something files file folder folders directory directories under inside
	within into at via is be anymore manually automatically changes code them package manager new hand`)

// left returns the words that were not used.
func (p *parser) left() string {
	var out []string
	for i, w := range p.words {
		if !p.used[i] && (w.quoted || !fillers[w.low]) {
			out = append(out, w.text)
		}
	}
	return strings.Join(out, " ")
}

// take uses the first unused word that fits, from a place on.
func (p *parser) take(from int, fits func(token) bool) (int, bool) {
	for i := from; i < len(p.words); i++ {
		if !p.used[i] && fits(p.words[i]) {
			p.used[i] = true
			return i, true
		}
	}
	return -1, false
}

func isOneOf(words map[string]bool) func(token) bool {
	return func(t token) bool { return !t.quoted && words[t.low] }
}

// Verbs of what is forbidden.
var (
	runVerbs     = prose.WordSet("run running use using call calling execute executing invoke invoking start starting launch reach try install installing")
	changeVerbs  = prose.WordSet("edit editing modify modifying change changing touch touching write writing overwrite update updating rewrite delete deleting remove removing rename move create creating alter commit")
	readVerbs    = prose.WordSet("read reading open opening look cat view access accessing print show")
	contentVerbs = prose.WordSet("write writing use using add adding leave leaving put include including insert introduce")
)

// known are programs that people name without quotes. Those that are words of English too need quotes.
var known = prose.WordSet(`npm npx pnpm yarn bun bunx deno node pip pip3 uv uvx poetry pipenv conda cargo rustup docker docker-compose podman kubectl helm
	terraform tofu pulumi ansible ansible-playbook aws gcloud az gh glab git brew apt apt-get dnf yum snap sudo rm curl wget ssh scp rsync psql mysql
	sqlite3 redis-cli mongosh pytest jest vitest mocha cypress playwright eslint prettier black isort ruff mypy tsc webpack gradle mvn sbt composer
	artisan rake rails bundle gem mix flutter xcodebuild pod fastlane vercel netlify heroku fly wrangler firebase supabase prisma alembic flyway
	nx turbo lerna chmod chown dd mkfs kill pkill killall systemctl shutdown reboot crontab make sed awk python python3 websearch webfetch
	perl ruby php java javac go dotnet grep nuget bazel cmake ninja eksctl minikube vagrant packer virtualenv tox nox`)

// tools are names of Claude's tools that are spelled as words.
var tools = map[string]string{"websearch": "WebSearch", "webfetch": "WebFetch"}

// command reads a prohibition of programs.
func (p *parser) command() (memory.GuardRule, bool) {
	if rule, ok := p.quotedCommand(); ok {
		return rule, true
	}
	for _, read := range []func() (memory.GuardRule, bool){p.gitVerb, p.skippedHooks, p.programs, p.activity} {
		before := slices.Clone(p.used)
		if rule, ok := read(); ok {
			return rule, true
		}
		p.used = before
	}
	return memory.GuardRule{}, false
}
