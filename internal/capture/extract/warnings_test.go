package extract

import (
	"encoding/json"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/toolcall"
)

// leastSure is the least that a call is warned at by default.
const leastSure = 0.7

// What is captured of a failure warns before the calls that it will happen to
// again, and before no other.
func TestCapturedFailuresWarn(t *testing.T) {
	helm := []claudecode.Action{fails("helm upgrade web ./chart --namespace stage", "Error: Kubernetes cluster unreachable: KUBECONFIG is not set"), passes("KUBECONFIG=~/.kube/stage helm upgrade web ./chart --namespace stage")}
	terra := []claudecode.Action{fails("terraform apply -var-file=eu.tfvars", "Error: No valid credential sources found\nError: no credentials for provider aws"), passes("AWS_PROFILE=infra terraform apply -var-file=eu.tfvars")}
	poetry := []claudecode.Action{fails("python scripts/seed.py --rows 10", "Traceback (most recent call last):\n  File \"scripts/seed.py\", line 1, in <module>\nModuleNotFoundError: No module named 'sqlalchemy'"), passes("poetry run python scripts/seed.py --rows 10")}
	protoc := []claudecode.Action{fails("go generate ./...", "api/gen.go:3: running \"protoc\": exec: \"protoc\": executable file not found in $PATH"), passes("sudo apt-get install -y protobuf-compiler"), passes("go generate ./...")}
	nose := []claudecode.Action{fails("python3 -m nose tests/test_tax.py", "/usr/bin/python3: No module named nose"), passes("python3 -m unittest tests/test_tax.py")}
	mvn := []claudecode.Action{fails("mvn -q test -Dtest=CartTest", "[ERROR] Fatal error compiling: invalid target release: 21: release version 21 not supported, requires java 21"), passes("JAVA_HOME=/opt/jdk-21 mvn -q test -Dtest=CartTest")}
	rspec := []claudecode.Action{fails("rspec spec/cart_spec.rb", "bash: rspec: command not found"), passes("bundle exec rspec spec/cart_spec.rb")}
	just := []claudecode.Action{fails("just deploy stage", "error: Variable `SENTRY_DSN` not set\nSENTRY_DSN must be set")}
	docker := []claudecode.Action{fails("docker compose up -d db", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"), passes("colima start"), passes("docker compose up -d db")}
	gh := []claudecode.Action{fails("gh pr create --fill", "To get started with GitHub CLI, please run: gh auth login\nerror: not logged in to any GitHub hosts")}
	perl := []claudecode.Action{fails("perl tools/fix.pl a.txt", "Can't locate Text/CSV.pm in @INC (you may need to install the Text::CSV module)"), passes("cpanm install Text::CSV"), passes("perl tools/fix.pl a.txt")}
	red := []claudecode.Action{fails("pytest tests/test_rate.py", "E   AssertionError: assert 3 == 4\nFAILED tests/test_rate.py::test_rate"), change("rate.py", "return 3", "return 4"), passes("pytest tests/test_rate.py")}
	typo := []claudecode.Action{fails("kubectl get pods --namspace stage", "error: unknown flag: --namspace"), passes("kubectl get pods --namespace stage")}
	psql := []claudecode.Action{fails("psql -f schema.sql", "psql: error: fe_sendauth: no password supplied, PGPASSWORD is not set"), passes("PGPASSFILE=.pgpass psql -f schema.sql")}
	tests := []struct {
		name    string
		actions []claudecode.Action
		later   string
		want    bool
	}{
		{"another release", helm, "helm upgrade api ./chart/api --namespace live", true},
		{"with the variable", helm, "KUBECONFIG=~/.kube/live helm upgrade api ./chart/api", false},
		{"another subcommand that asks no cluster", helm, "helm lint ./chart", false},
		{"another plan", terra, "terraform apply -var-file=us.tfvars", true},
		{"another subcommand without credentials", terra, "terraform plan -var-file=us.tfvars", true},
		{"with the profile", terra, "AWS_PROFILE=infra terraform plan", false},
		{"another script of the interpreter", poetry, "python scripts/export.py", true},
		{"the same script", poetry, "python scripts/seed.py --rows 900", true},
		{"as it works", poetry, "poetry run python scripts/export.py", false},
		{"the missing program itself", protoc, "protoc --go_out=. api/cart.proto", true},
		{"the same generator", protoc, "go generate ./api", true},
		{"another subcommand", protoc, "go vet ./api", false},
		{"the missing runner", nose, "python3 -m nose tests/test_cart.py -v", true},
		{"what did instead", nose, "python3 -m unittest tests/test_cart.py", false},
		{"another module of the interpreter", nose, "python3 -m venv .venv", false},
		{"another test", mvn, "mvn -q test -Dtest=TaxTest", true},
		{"another phase", mvn, "mvn package", true},
		{"with the right version", mvn, "JAVA_HOME=/opt/jdk-21 mvn package", false},
		{"the missing command on another file", rspec, "rspec spec/tax_spec.rb", true},
		{"behind its runner", rspec, "bundle exec rspec spec/tax_spec.rb", false},
		{"the same target elsewhere", just, "just deploy live", true},
		{"another target", just, "just fmt", false},
		{"another service", docker, "docker compose up -d cache", true},
		{"another subcommand of it", docker, "docker build -t shop .", true},
		{"another program", docker, "colima status", false},
		{"another request", gh, "gh issue create --title x", true},
		{"git without it", gh, "git push origin main", false},
		{"the same script on another file", perl, "perl tools/fix.pl b.txt", true},
		{"another script", perl, "perl tools/count.pl b.txt", false},
		{"a test that is green", red, "pytest tests/test_rate.py", false},
		{"a flag that was misspelt", typo, "kubectl get pods --namespace live", false},
		{"another file of the database", psql, "psql -f data.sql", true},
		{"with the password file", psql, "PGPASSFILE=.pgpass psql -f data.sql", false},
		{"what only reads", psql, "cat schema.sql", false},
	}
	right, warned, due := 0, 0, 0
	for _, tt := range tests {
		best := 0.0
		input, _ := json.Marshal(map[string]string{"command": tt.later})
		call, _ := toolcall.Read("Bash", string(input), app, app.Path)
		for _, m := range failures(NewTurn(turnOf(tt.actions...), app, nil)) {
			best = max(best, call.Relevance(&m.Memory))
		}
		got := best >= leastSure
		if got != tt.want {
			t.Errorf("%s: `%s` after `%s`: %v; warned: want %t", tt.name, tt.later, tt.actions[0].Command, best, tt.want)
		}
		if got {
			warned++
		}
		if tt.want {
			due++
		}
		if got && tt.want {
			right++
		}
	}
	t.Logf("precision %d of %d, recall %d of %d", right, warned, right, due)
}
