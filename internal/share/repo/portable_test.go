package repo

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestPortable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folders are those of Unix")
	}
	m := Machine{
		Home: "/home/jdoe", Host: "oakdesk.fritz.box", User: "jdoe",
		roots: []string{"/home/jdoe/src/app"}, homes: []string{"/home/jdoe"},
		public: func(host string) bool { return host == "pkg.example.dev" },
	}
	tests := []struct{ name, in, want string }{
		{"in the repository", "see /home/jdoe/src/app/lib/pool.go:12", "see lib/pool.go:12"},
		{"the repository", "in /home/jdoe/src/app, and (/home/jdoe/src/app).", "in ., and (.)."},
		{"as an address", "file:///home/jdoe/src/app/a.html", "a.html"},
		{"one of the same beginning", "/home/jdoe/src/app2/x and /home/jdoe/src/app-old", "~/src/app2/x and ~/src/app-old"},
		{"home", "in /home/jdoe/.ssh/config, /home/jdoe", "in ~/.ssh/config, ~"},
		{"another's home", `/Users/mia/x, C:\Users\mia\x and C:\\Users\\mia\\x, /mnt/c/Users/mia`, `~/x, ~\x and ~\\x, ~`},
		{"root's home", "/root/.cache, but /rooted/x and a/root/b", "~/.cache, but /rooted/x and a/root/b"},
		{"a slug", "~/.claude/projects/-home-jdoe-src-app/x", "~/.claude/projects/[folder]/x"},
		{"a system path stays", "/etc/nginx/nginx.conf", "/etc/nginx/nginx.conf"},
		{"hosts", "https://ci.acme.net/job/1, ssh://git.acme.net:22/x, db.prod.internal:5432", "https://[host]/job/1, ssh://[host]:22/x, [host]:5432"},
		{"a login in a URL", "https://jane:pw@ci.acme.net/x", "https://[host]/x"},
		{"hosts that tell nothing", "http://localhost:8080 http://127.0.0.1:80/x https://example.com 0.0.0.0", "http://localhost:8080 http://127.0.0.1:80/x https://example.com 0.0.0.0"},
		{"a host that the repository names", "https://pkg.example.dev/x", "https://pkg.example.dev/x"},
		{"numbers of hosts", "10.0.3.7:22, fe80::1ff:fe23:4567:890a", "[host]:22, [host]"},
		{"no numbers of hosts", "at 12:30:45 with v1.2.3, Chrome 120.0.0.0, sha 00:11", "at 12:30:45 with v1.2.3, Chrome 120.0.0.0, sha 00:11"},
		{"addresses", "ask mia@acme.net, clone git@github.com:acme/app", "ask [address], clone [address]:acme/app"},
		{"no addresses", "left-pad@1.3.0, @types/node@20, actions/checkout@v4", "left-pad@1.3.0, @types/node@20, actions/checkout@v4"},
		{"a shell elsewhere", "ssh -p 2 mia@prod7 ls; scp x prod.acme:/y", "ssh -p 2 [host] ls; scp x [host]:/y"},
		{"this machine", "oakdesk: jdoe ran it on oakdesk.fritz.box; oakdesks, jdoes", "[host]: [user] ran it on [host]; oakdesks, jdoes"},
		{"code", "pool.Get(ctx) in fmt.Println, config.toml", "pool.Get(ctx) in fmt.Println, config.toml"},
		{"a private part", "a <private>b</private> c", "a  c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := m.makePortable(tt.in)
			if got != tt.want {
				t.Errorf("portable(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if again := m.makePortable(got); again != got {
				t.Errorf("again %q, was %q", again, got)
			}
		})
	}
}

func FuzzPortable(f *testing.F) {
	f.Add("see /home/jdoe/src/app/x and https://jane@ci.acme.net/ or ssh jdoe@oakdesk")
	f.Add("/home/jdoe/src/app/home/jdoe//home/jdoe")
	m := Machine{User: "jdoe", Host: "oakdesk", roots: []string{"/home/jdoe/src/app"}, homes: []string{"/home/jdoe"}}
	f.Fuzz(func(t *testing.T, in string) {
		out := m.makePortable(in)
		for _, private := range []string{"/home/jdoe/", "/Users/jdoe/"} {
			if strings.Contains(out, private) {
				t.Errorf("%q still has %s: %q", in, private, out)
			}
		}
	})
}

func TestAsWritten(t *testing.T) {
	dir := t.TempDir()
	for _, form := range spellingsOf(dir) {
		if !strings.HasSuffix(filepath.ToSlash(form), filepath.Base(dir)) {
			t.Errorf("%q is no form of %q", form, dir)
		}
	}
	if got := spellingsOf(string(filepath.Separator)); got != nil {
		t.Errorf("the root of all is written %q", got)
	}
}
