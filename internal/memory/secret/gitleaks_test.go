package secret

import (
	"bytes"
	"encoding/json"
	goflag "flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

var update = goflag.Bool("update", false, "write gitleaks.json anew")

// A gitleaksRule is a rule as gitleaks.toml has it.
type gitleaksRule struct {
	ID          string
	Regex       string
	Path        string
	Keywords    []string
	Entropy     float64
	SecretGroup int
	Allowlists  []struct {
		RegexTarget string
		Regexes     []string
		Paths       []string
	}
}

// leftOut are rules that this package has its own for, or none on purpose.
var leftOut = map[string]string{
	"private-key":     "keyblock.go, which takes parts of keys too",
	"jwt":             "own.toml; its keyword is in many words",
	"generic-api-key": "own.toml; what has a name like a key and looks random is a hash, an id or a path far more often",

	"vault-service-token":      "own.toml; an old form is a method's name too",
	"sourcegraph-access-token": "own.toml; an old form is a commit's hash too",
	"kubernetes-secret-yaml":   "the keys and values of own.toml",
	"aws-access-token":         "own.toml", "github-pat": "own.toml", "github-oauth": "own.toml", "github-app-token": "own.toml",
	"github-refresh-token": "own.toml", "github-fine-grained-pat": "own.toml", "twilio-api-key": "own.toml", "gcp-api-key": "own.toml",
}

// What a rule of theirs begins with when its keyword is part of a name that is
// assigned to. What stands before the keyword changes nothing in the secret.
var names = []struct{ theirs, ours string }{
	{`[\w.-]{0,50}?(?i:[\w.-]{0,50}?`, `\A(?i:`},
	{`(?i)[\w.-]{0,50}?`, `(?i)\A`},
}

// terminator ends most of their rules: a token in a text may be followed by
// more than a committed one.
const terminator, anyOther = `(?:[\x60'"\s;]|\\[nr]|$)`, `(?:[^\w-]|$)`

var besideTheirKeyword = []string{"curl-auth-header", "curl-auth-user", "nuget-config-password"}

func (g gitleaksRule) rule() (rule, bool) {
	if _, ok := leftOut[g.ID]; ok || g.Regex == "" || len(g.Keywords) == 0 || g.Path != "" && g.ID != "nuget-config-password" {
		return rule{}, false
	}
	r := rule{Kind: g.ID, Where: "token", Keywords: g.Keywords, Regexp: g.Regex, Group: g.SecretGroup, Entropy: g.Entropy}
	for _, a := range g.Allowlists {
		if a.RegexTarget == "" && len(a.Paths) == 0 {
			r.Not = append(r.Not, a.Regexes...)
		}
	}
	if slices.Contains(besideTheirKeyword, g.ID) {
		r.Where = "near"
		return r, true
	}
	for _, a := range names {
		if rest, ok := strings.CutPrefix(g.Regex, a.theirs); ok {
			r.Where, r.Regexp = "assign", a.ours+rest
			return r, true
		}
	}
	if rest, ok := strings.CutSuffix(g.Regex, terminator); ok {
		r.Regexp = rest + anyOther
	}
	return r, true
}

// gitleaks.json is what the release in testdata says, in our form.
func TestGitleaks(t *testing.T) {
	var theirs struct{ Rules []gitleaksRule }
	if _, err := toml.DecodeFile("testdata/gitleaks.toml", &theirs); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var want bytes.Buffer
	want.WriteString("[\n")
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	for _, g := range theirs.Rules {
		known[g.ID] = true
		r, ok := g.rule()
		if !ok {
			continue
		}
		if want.Len() > len("[\n") {
			want.Truncate(want.Len() - 1)
			want.WriteString(",\n")
		}
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	want.WriteString("]\n")
	for id := range leftOut {
		if !known[id] {
			t.Errorf("%s is left out, but gitleaks has no such rule", id)
		}
	}
	if *update {
		if err := os.WriteFile("gitleaks.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want.String(), string(gitleaksJSON)); diff != "" {
		t.Errorf("gitleaks.json is not of testdata/gitleaks.toml; -update makes it:\n%s", diff)
	}
}

// Every rule can be used: a mistake would show only when its keyword comes up.
func TestRulesCompile(t *testing.T) {
	kind := regexp.MustCompile(`^[a-z0-9-]+$`)
	for _, r := range newRules().list {
		p := r.compiled()
		if len(r.Keywords) == 0 || !kind.MatchString(r.Kind) || readers[r.Where] == nil && windows[r.Where] == nil {
			t.Errorf("rule %s is not whole: %+v", r.Kind, r)
		}
		if (r.Where == "assign" || r.Where == "at") && !strings.Contains(p.is.String(), `\A`) {
			t.Errorf("rule %s is not anchored at its keyword", r.Kind)
		}
	}
}
