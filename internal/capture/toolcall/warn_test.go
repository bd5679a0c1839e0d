package toolcall

import "testing"

// What failed once warns before every command that it will happen to again,
// and before no other.
func TestWarnings(t *testing.T) {
	const (
		noJq      = "bash: jq: command not found"
		noTofu    = `exec: "tofu": executable file not found in $PATH`
		noLint    = "make: golangci-lint: No such file or directory"
		noVite    = "sh: 1: vite: not found"
		noRuff    = "/usr/bin/python3: No module named ruff"
		noNumpy   = "ModuleNotFoundError: No module named 'numpy'"
		noSharp   = "Error: Cannot find module 'sharp'"
		noProfile = "AWS_PROFILE is not set"
		noKey     = "Error: required key not provided: API_TOKEN"
		noVault   = "ERROR! Attempting to decrypt but no vault secrets found"
		noCgo     = "Binary was compiled with 'CGO_ENABLED=0', go-sqlite3 requires cgo to work. This is a stub"
		noCreds   = "Unable to locate credentials. You can configure credentials by running \"aws configure\"."
		portTaken = "Error: listen EADDRINUSE: address already in use :::4000"
		wrongType = "src/tax.rs:9:5: error[E0308]: mismatched types"
		flag      = "error: unexpected argument '--profle' found"
		java      = "BUG! exception in phase 'semantic analysis' Unsupported class file major version 65"
	)
	tests := []struct {
		was, fault, fix, later string
		want                   bool
	}{
		{"jq .name package.json", noJq, "", "curl -s https://api.test/v1 | jq '.items[]'", true},
		{"jq .name package.json", noJq, "", "python3 -m json.tool package.json", false},
		{"jq .name package.json", noJq, "ran `brew install jq`", "grep jq README.md", false},
		{"tofu plan", noTofu, "`terraform plan` works", "cd infra && tofu apply -auto-approve", true},
		{"tofu plan", noTofu, "`terraform plan` works", "terraform apply", false},
		{"make lint", noLint, "", "golangci-lint run ./store", true},
		{"make lint", noLint, "", "make lint DIR=store", true},
		{"make lint", noLint, "", "make test", false},
		{"npm run build", noVite, "ran `npm ci`", "npm run build -- --mode staging", true},
		{"npm run build", noVite, "ran `npm ci`", "vite preview", true},
		{"npm run build", noVite, "", "npx vite build", false},
		{"npm run build", noVite, "ran `npm ci`", "npm ci", false},
		{"python3 -m ruff check src", noRuff, "`uvx ruff check src` works", "python3 -m ruff format tests/a.py", true},
		{"python3 -m ruff check src", noRuff, "`uvx ruff check src` works", "uvx ruff format .", false},
		{"python3 -m ruff check src", noRuff, "", "python3 -m http.server", false},
		{"python3 tools/plot.py --day 3", noNumpy, "`.venv/bin/python tools/plot.py --day 3` works", "python3 tools/plot.py --day 9 --svg", true},
		{"python3 tools/plot.py --day 3", noNumpy, "`.venv/bin/python tools/plot.py --day 3` works", ".venv/bin/python tools/plot.py", false},
		{"python3 tools/plot.py --day 3", noNumpy, "", "python3 manage.py migrate", false},
		{"python3 tools/plot.py --day 3", noNumpy, "", `python3 -c "import numpy; print(numpy.__version__)"`, true},
		{"node scripts/thumbs.js a.png", noSharp, "ran `npm install sharp`", "node scripts/thumbs.js b.png", true},
		{"node scripts/thumbs.js a.png", noSharp, "ran `npm install sharp`", "node scripts/report.js", false},
		{"make deploy STAGE=eu", noProfile, "`AWS_PROFILE=ops make deploy STAGE=eu` works", "make deploy STAGE=us", true},
		{"make deploy STAGE=eu", noProfile, "", "make deploy STAGE=us", true},
		{"make deploy STAGE=eu", noProfile, "`AWS_PROFILE=ops make deploy STAGE=eu` works", "AWS_PROFILE=ops make deploy STAGE=us", false},
		{"make deploy STAGE=eu", noProfile, "", "make clean STAGE=us", false},
		{"./bin/sync orders --since 2026-01-01", noKey, "", "./bin/sync refunds --since 2026-02-01", true},
		{"ansible-playbook -i hosts site.yml --limit web1", noVault, "`ansible-playbook -i hosts site.yml --limit web1 --vault-password-file ~/.vp` works", "ansible-playbook -i hosts dns.yml --check", true},
		{"ansible-playbook -i hosts site.yml --limit web1", noVault, "`ansible-playbook -i hosts site.yml --limit web1 --vault-password-file ~/.vp` works", "ansible-playbook -i hosts dns.yml --vault-password-file ~/.vp", false},
		{"go test ./store", noCgo, "`CGO_ENABLED=1 go test ./store` works", "go test ./... -run TestOpen", true},
		{"go test ./store", noCgo, "`CGO_ENABLED=1 go test ./store` works", "CGO_ENABLED=1 go test ./cmd", false},
		{"aws s3 ls s3://logs", noCreds, "", "aws s3 cp a.txt s3://backup/", true},
		{"aws s3 ls s3://logs", noCreds, "", "aws s3 ls s3://backup", true},
		{"npm start", portTaken, "`PORT=4100 npm start` works", "npm start", true},
		{"cargo build -p tax", wrongType, "edited src/tax.rs: `let t: u64 = 0;`", "cargo build -p cart", false},
		{"sbt assembly --profle x", flag, "", "sbt assembly", false},
		{"./gradlew assembleDebug", java, "`JAVA_HOME=/opt/jdk17 ./gradlew assembleDebug` works", "./gradlew bundleRelease", true},
	}
	for _, tt := range tests {
		t.Run(tt.was+" then "+tt.later, func(t *testing.T) {
			call, _ := Read("Bash", input(t, "command", tt.later), shop, "/src/shop")
			m := failed(tt.was, tt.fault, tt.fix)
			if got := call.Relevance(&m); got >= leastSure != tt.want {
				t.Errorf("Bears() = %v; warned: want %t", got, tt.want)
			}
		})
	}
}
