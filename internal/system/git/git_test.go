//go:build unix

package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// home is a user with settings of his own.
func home(t *testing.T, settings string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	write(t, filepath.Join(dir, ".gitconfig"), settings)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUserName(t *testing.T) {
	const global = "[user]\n\tname = Ana Example\n"
	tests := []struct {
		name, global, local, want string
	}{
		{"of the user", global, "", "Ana Example"},
		{"of the repository", global, "[user]\n\tname = Ana at Work\n", "Ana at Work"},
		{"of nobody", "", "", ""},
		{"that the user includes", "[include]\n\tpath = more\n", "", "Included"},
		{"that the repository includes", global, "[include]\n\tpath = MORE\n", "Ana Example"},
		{"that the repository includes for some folders", global, "[includeIf \"gitdir:/\"]\n\tpath = MORE\n", "Ana Example"},
		{"beside an alias", global, "[alias]\n\tconfig = !touch RAN\n", "Ana Example"},
		{"beside a watcher of files", global, "[core]\n\tfsmonitor = touch RAN\n\tpager = touch RAN\n[pager]\n\tconfig = touch RAN\n", "Ana Example"},
		{"beside hooks", global, "[core]\n\thooksPath = hooks\n", "Ana Example"},
		{"beside settings that git cannot read", global, "[no settings", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			user, dir := home(t, tt.global), t.TempDir()
			write(t, filepath.Join(user, "more"), "[user]\n\tname = Included\n")
			if out, err := exec.Command("git", "init", "--quiet", dir).CombinedOutput(); err != nil {
				t.Fatalf("git init: %v: %s", err, out)
			}
			ran := filepath.Join(t.TempDir(), "ran")
			f, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			local := strings.NewReplacer("RAN", ran, "MORE", filepath.Join(user, "more")).Replace(tt.local)
			if _, err := f.WriteString(local); err != nil || f.Close() != nil {
				t.Fatal(err)
			}
			if got, err := UserName(t.Context(), dir); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("a command of the repository was run")
			}
		})
	}
}

// What has no end in the place of a repository's settings, or of git itself, is not waited for.
func TestUserNameDoesNotHang(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(dir string) error
	}{
		{"settings are a pipe", func(dir string) error {
			config := filepath.Join(dir, ".git", "config")
			if err := os.Remove(config); err != nil {
				return err
			}
			return syscall.Mkfifo(config, 0o600)
		}},
		{"repository is a pipe", func(dir string) error {
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				return err
			}
			return syscall.Mkfifo(filepath.Join(dir, ".git"), 0o600)
		}},
		{"git hangs with what it started", func(dir string) error {
			bin := filepath.Join(dir, "bin")
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			if err := os.Mkdir(bin, 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nsleep 600 &\nwait\n"), 0o700)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home(t, "")
			dir := t.TempDir()
			if out, err := exec.Command("git", "init", "--quiet", dir).CombinedOutput(); err != nil {
				t.Fatalf("git init: %v: %s", err, out)
			}
			if err := tt.spoil(dir); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			name, err := UserName(t.Context(), dir)
			if name != "" || time.Since(began) > 10*nameIn {
				t.Errorf("%q, %v after %s", name, err, time.Since(began))
			}
		})
	}
}
