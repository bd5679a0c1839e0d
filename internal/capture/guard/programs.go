package guard

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// quotedCommand reads a command between backticks: "never run `rm -rf`".
func (p *parser) quotedCommand() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	verb, hasVerb := p.take(0, isOneOf(runVerbs))
	for i, w := range p.words {
		if !w.quoted || p.used[i] {
			continue
		}
		read, ok := commandRule(w.text)
		isRun := hasVerb && !strings.HasPrefix(p.words[verb].low, "us") // text is used, too
		isKnown := ok && (isRun || known[strings.ToLower(read.Programs[0])])
		isOther := len(rule.Programs) > 0 && !isBare(rule, read)
		if !isKnown || isOther {
			continue
		}
		p.used[i] = true
		read.Programs = append(rule.Programs, read.Programs...)
		rule = read
	}
	if len(rule.Programs) == 0 && hasVerb {
		p.used[verb] = false
	}
	if slices.Equal(rule.Programs, []string{"git"}) {
		p.addBranch(&rule)
	}
	return rule, len(rule.Programs) > 0
}

// isBare reports whether two rules are of nothing but programs.
func isBare(a, b memory.GuardRule) bool {
	return len(a.Subcommands)+len(a.Flags)+len(a.Paths)+len(b.Subcommands)+len(b.Flags)+len(b.Paths) == 0
}

// commandRule reads one simple command: its program, its subcommand, options and paths.
func commandRule(line string) (memory.GuardRule, bool) {
	line = strings.TrimSuffix(strings.TrimSpace(line), "*")
	if strings.ContainsAny(line, ";|&<>$`'\"\n()") {
		return memory.GuardRule{}, false
	}
	words := strings.Fields(line)
	if len(words) == 0 || !programWord.MatchString(words[0]) {
		return memory.GuardRule{}, false
	}
	rule := memory.GuardRule{Programs: words[:1]}
	var subs, flags []string
	for _, w := range words[1:] {
		switch {
		case strings.HasPrefix(w, "-"):
			flags = append(flags, w)
		case w == ".", isPath(w):
			rule.Paths = append(rule.Paths, w)
		case !subcommandWord.MatchString(w):
			return rule, false
		case takesFiles[words[0]]:
			rule.Paths = append(rule.Paths, w)
		default:
			subs = append(subs, w)
		}
	}
	if words[0] == "git" && len(subs) > 1 {
		rule.Paths, subs = append(rule.Paths, subs[len(subs)-1]), subs[:1] // git push origin main
	}
	if len(subs) > 0 {
		rule.Subcommands = []string{strings.Join(subs, " ")}
	}
	return rule, setFlags(&rule, flags)
}

// setFlags sets the options of a rule. Several short ones are one entry, since all are meant.
func setFlags(rule *memory.GuardRule, flags []string) bool {
	short := ""
	for _, f := range flags {
		if !strings.HasPrefix(f, "--") {
			short += f[1:]
		}
	}
	switch {
	case len(flags) == 0:
	case len(flags) == 1:
		rule.Flags = flags
	case len(short) == len(strings.Join(flags, ""))-len(flags) && short != "":
		rule.Flags = []string{"-" + short}
	default:
		return false // which of them matters is not clear
	}
	return true
}

var (
	programWord    = regexp.MustCompile(`^[A-Za-z0-9_./][\w.+@/-]*$`)
	subcommandWord = regexp.MustCompile(`^[a-z0-9][\w:@.-]*$`)
)

// takesFiles are programs whose arguments are no subcommands.
var takesFiles = prose.WordSet("rm mv cp cat chmod chown sed python python3 node bash sh ruby perl curl wget tee touch")

// activity reads "deploy", "run migrations".
func (p *parser) activity() (memory.GuardRule, bool) {
	p.take(0, isOneOf(activityVerbs))
	i, ok := p.take(0, func(t token) bool { return !t.quoted && activitiesOf[t.low] != "" })
	if !ok {
		return memory.GuardRule{}, false
	}
	p.take(0, isOneOf(activityPlaces))
	return memory.GuardRule{Activities: []string{activitiesOf[p.words[i].low]}}, true
}

// Words around an activity.
var (
	activityVerbs  = prose.WordSet("run running do make start trigger apply create execute perform install installing add adding upgrade upgrading update")
	activityPlaces = prose.WordSet("production prod live database db")
)

// programs reads programs that are named without quotes: "npm or yarn", "sudo", "npm install".
func (p *parser) programs() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	p.take(0, isOneOf(runVerbs))
	last := -1
	for i := range p.words {
		names := p.programsAt(i)
		if len(names) == 0 || last >= 0 && !p.isListed(i) {
			continue
		}
		p.used[i], last = true, i
		rule.Programs = append(rule.Programs, names...)
	}
	if last < 0 {
		return rule, false
	}
	p.addFlags(&rule)
	if len(rule.Programs) == 1 && withSubcommands[rule.Programs[0]] {
		p.addSubcommand(&rule, last+1)
	}
	p.addFiles(&rule, last+1)
	return rule, true
}

// withSubcommands are programs that do different things by their next word.
var withSubcommands = prose.WordSet(`npm pnpm yarn bun deno pip pip3 uv poetry pipenv conda cargo rustup docker docker-compose podman kubectl helm terraform
	tofu pulumi aws gcloud az gh glab git brew apt apt-get dnf yum snap gradle mvn composer artisan rake rails bundle gem mix flutter pod fastlane
	vercel netlify heroku fly wrangler firebase supabase prisma alembic flyway nx turbo lerna systemctl make go dotnet bazel vagrant`)

// programsAt returns the programs that a word names: one, or "npm/yarn".
func (p *parser) programsAt(i int) []string {
	names := strings.Split(p.words[i].low, "/")
	if p.used[i] || slices.ContainsFunc(names, func(name string) bool { return !known[name] }) {
		return nil
	}
	for j, name := range names {
		names[j] = cmp.Or(tools[name], name)
	}
	return names
}

// isListed reports whether a word goes on with a list: behind a comma, "or" or "and".
func (p *parser) isListed(i int) bool {
	return p.words[i].listed || i > 0 && joining[p.words[i-1].low]
}

var joining = prose.WordSet("or and")

// addSubcommand takes a subcommand behind a program: "npm install", "docker compose down".
func (p *parser) addSubcommand(rule *memory.GuardRule, from int) {
	var subs []string
	for i := from; i < len(p.words) && len(subs) < 2; i++ {
		w := p.words[i]
		if p.used[i] || w.quoted || w.listed || !plainSubcommands[w.low] {
			break
		}
		p.used[i] = true
		subs = append(subs, w.text)
	}
	if len(subs) > 0 {
		rule.Subcommands = []string{strings.Join(subs, " ")}
	}
}

// plainSubcommands are those that people name without quotes.
var plainSubcommands = prose.WordSet(`install uninstall add remove run test build publish ci update upgrade audit link exec dlx start dev lint deploy apply
	destroy plan init import state delete create edit patch drain scale rollout up down compose system prune rm rmi pull push login logout
	clean reset restore stash worktree tag checkout switch revert rebase merge clone fetch config branch bisect
	migrate db generate dump restart stop enable disable pr issue release repo merge close go mod get tidy vet fmt fix clippy
	all volume image network secret namespace`)
