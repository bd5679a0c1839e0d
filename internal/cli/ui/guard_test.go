package ui

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// Whoever is not the browser that the user opened is refused, whatever is asked for.
func TestGuard(t *testing.T) {
	s := newSite(t).enter()
	own, form := s.guard.ownOrigin(), url.Values{"form": {s.guard.form}}
	_, port, _ := strings.Cut(s.guard.host, ":")
	tests := []struct {
		name, method, path string
		form               url.Values
		headers            []string
		want               int
	}{
		{"own page", "GET", "/", nil, nil, 200},
		{"own form", "POST", "/ranking", form, nil, 200},
		{"address typed", "GET", "/", nil, []string{"Sec-Fetch-Site", "none"}, 200},
		{"script of the page", "GET", "/", nil, []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"no cookie", "GET", "/", nil, []string{"Cookie", "x=y"}, 403},
		{"wrong cookie", "GET", "/timeline", nil, []string{"Cookie", s.guard.cookie + "=" + newSecret()}, 403},
		{"style without a cookie", "GET", "/static/style.css", nil, []string{"Cookie", "x=y"}, 403},
		{"unknown page without a cookie", "GET", "/x", nil, []string{"Cookie", "x=y"}, 403},
		{"name that leads here", "GET", "/", nil, []string{"Host", "evil.example:" + port}, 403},
		{"another name of this machine", "GET", "/", nil, []string{"Host", "localhost:" + port}, 403},
		{"host without its port", "GET", "/", nil, []string{"Host", "127.0.0.1"}, 403},
		{"read by another page", "GET", "/", nil, []string{"Origin", "https://evil.example"}, 403},
		{"link on another page", "GET", "/", nil, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"link on another port", "GET", "/", nil, []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"form of another page", "POST", "/ranking", form, []string{"Origin", "https://evil.example"}, 403},
		{"form of another port", "POST", "/ranking", form, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"form that hides its page", "POST", "/ranking", form, []string{"Origin", "null"}, 403},
		{"form without an origin", "POST", "/ranking", form, []string{"Origin", ""}, 403},
		{"form without a token", "POST", "/ranking", nil, nil, 403},
		{"form with another token", "POST", "/ranking", url.Values{"form": {newSecret()}}, nil, 403},
		{"token in the address alone", "POST", "/ranking?form=" + s.guard.form, nil, nil, 403},
		{"another method", "DELETE", "/memory/x", nil, []string{"Origin", own}, 403},
		{"wrong address", "GET", "/?token=" + newSecret(), nil, []string{"Cookie", "x=y"}, 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, body := s.asOther(tt.headers).do(tt.method, tt.path, tt.form, tt.headers...)
			if r.StatusCode != tt.want {
				t.Errorf("status %d, want %d: %s", r.StatusCode, tt.want, body)
			}
			if tt.want == 403 && (strings.Contains(body, "<") || strings.Contains(body, s.guard.form)) {
				t.Errorf("the refusal says %s", body)
			}
			for name, want := range headers {
				if got := r.Header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

// asOther returns s without its cookies if the headers bring others.
func (s *site) asOther(headers []string) *site {
	if len(headers) > 0 && headers[0] == "Cookie" {
		return &site{s.Server, s.t, &http.Client{Timeout: patience}}
	}
	return s
}

// The address works once, and what it leaves in the browser no script can read.
func TestAddressWorksOnce(t *testing.T) {
	s := newSite(t)
	address := s.URL()
	r, body := s.do(http.MethodGet, address, nil)
	cookies := r.Cookies()
	if r.StatusCode != 200 || len(cookies) != 1 {
		t.Fatalf("status %s, cookies %v", r.Status, cookies)
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != s.guard.base+"/" || strings.Contains(body, c.Value) {
		t.Errorf("cookie %s, page %s", c, body)
	}
	stranger := s.asOther([]string{"Cookie"})
	for _, again := range []string{address, s.URL(), s.guard.ownOrigin() + s.guard.base + "/?token="} {
		if r, _ := stranger.do(http.MethodGet, again, nil); r.StatusCode != 403 || len(r.Cookies()) > 0 {
			t.Errorf("the second time %s gives %s, cookies %v", again, r.Status, r.Cookies())
		}
	}
	s.get("/")
}

// What lies elsewhere than below the path of the address is not there for anybody, the cookie is sent
// nowhere else, and one that another server of this host has set beside it does no harm.
func TestPath(t *testing.T) {
	s := newSite(t).enter()
	g := s.guard
	key := g.cookie + "=" + g.key
	tests := []struct {
		name, path, cookie string
		want               int
	}{
		{"own page", g.base + "/", key, 200},
		{"own page of a name", g.base + "/timeline", key, 200},
		{"root", "/", key, 403},
		{"root with a token", "/?token=" + newSecret(), key, 403},
		{"page of the name", "/timeline", key, 403},
		{"style", "/static/style.css", key, 403},
		{"path without its end", g.base, key, 403},
		{"part of the path", g.base[:len(g.base)-1] + "/", key, 403},
		{"path and more", g.base + "x/", key, 403},
		{"another path", "/" + newSecret() + "/", key, 403},
		{"path in capitals", strings.ToUpper(g.base) + "/", key, 403},
		{"path after another", "/x" + g.base + "/", key, 403},
		{"path that goes up", "/x/.." + g.base + "/", key, 403},
		{"path twice", g.base + g.base + "/", key, 404},
		{"beside a cookie of the name", g.base + "/", g.cookie + "=x; " + key, 200},
		{"before a cookie of the name", g.base + "/", key + "; " + g.cookie + "=x", 200},
		{"cookie of the name alone", g.base + "/", g.cookie + "=x", 403},
		{"path without a cookie", g.base + "/", "x=y", 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stranger := s.asOther([]string{"Cookie"})
			r, body := stranger.do(http.MethodGet, g.ownOrigin()+tt.path, nil, "Cookie", tt.cookie)
			if r.StatusCode != tt.want || tt.want == 403 && strings.Contains(body, g.base) {
				t.Errorf("status %d, want %d: %.200s", r.StatusCode, tt.want, body)
			}
		})
	}
	for _, other := range []string{"/", "/x", "/" + newSecret() + "/", g.base[:len(g.base)-1] + "/"} {
		if sent := s.browser.Jar.Cookies(&url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: other}); len(sent) > 0 {
			t.Errorf("a browser sends %s the cookies %v", other, sent)
		}
	}
}

// Every address on every page lies below the path.
func TestLinksLieBelowThePath(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(memory.Memory{Source: memory.Journal, Title: "pool", Text: "retry", Session: "s1"})[0]
	waiting := memory.Memory{Source: memory.Preferences, Title: "waits", Text: "wait", Session: "s1"}
	waiting.SetPending(true)
	s.store(waiting)
	link := regexp.MustCompile(`(?:href|src|action|formaction)="([^"]*)"`)
	for _, page := range []string{"/", "/?q=pool", "/timeline", "/timeline?session=s1", "/memory/" + id, "/decisions", "/sessions", "/session/s1", "/charts", "/ranking", "/guards", "/changes", "/review"} {
		for _, found := range link.FindAllStringSubmatch(s.get(page), -1) {
			if !strings.HasPrefix(found[1], s.guard.base+"/") && !strings.HasPrefix(found[1], "#") {
				t.Errorf("%s leads to %s", page, found[1])
			}
		}
	}
}

const hostile = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>"

// What a memory says is text wherever it stands, and no character in it hides or turns text.
func TestMemoriesAreText(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(memory.Memory{
		Source: memory.Journal, Title: "pool " + hostile, Text: hostile + "\nsecond\u202e line\u200b", Project: hostile, ProjectPath: "/x/" + hostile,
		Fields: map[string]string{"rationale": hostile, "topic\"><script>": hostile}, Evidence: hostile, Session: "s " + hostile, Keywords: []string{hostile},
	})[0]
	s.store(memory.Memory{Source: memory.Episodes, Title: "why is the pool " + hostile, Session: "s " + hostile, Turn: "t"})
	s.store(memory.Memory{Source: memory.Journal, Title: "newer " + hostile, Supersedes: []string{id}})
	waiting := memory.Memory{Source: memory.Preferences, Title: "waits " + hostile, Text: hostile, Evidence: hostile, Project: hostile, Session: "s " + hostile}
	waiting.SetPending(true)
	wait := s.store(waiting)[0]
	_, again := s.post("/memory/"+id+"/supersede", "title", "again "+hostile)
	for _, page := range []string{
		"/", "/?q=" + url.QueryEscape("pool "+hostile), "/?mode=search&q=pool+script&dir=" + url.QueryEscape(hostile) + "&own=" + url.QueryEscape(hostile), "/timeline", "/timeline?project=" + url.QueryEscape(hostile),
		"/timeline?session=" + url.QueryEscape("s "+hostile), "/memory/" + id, "/decisions", "/sessions", "/charts", "/ranking?sources.min_relevance=0.01", "/guards", "/changes", "/review", "/memory/" + wait, again,
	} {
		body := page
		if strings.HasPrefix(page, "/") {
			body = s.get(page)
		}
		for _, bad := range []string{"<script>", "<img", "\u202e", "\u200b", " style=", " onclick=", "javascript:"} {
			if strings.Contains(body, bad) {
				t.Errorf("%.80s has %q", page, bad)
			}
		}
	}
	wants(t, s.get("/memory/"+id), "&lt;script&gt;alert(1)&lt;/script&gt;", "second line")
}
