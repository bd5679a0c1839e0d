package survey

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

func (f *facts) call(name, purpose string) {
	if f.name == "" {
		f.name = nameOnly(prose.OneLine(name))
	}
	if f.purpose == "" {
		f.purpose = prose.Clip(describedBy(prose.OneLine(purpose), f.name, name), maxPurpose)
	}
}

func (f *facts) addNeed(names ...string) {
	for _, name := range names {
		prose.AddOnce(&f.depends, nameOnly(name))
	}
}

func (f *facts) addLanguage(language string) { prose.AddOnce(&f.languages, language) }

var required = rule.Lazy(`(?m)^(?:require )?\s*([\w.-]+\.[\w.-]+/\S+) v\S+[ \t]*$`)

// goModule reads go.mod. What is marked as indirect is no choice of the
// project.
func goModule(f *facts, _ folder, text string) {
	_, module, _ := strings.Cut("\n"+text, "\nmodule ")
	f.call(path.Base(prose.OneLine(module)), "")
	f.addLanguage("Go")
	f.command("go build ./...")
	f.command("go test ./...")
	for _, m := range required.FindAllStringSubmatch(text, -1) {
		f.addNeed(m[1])
	}
}

func cargo(f *facts, _ folder, text string) {
	f.addLanguage("Rust")
	f.command("cargo build")
	f.command("cargo test")
	var p struct{ Package description }
	for _, key := range readTOML(text, &p) {
		if len(key) > 1 && key[0] == "dependencies" {
			f.addNeed(key[1])
		}
	}
	f.callBy(p.Package)
}

// runners are programs that run the scripts of a package, by the file that
// shows that they are used.
var runners = []struct{ lock, program string }{
	{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lockb", "bun run"}, {"bun.lock", "bun run"},
}

// scripts are those of a package that somebody else would run, in this order.
var scripts = [...]string{
	"build", "test", "lint", "typecheck", "type-check", "check", "format", "dev", "start", "serve", "e2e", "test:e2e", "test:unit", "deploy", "release", "migrate", "seed",
}

func nodePackage(f *facts, dir folder, text string) {
	var p struct {
		Name, Description string
		Scripts           map[string]string
		Dependencies      map[string]any
		DevDependencies   map[string]any
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return
	}
	f.call(p.Name, p.Description)
	_, typed := dir.hasFile("tsconfig.json")
	if _, ok := p.DevDependencies["typescript"]; ok || typed {
		f.addLanguage("TypeScript")
	} else {
		f.addLanguage("JavaScript")
	}
	run := "npm run"
	for _, r := range runners {
		if _, ok := dir.hasFile(r.lock); ok {
			run = r.program
		}
	}
	for _, name := range scripts {
		if p.Scripts[name] != "" {
			f.explained(run+" "+name, p.Scripts[name])
		}
	}
	f.addNeed(slices.Sorted(maps.Keys(p.Dependencies))...)
}

func pyproject(f *facts, dir folder, text string) {
	f.addLanguage("Python")
	var p struct {
		Project struct {
			description
			Dependencies []string
		}
		Tool struct {
			Poetry description
			Pytest map[string]any
		}
	}
	keys := readTOML(text, &p)
	f.callBy(p.Project.description)
	f.callBy(p.Tool.Poetry)
	for _, line := range p.Project.Dependencies {
		f.addNeed(requirement(line))
	}
	for _, key := range keys {
		isDependency := len(key) > 3 && slices.Equal(key[:3], []string{"tool", "poetry", "dependencies"})
		if isDependency && key[3] != "python" {
			f.addNeed(key[3])
		}
	}
	run := ""
	if _, ok := dir.hasFile("uv.lock"); ok {
		run = "uv run "
	} else if _, ok := dir.hasFile("poetry.lock"); ok {
		run = "poetry run "
	}
	if p.Tool.Pytest != nil {
		f.command(run + "pytest")
	}
	pythonRunners(f, dir)
}

func pythonRunners(f *facts, dir folder) {
	for _, r := range []struct{ file, program string }{{"tox.ini", "tox"}, {"noxfile.py", "nox"}, {"pytest.ini", "pytest"}} {
		if _, ok := dir.hasFile(r.file); ok {
			f.command(r.program)
		}
	}
}

func setupConfig(f *facts, dir folder, text string) {
	f.addLanguage("Python")
	pythonRunners(f, dir)
	section, key := "", ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		name, value, ok := strings.Cut(trimmed, "=")
		switch {
		case strings.HasPrefix(trimmed, "["):
			section, key = strings.Trim(trimmed, "[]"), ""
		case isRequirement(section, key) && line[0] <= ' ' && trimmed != "":
			f.addNeed(requirement(trimmed))
		case ok && line[0] > ' ':
			key = strings.TrimSpace(name)
			f.describe(section, key, strings.TrimSpace(value))
		}
	}
}

func (f *facts) describe(section, key, value string) {
	switch section + "." + key {
	case "metadata.name":
		f.call(value, "")
	case "metadata.description":
		f.call("", value)
	}
}

var argument = rule.Lazy(`(?m)^\s*(name|description)\s*=\s*(?:"([^"\n]+)"|'([^'\n]+)')`)

func setupScript(f *facts, dir folder, text string) {
	f.addLanguage("Python")
	pythonRunners(f, dir)
	for _, m := range argument.FindAllStringSubmatch(text, -1) {
		f.describe("metadata", m[1], m[2]+m[3])
	}
}

