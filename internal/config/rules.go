package config

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"time"
)

// maxTokens keeps every injection below 10,000 UTF-16 units, beyond which Claude Code replaces it by a
// file name: 2,300 tokens of four characters and the frame around them.
const maxTokens = 2300

// A violation is a setting that breaks a rule.
type violation struct {
	key  string // dotted
	rule string // "= 2: must be between 0 and 1"
}

// rules collects the violations of the settings that its methods check.
type rules []violation

func (v *rules) add(key string, value any, rule string) {
	*v = append(*v, violation{key, fmt.Sprintf("= %v: %s", value, rule)})
}

func (v *rules) whole(key string, n, low, high int) {
	if n < low || n > high {
		v.add(key, n, fmt.Sprintf("must be between %d and %d", low, high))
	}
}

func (v *rules) number(key string, f, low, high float64) {
	switch {
	case !math.IsInf(high, 1) && !(f >= low && f <= high):
		v.add(key, f, fmt.Sprintf("must be between %v and %v", low, high))
	case !(f >= low) || math.IsInf(f, 1):
		v.add(key, f, fmt.Sprintf("must be %v or more", low))
	}
}

func (v *rules) age(key string, d Duration) {
	if d < 0 {
		v.add(key, time.Duration(d), "must be 0s or more")
	}
}

// path checks an absolute path.
func (v *rules) path(key, path string, needed bool) {
	if (path != "" || needed) && !filepath.IsAbs(path) {
		v.add(key, fmt.Sprintf("%q", path), "must be an absolute path")
	}
}

// server checks the URL of a server. reads says what the server would read.
func (v *rules) server(key, address string, allowRemote bool, reads string) {
	u, err := url.Parse(address)
	web := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	switch {
	case !web || u.Hostname() == "":
		v.add(key, fmt.Sprintf("%q", address), "must be the URL of a server, such as http://127.0.0.1:8080/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		v.add(key, fmt.Sprintf("%q", address), "must be a plain URL, without user, query or fragment")
	case !allowRemote && !loopback(u.Hostname()):
		v.add(key, fmt.Sprintf("%q", address), "is another machine, which would read "+reads+": must be this one unless allow_remote is true")
	}
}

func loopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
