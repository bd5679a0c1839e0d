package guard

import (
	"path"
	"regexp"
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
	within into at via is be anymore manually automatically changes code them package manager new`)

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

// gitVerbs are subcommands of git that people name without it.
var gitVerbs = map[string]string{
	"commit": "commit", "commits": "commit", "committing": "commit", "commiting": "commit", "push": "push", "pushing": "push", "rebase": "rebase", "rebasing": "rebase",
	"amend": "commit", "amending": "commit", "stash": "stash", "cherry-pick": "cherry-pick", "force-push": "push", "force-pushing": "push", "squash": "rebase", "merge": "merge", "merging": "merge",
}

// command reads a prohibition of programs.
func (p *parser) command() (memory.GuardRule, bool) {
	if rule, ok := p.quotedCommand(); ok {
		return rule, true
	}
	for _, read := range []func() (memory.GuardRule, bool){p.gitVerb, p.skippedHooks, p.programs} {
		before := slices.Clone(p.used)
		if rule, ok := read(); ok {
			return rule, true
		}
		p.used = before
	}
	return p.activity()
}

// quotedCommand reads a command between backticks: "never run `rm -rf`".
func (p *parser) quotedCommand() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	verb, hasVerb := p.take(0, isOneOf(runVerbs))
	for i, w := range p.words {
		if !w.quoted || p.used[i] {
			continue
		}
		read, ok := commandRule(w.text)
		isKnown := ok && (known[strings.ToLower(read.Programs[0])] || hasVerb && p.words[verb].low != "use" && p.words[verb].low != "using")
		if !isKnown || len(rule.Programs) > 0 && !isBare(rule, read) {
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

// gitVerb reads "commit", "push to main", "force push", "amend commits".
func (p *parser) gitVerb() (memory.GuardRule, bool) {
	_, hasForce := p.take(0, func(t token) bool { return t.low == "force" })
	p.take(0, isOneOf(prose.WordSet("run use")))
	isGit := false
	if i, ok := p.take(0, func(t token) bool { return t.low == "git" && !t.quoted }); ok {
		if i+1 < len(p.words) && subcommandWord.MatchString(p.words[i+1].low) && !fillers[p.words[i+1].low] {
			isGit = true
		} else {
			p.used[i] = false
		}
	}
	i, ok := p.take(0, func(t token) bool {
		return !t.quoted && (gitVerbs[t.low] != "" || isGit && subcommandWord.MatchString(t.low) && !fillers[t.low])
	})
	if !ok || p.hasBefore(i) {
		return memory.GuardRule{}, false
	}
	verb := p.words[i].low
	sub := gitVerbs[verb]
	if sub == "" {
		sub = verb
	}
	rule := memory.GuardRule{Programs: []string{"git"}, Subcommands: []string{sub}}
	if strings.HasPrefix(verb, "amend") {
		rule.Flags = []string{"--amend"}
		p.take(i+1, isOneOf(prose.WordSet("commit commits")))
	}
	if hasForce || strings.HasPrefix(verb, "force") {
		rule.Flags = []string{"--force", "-f", "--force-with-lease"}
	}
	p.take(i+1, func(t token) bool { return gitVerbs[t.low] == sub && !t.quoted })
	p.addFlags(&rule)
	p.addBranch(&rule)
	p.take(0, isOneOf(prose.WordSet("upstream remotely remote github origin directly")))
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
	if _, ok := p.take(0, isOneOf(prose.WordSet("skip skipping bypass bypassing"))); !ok {
		return rule, false
	}
	_, ok := p.take(0, isOneOf(prose.WordSet("hook hooks")))
	p.take(0, isOneOf(prose.WordSet("git commit pre-commit precommit pre-push")))
	return rule, ok
}

// hasBefore reports whether a word that means something stands before the one at i.
func (p *parser) hasBefore(i int) bool {
	return slices.ContainsFunc(p.words[:i], func(t token) bool {
		return (t.quoted || !fillers[t.low] && t.low != "force") && t.low != "git" && t.low != "run" && t.low != "use"
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
	for i, w := range p.words {
		isNamed := i > 0 && prose.WordSet("to on into onto the or against")[p.words[i-1].low] && (w.quoted || branches[w.low] || i+1 < len(p.words) && p.words[i+1].low == "branch")
		if p.used[i] || !isNamed || fillers[w.low] || w.low == "branch" {
			continue
		}
		p.used[i] = true
		rule.Paths = append(rule.Paths, w.text)
	}
	p.take(0, isOneOf(prose.WordSet("branch branches")))
	if isChecked := len(rule.Subcommands) == 1 && slices.Contains([]string{"commit", "merge", "rebase"}, rule.Subcommands[0]); isChecked && len(rule.Paths) > 0 {
		p.why = "which branch is checked out is not in the call"
	}
}

var branches = prose.WordSet("main master develop development dev production prod staging release trunk stable")

// activity reads "deploy", "run migrations".
func (p *parser) activity() (memory.GuardRule, bool) {
	verb, hasVerb := p.take(0, isOneOf(prose.WordSet("run running do make start trigger apply create execute perform install installing add adding upgrade upgrading update")))
	i, ok := p.take(0, func(t token) bool { return !t.quoted && activitiesOf[t.low] != "" })
	if !ok {
		if hasVerb {
			p.used[verb] = false
		}
		return memory.GuardRule{}, false
	}
	p.take(i+1, isOneOf(prose.WordSet("production prod live database")))
	p.take(0, isOneOf(prose.WordSet("database db")))
	return memory.GuardRule{Activities: []string{activitiesOf[p.words[i].low]}}, true
}

// programs reads programs that are named without quotes: "npm or yarn", "sudo", "npm install".
func (p *parser) programs() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	p.take(0, isOneOf(runVerbs))
	last := -1
	for i, w := range p.words {
		var names []string
		for name := range strings.SplitSeq(w.low, "/") {
			if known[name] {
				names = append(names, name)
			}
		}
		isNext := last < 0 || w.listed || i > 0 && (p.words[i-1].low == "or" || p.words[i-1].low == "and")
		if len(names) == 0 || p.used[i] || !isNext || strings.Count(w.low, "/")+1 != len(names) {
			continue
		}
		p.used[i], last = true, i
		for _, name := range names {
			if tool := tools[name]; tool != "" {
				name = tool
			}
			rule.Programs = append(rule.Programs, name)
		}
	}
	if last < 0 {
		return rule, false
	}
	p.take(0, isOneOf(readOnlyVerbs))
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

// readOnlyVerbs may stand between "never" and a program.
var readOnlyVerbs = prose.WordSet("touch go")

// addSubcommand takes a subcommand behind a program: "npm install", "docker compose down".
func (p *parser) addSubcommand(rule *memory.GuardRule, from int) {
	var subs []string
	for i := from; i < len(p.words) && len(subs) < 2; i++ {
		w := p.words[i]
		if p.used[i] || w.quoted || w.listed || fillers[w.low] || !subcommandWord.MatchString(w.text) || isPath(w.text) {
			break
		}
		p.used[i] = true
		subs = append(subs, w.text)
	}
	if len(subs) > 0 {
		rule.Subcommands = []string{strings.Join(subs, " ")}
	}
}

// files reads a prohibition of changes to files, or of reading them.
func (p *parser) files() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	i, changes := p.take(0, isOneOf(changeVerbs))
	if !changes {
		if i, rule.Reads = p.take(0, isOneOf(readVerbs)); !rule.Reads {
			if len(p.words) > 0 && p.words[0].quoted || len(p.words) > 0 && isPath(p.words[0].text) {
				i = -1 // "hands off vendor/"
			} else {
				return rule, false
			}
		}
	}
	for { // "or delete", "edit or touch"
		if _, ok := p.take(i+1, isOneOf(changeVerbs)); !ok {
			break
		}
	}
	if _, more := p.take(i+1, isOneOf(readVerbs)); more {
		rule.Reads = true
	}
	for {
		j, ok := p.take(i+1, func(t token) bool { return isPath(t.text) || t.quoted && programWord.MatchString(t.text) })
		if !ok {
			break
		}
		rule.Paths = append(rule.Paths, p.words[j].text)
	}
	if len(rule.Paths) == 0 {
		p.namedFolder(&rule)
	}
	switch verbs := p.verbsUsed(); {
	case len(rule.Paths) == 0:
		clear(p.used)
	case slices.ContainsFunc(verbs, func(v string) bool { return v == "create" || v == "creating" }):
		p.why = "whether a file is new is not in the call"
	case len(verbs) > 0 && !slices.ContainsFunc(verbs, func(v string) bool { return !removeVerbs[v] }):
		rule.Programs, rule.Reads = []string{"rm", "rmdir", "unlink", "shred"}, false
	}
	return rule, len(rule.Paths) > 0
}

var removeVerbs = prose.WordSet("delete deleting remove removing")

// verbsUsed returns the verbs of changes and of reading that were used.
func (p *parser) verbsUsed() []string {
	var out []string
	for i, w := range p.words {
		if p.used[i] && !w.quoted && (changeVerbs[w.low] || readVerbs[w.low]) {
			out = append(out, w.low)
		}
	}
	return out
}

// namedFolder takes "the vendor folder" and "the migrations directory".
func (p *parser) namedFolder(rule *memory.GuardRule) {
	for i := 1; i < len(p.words); i++ {
		isFolder := slices.Contains([]string{"folder", "directory", "dir"}, p.words[i].low)
		if name := p.words[i-1]; isFolder && !p.used[i-1] && !fillers[name.low] && subcommandWord.MatchString(name.low) {
			p.used[i-1], p.used[i] = true, true
			rule.Paths = append(rule.Paths, name.text+"/**")
			return
		}
	}
}

// isPath reports whether a word is a path or a glob: "src/**", "package.json", ".env", "*.lock".
func isPath(word string) bool {
	if !pathWord.MatchString(word) || strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
		return false
	}
	ext := path.Ext(word)
	isFile := len(ext) > 1 && len(ext) <= len(".properties") && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && strings.Trim(ext[1:], "0123456789") != ""
	return isFile || strings.ContainsAny(word, "/*") || word == "Makefile" || word == "Dockerfile"
}

var pathWord = regexp.MustCompile(`^[\w./~*@+-]+$`)

// content reads a prohibition of text that is written: "never leave `console.log` in src/**".
func (p *parser) content() (memory.GuardRule, bool) {
	var rule memory.GuardRule
	if _, ok := p.take(0, isOneOf(contentVerbs)); !ok {
		return rule, false
	}
	var parts []string
	for {
		i, ok := p.take(0, func(t token) bool { return t.quoted && !(strings.Contains(t.text, "*") && isPath(t.text)) })
		if !ok {
			break
		}
		parts = append(parts, regexp.QuoteMeta(p.words[i].text))
	}
	if len(parts) == 0 {
		return rule, false
	}
	rule.Content = strings.Join(parts, "|")
	if isWord := strings.Trim(rule.Content, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""; isWord {
		rule.Content = `\b` + rule.Content + `\b`
	}
	for {
		i, ok := p.take(0, func(t token) bool { return isPath(t.text) })
		if !ok {
			return rule, true
		}
		rule.Paths = append(rule.Paths, p.words[i].text)
	}
}

// inCommits reads what must not stand in commits: "never add Co-Authored-By to commits", "don't mention
// Claude in commit messages".
func (p *parser) inCommits() (memory.GuardRule, bool) {
	text := ""
	for _, w := range p.words {
		text += " " + w.low
	}
	m := commitText.FindStringSubmatch(text)
	if m == nil {
		return memory.GuardRule{}, false
	}
	var parts []string
	for _, w := range p.words[1:] {
		if w.low == "to" || w.low == "in" || w.low == "from" {
			break
		}
		if isSaid := w.quoted || !fillers[w.low] && !said2[w.low]; isSaid {
			parts = append(parts, regexp.QuoteMeta(w.text))
		}
	}
	if len(parts) != 1 {
		return memory.GuardRule{}, false
	}
	return memory.GuardRule{Programs: []string{"git"}, Subcommands: []string{"commit"}, Content: "(?i)" + parts[0]}, true
}

var (
	commitText = regexp.MustCompile(`^ (?:mention|mentioning|add|adding|put|include|including|write|use) .+ (?:to|in) (?:the |your |any |my |our |a )?(?:git )?commits?(?: messages?)?(?: here| ever)?$`)
	said2      = prose.WordSet("line lines trailer trailers footer footers tag tags yourself attribution")
)
