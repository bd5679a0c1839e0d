package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// What fails, and what of it is put right, with the tools of other languages.
func TestFailuresOfOtherTools(t *testing.T) {
	tests := []struct {
		name    string
		actions []claudecode.Action
		want    []string
	}{
		{"providers",
			[]claudecode.Action{fails("terraform plan", "Error: Inconsistent dependency lock file\n\nprovider registry.terraform.io/hashicorp/aws: required by this configuration but no version is selected"), passes("terraform init -upgrade"), passes("terraform plan")},
			[]string{"`terraform plan` fails: Inconsistent dependency lock file. Fix: `terraform init -upgrade` => ran `terraform init -upgrade` sure"}},
		{"another JDK",
			[]claudecode.Action{fails("./gradlew test", "FAILURE: Build failed with an exception.\n* What went wrong:\nerror: invalid source release: 21"), passes("JAVA_HOME=/opt/jdk21 ./gradlew test")},
			[]string{"`./gradlew test` fails: invalid source release: 21. Fix: `JAVA_HOME=/opt/jdk21 ./gradlew test` => `JAVA_HOME=/opt/jdk21 ./gradlew test` works sure"}},
		{"another lock file",
			[]claudecode.Action{fails("npm ci", "npm error The `npm ci` command can only install with an existing package-lock.json"), passes("bun install --frozen-lockfile")}, nil},
		{"another source of packages",
			[]claudecode.Action{fails("dotnet test", "/home/dev/app/Api.csproj : error NU1101: Unable to find package Acme.Core. No packages exist with this id in source(s): nuget.org"), passes("dotnet nuget add source https://nuget.acme.test/v3/index.json -n acme"), passes("dotnet test")},
			[]string{"`dotnet test` fails: Api.csproj : error NU1101: Unable to find package Acme.Core. No package…. Fix: `dotnet nuget add …` => ran `dotnet nuget add source https://nuget.acme.test/v3/index.json -n acme` sure"}},
		{"another port",
			[]claudecode.Action{fails("psql -h localhost -p 5432 shop -c 'select 1'", `psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused`), passes("psql -h localhost -p 5433 shop -c 'select 1'")},
			[]string{"`psql -h localhost -p 5432 shop -c 'select 1'` fails: psql: error: connection to server at \"localh…. Fix: with `-p 5433` => `psql -h localhost -p 5433 shop -c 'select 1'` works sure"}},
		{"another context",
			[]claudecode.Action{fails("kubectl get pods -n shop", "The connection to the server localhost:8080 was refused - did you specify the right host or port?"), passes("kubectl config use-context staging"), passes("kubectl get pods -n shop")},
			[]string{"`kubectl get pods -n shop` fails: The connection to the server localhost:8080 was…. Fix: `kubectl config use-context …` => ran `kubectl config use-context staging` sure"}},
		{"a port that another container held",
			[]claudecode.Action{fails("docker compose up -d", "Error response from daemon: driver failed programming external connectivity on endpoint db: Bind for 0.0.0.0:5432 failed: port is already allocated"), passes("docker stop old-db"), passes("docker compose up -d")},
			[]string{"`docker compose up -d` fails: response from daemon: driver failed programming external conne…. Fix: `docker stop old-db` => ran `docker stop old-db` sure"}},
		{"another stage passes",
			[]claudecode.Action{fails("make deploy STAGE=eu", "Error: AWS_PROFILE is not set\nmake: *** [deploy] Error 1"), passes("make deploy STAGE=us")}, nil},
		{"another argument passes",
			[]claudecode.Action{fails("./deploy.sh eu", "Error: the lock of eu is held by ci"), passes("./deploy.sh us")}, nil},
		{"a toolchain",
			[]claudecode.Action{fails("cargo build", "error: package `clap v4.5` cannot be built because it requires rustc 1.74 or newer"), passes("rustup update stable"), passes("cargo build")},
			[]string{"`cargo build` fails: package 'clap v4.5' cannot be built because it requires rustc 1.74 or…. Fix: `rustup update stable` => ran `rustup update stable` sure"}},
		{"what was installed first did not help",
			[]claudecode.Action{fails("cargo build", "error: linker `cc` not found"), passes("apt-get install -y clang"), fails("cargo build", "error: linker `cc` not found"), passes("apt-get install -y build-essential"), passes("cargo build")},
			[]string{"`cargo build` fails: linker 'cc' not found. Fix: `apt-get install -y build-essential` => ran `apt-get install -y build-essential` sure"}},
		{"a browser that was not installed",
			[]claudecode.Action{fails("npx playwright test", "Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright"), passes("npx playwright install"), passes("npx playwright test")},
			[]string{"`npx playwright test` fails: browserType.launch: Executable doesn't exist at /root/.cach…. Fix: `npx playwright install` => ran `npx playwright install` sure"}},
		{"another package passes",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestFee (0.00s)\n    fee_test.go:9: dial tcp 127.0.0.1:6379: connect: connection refused\nFAIL\nFAIL\texample/fee\t0.01s\nok  \texample/tax\t0.01s"), passes("docker start redis"), passes("go test ./tax")}, nil},
		{"the package that failed passes",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestFee (0.00s)\n    fee_test.go:9: dial tcp 127.0.0.1:6379: connect: connection refused\nFAIL\nFAIL\texample/fee\t0.01s\nok  \texample/tax\t0.01s"), passes("docker start redis"), passes("go test ./fee")},
			[]string{"`go test ./...` fails: dial tcp 127.0.0.1:6379: connect: connection refused. Fix: `docker start redis` => ran `docker start redis` sure"}},
		{"a commit is no fix",
			[]claudecode.Action{fails("npm run e2e", "Error: page.goto: net::ERR_CONNECTION_RESET"), passes("git commit -am wip"), passes("npm run e2e")}, nil},
		{"gems",
			[]claudecode.Action{fails("bundle exec rspec", "Could not find nokogiri-1.16.2 in locally installed gems (Bundler::GemNotFound)"), passes("bundle install"), passes("bundle exec rspec")},
			[]string{"`bundle exec rspec` fails: Could not find nokogiri-1.16.2 in locally installed gems (Bundler::Ge…. Fix: `bundle install` => ran `bundle install` sure"}},
		{"a database that was started",
			[]claudecode.Action{fails("mix test", "** (Mix) The database for Shop.Repo couldn't be created: connection refused"), passes("docker compose up -d db"), passes("mix test")},
			[]string{"`mix test` fails: ** (Mix) The database for Shop.Repo couldn't be created: connection r…. Fix: `docker compose up -d db` => ran `docker compose up -d db` sure"}},
		{"a program that is missing",
			[]claudecode.Action{fails("swift build", "bash: swift: command not found")},
			[]string{"`swift build` fails: swift: command not found => ?"}},
		{"another version of node",
			[]claudecode.Action{fails("npm run build", "error: The engine \"node\" is incompatible with this module. Expected version \">=20\". Got \"18.19.0\""), passes("nvm use 20 && npm run build")},
			[]string{"`npm run build` fails: The engine \"node\" is incompatible with this module. Expected…. Fix: `nvm use 20 && npm run build` => `nvm use 20 && npm run build` works sure"}},
		{"through uv",
			[]claudecode.Action{fails("python manage.py migrate", "ModuleNotFoundError: No module named 'django'"), passes("uv run python manage.py migrate")},
			[]string{"`python manage.py migrate` fails: No module named 'django'. Fix: `uv run python` => `uv run python manage.py migrate` works sure"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := asLines(failures(NewTurn(turnOf(tt.actions...), app, nil)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}
