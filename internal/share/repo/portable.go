package repo

import (
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory/clean"
)

// A Machine has the names that must not leave a machine.
type Machine struct {
	Home string // folder of the user
	Host string // name of the machine
	User string // name by which the user logs in

	public       func(host string) bool // reports whether the repository names a host; may be nil
	roots, homes []string               // spellings of the folders of the repository and the user
}

// The replacements for what is removed.
const (
	hostGone    = "[host]"
	addressGone = "[address]"
	userGone    = "[user]"
)

var (
	homes     = regexp.MustCompile(`(?:\b[A-Za-z]:)?(?:[/\\]+mnt[/\\]+[a-z])?[/\\]+(?:export[/\\]+home|home|Users)[/\\]+[^/\\\s:;,"'` + "`" + `()<>\[\]]+`)
	slugs     = regexp.MustCompile(`-(?:home|Users)-[A-Za-z0-9_]+(?:-[\w-]+)?`)
	addresses = regexp.MustCompile(`[\w.+-]+@[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+`)
	logins    = regexp.MustCompile(`(\b(?:ssh|scp|rsync|sftp|mosh)\b(?:[ \t]+[^\s@:]+)*?[ \t]+)(?:[\w.+-]+@[\w.-]+|[\w-]+(?:\.[\w-]+)*(:[/~]))`)
	shells    = regexp.MustCompile(`(\b(?:ssh|mosh)[ \t]+)[\w-]+(?:\.[\w-]+)+`)
	urls      = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://)(?:[^\s/@"']*@)?(\[[0-9a-fA-F:]+\]|[^\s/:'"<>()\[\]` + "`" + `,;]+)`)
	inside    = regexp.MustCompile(`(?i)\b[\w-]+(?:\.[\w-]+)*\.(?:internal|local|lan|corp|intranet|home\.arpa|localdomain|ts\.net)\b`)
	numbers   = regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{1,4}`)
	local     = []string{"localhost", "example.com", "example.org", "example.net", "host"}
	loginName = []string{"root", "user", "admin", "ubuntu", "debian", "node", "test", "build", "runner", "home", "vagrant", "postgres", "nobody", "daemon", "docker", "claude", "code"}
)

// makePortable returns a text without secrets and without names of this machine. Paths in the
// repository become relative, and folders of users "~". Hosts, addresses and logins are
// replaced.
func (m *Machine) makePortable(text string) string {
	text = clean.Text(text)
	for _, root := range m.roots {
		text = cutFolder(text, root, "", ".")
	}
	for _, home := range m.homes {
		text = cutFolder(text, home, "~/", "~")
	}
	text = homes.ReplaceAllString(text, "~")
	text = cutFolder(text, "/root", "~/", "~")
	text = slugs.ReplaceAllString(text, "[folder]")
	text = urls.ReplaceAllStringFunc(text, func(url string) string {
		part := urls.FindStringSubmatch(url)
		if m.mayName(part[2]) {
			return part[1] + part[2]
		}
		return part[1] + hostGone
	})
	text = logins.ReplaceAllString(text, "${1}"+hostGone+"${2}")
	text = shells.ReplaceAllString(text, "${1}"+hostGone)
	text = addresses.ReplaceAllString(text, addressGone)
	for _, hosts := range []*regexp.Regexp{inside, numbers} {
		text = hosts.ReplaceAllStringFunc(text, func(host string) string {
			if hosts == numbers && !numberOfHost(host) || m.mayName(host) {
				return host
			}
			return hostGone
		})
	}
	short, _, _ := strings.Cut(m.Host, ".")
	for _, name := range []string{m.Host, short} {
		if len(name) > 2 && name != "localhost" {
			text = cutWord(text, name, hostGone)
		}
	}
	if len(m.User) > 3 && !slices.Contains(loginName, strings.ToLower(m.User)) {
		text = cutWord(text, m.User, userGone)
	}
	return clean.Text(text)
}

// mayName reports whether the name of a host reveals nothing.
func (m *Machine) mayName(host string) bool {
	host = strings.ToLower(strings.Trim(host, "[]"))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback() || addr.IsUnspecified()
	}
	name := strings.TrimSuffix(host, ".")
	if slices.Contains(local, name) || strings.HasSuffix(name, ".example") || strings.HasPrefix(name, "$") {
		return true
	}
	return m.public != nil && m.public(host)
}

// numberOfHost reports whether s is the address of a host, and not a version or a time.
func numberOfHost(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && (addr.Is6() || !strings.HasSuffix(s, ".0.0"))
}

// spellingsOf returns the spellings of a folder's path: as it is and with links resolved,
// each also with slashes, and with the backslashes of a string literal.
func spellingsOf(dir string) []string {
	if dir == "" || filepath.Dir(dir) == dir {
		return nil
	}
	var all []string
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		resolved = dir
	}
	for _, d := range []string{dir, resolved} {
		for _, form := range []string{d, filepath.ToSlash(d), strings.ReplaceAll(d, `\`, `\\`)} {
			if !slices.Contains(all, form) {
				all = append(all, form)
			}
		}
	}
	return all
}

// cutFolder replaces a folder and the slash after it by below, or by alone if no path in
// the folder follows.
func cutFolder(text, dir, below, alone string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, dir)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		rest := text[at+len(dir):]
		before := strings.TrimSuffix(text[:at], "file://")
		inside := at > 0 && pathByte(text[at-1]) && before == text[:at]
		switch within := strings.TrimLeft(rest, `/\`); {
		case inside, within == rest && continuesName(rest):
			b.WriteString(text[:at+len(dir)])
			text = rest
		case within != rest && within != "" && pathByte(within[0]):
			b.WriteString(before + below)
			text = within
		default:
			b.WriteString(before + alone)
			text = within
		}
	}
}

// continuesName reports whether rest continues the name of the folder before it. A full stop may end the
// name.
func continuesName(rest string) bool {
	rest = strings.TrimPrefix(rest, ".")
	return rest != "" && pathByte(rest[0])
}

// pathByte reports whether a byte may occur in the name of a folder.
func pathByte(c byte) bool {
	return c >= utf8.RuneSelf || strings.IndexByte("_-.", c) >= 0 || isAlphanumeric(c)
}

func isAlphanumeric(c byte) bool {
	return unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) // in ASCII
}

// cutWord replaces a whole word by another one.
func cutWord(text, word, by string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, word)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := at + len(word)
		inner := wordEnds(text[:at]) || wordBegins(text[end:])
		b.WriteString(text[:at])
		if text = text[end:]; inner {
			b.WriteString(word)
		} else {
			b.WriteString(by)
		}
	}
}

func wordByte(c byte) bool { return pathByte(c) && c != '-' && c != '.' }

// wordEnds reports whether the last byte of text is part of a word.
func wordEnds(text string) bool { return text != "" && wordByte(text[len(text)-1]) }

// wordBegins reports whether the first byte of text is part of a word.
func wordBegins(text string) bool { return text != "" && wordByte(text[0]) }