func requirements(f *facts, _ folder, text string) {
	f.addLanguage("Python")
	for line := range strings.Lines(text) {
		f.addNeed(requirement(line))
	}
}

var packageName = rule.Lazy(`^[A-Za-z0-9][\w.-]*`)

// requirement is the name of a Python package in a line that asks for it, ""
// for comments and options.
func requirement(line string) string { return packageName.FindString(strings.TrimSpace(line)) }

func maven(f *facts, dir folder, text string) {
	var p struct {
		ArtifactID   string   `xml:"artifactId"`
		Description  string   `xml:"description"`
		Dependencies []string `xml:"dependencies>dependency>artifactId"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	f.call(p.ArtifactID, p.Description)
	f.addLanguage("Java")
	run := "mvn"
	if _, ok := dir.hasFile("mvnw"); ok {
		run = "./mvnw"
	}
	f.command(run + " package")
	f.command(run + " test")
	for _, name := range p.Dependencies {
		f.addNeed(prose.OneLine(name))
	}
}

var gradleDependency = rule.Lazy(`(?m)^\s*(?:implementation|api|compileOnly|runtimeOnly)[ (]+["']([\w.-]+:[\w.-]+)`)

func gradle(f *facts, dir folder, text string) {
	run := "gradle"
	if _, ok := dir.hasFile("gradlew"); ok {
		run = "./gradlew"
	}
	if strings.Contains(text, "kotlin") {
		f.addLanguage("Kotlin")
	} else {
		f.addLanguage("Java")
	}
	f.command(run + " build")
	f.command(run + " test")
	for _, m := range gradleDependency.FindAllStringSubmatch(text, -1) {
		f.addNeed(m[1])
	}
}

func composer(f *facts, _ folder, text string) {
	var p struct {
		Name, Description string
		Require           map[string]any
		Scripts           map[string]any
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return
	}
	f.call(p.Name, p.Description)
	f.addLanguage("PHP")
	for _, name := range scripts {
		if p.Scripts[name] != nil {
			f.command("composer " + name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Require)) {
		if strings.Contains(name, "/") { // "php" and "ext-…" are no packages
			f.addNeed(name)
		}
	}
}

var gem = rule.Lazy(`(?m)^\s*gem ["']([\w-]+)["']`)

func gemfile(f *facts, dir folder, text string) {
	f.addLanguage("Ruby")
	f.command("bundle install")
	if _, ok := dir.hasFile(".rspec"); ok {
		f.command("bundle exec rspec")
	}
	for _, m := range gem.FindAllStringSubmatch(text, -1) {
		f.addNeed(m[1])
	}
}

var (
	framework = rule.Lazy(`<TargetFrameworks?>([^<\n]+)<`)
	reference = rule.Lazy(`<PackageReference\s+Include="([^"\n]+)"`)
)

func dotnet(f *facts, _ folder, text string) {
	f.addLanguage("C#")
	f.command("dotnet build")
	f.command("dotnet test")
	for _, m := range framework.FindAllStringSubmatch(text, 1) {
		f.addNeed(m[1])
	}
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		f.addNeed(m[1])
	}
}

var (
	cmakeProject = rule.Lazy(`(?mi)^\s*project\s*\(\s*([\w.+-]+)`)
	cmakePackage = rule.Lazy(`(?mi)^\s*find_package\s*\(\s*([\w.+-]+)`)
	cmakeTests   = rule.Lazy(`(?mi)^\s*(?:enable_testing|add_test|include\s*\(\s*CTest)`)
)

func cmake(f *facts, _ folder, text string) {
	for _, m := range cmakeProject.FindAllStringSubmatch(text, 1) {
		f.call(m[1], "")
	}
	f.command("cmake -B build && cmake --build build")
	if cmakeTests.MatchString(text) {
		f.command("ctest --test-dir build")
	}
	for _, m := range cmakePackage.FindAllStringSubmatch(text, -1) {
		f.addNeed(m[1])
	}
}

// targets are those that somebody else would run.
var targets = [...]string{
	"all", "build", "test", "tests", "check", "lint", "fmt", "format", "typecheck", "run", "dev", "serve", "start", "install", "setup", "bench", "docs", "release", "deploy",
}

var (
	makeTarget = rule.Lazy(`(?m)^([\w-]+(?: [\w-]+)*)\s*::?(?:[^=]|$)`)
	justRecipe = rule.Lazy(`(?m)^@?([\w-]+)(?: [^:=\n]*)?:(?:[^=]|$)`)
)

func makefile(f *facts, _ folder, text string) { f.recipes("make", recipesIn(makeTarget, text)) }

func justfile(f *facts, _ folder, text string) { f.recipes("just", recipesIn(justRecipe, text)) }

var fromImage = rule.Lazy(`(?mi)^FROM\s+(?:--\S+\s+)*([\w./:@-]+)`)

// dockerfile records what the image is made from last: earlier stages only build.
func dockerfile(f *facts, _ folder, text string) {
	if images := fromImage.FindAllStringSubmatch(text, -1); len(images) > 0 {
		f.addNeed(images[len(images)-1][1] + " (Docker)")
	}
}

// isRequirement reports whether the values below a key of setup.cfg are what the project needs.
func isRequirement(section, key string) bool {
	return section == "options" && key == "install_requires"
}
