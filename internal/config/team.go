package config

import (
	"net/url"
	"slices"
	"strings"
)

// teamSchemes are the schemes of addresses of a team's server. tls fails if the server does not encrypt.
var teamSchemes = []string{"nats", "tls", "ws", "wss"}

// team checks the address of a team's server. It must not contain a password, because addresses are
// shown.
func (v *rules) team(t Team) {
	for addr := range strings.SplitSeq(t.URL, ",") {
		if t.URL == "" {
			break
		}
		u, err := url.Parse(strings.TrimSpace(addr))
		if err != nil || !slices.Contains(teamSchemes, u.Scheme) || u.Host == "" {
			v.add("team.url", `"`+shownAddress(addr)+`"`, "must be addresses such as tls://nats.example.com:4222, with commas between them")
		} else if u.User != nil {
			v.add("team.url", `"`+shownAddress(addr)+`"`, "must have no name and password, which belong into the file of team.credentials")
		}
	}
	v.path("team.credentials", t.Credentials, false)
	v.path("team.ca", t.CA, false)
}

// shownAddress returns an address without the part before its host.
func shownAddress(addr string) string {
	if at := strings.LastIndexByte(addr, '@'); at >= 0 {
		return "…" + addr[at:]
	}
	return addr
}
