package ui

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
)

// A guard lets in who has the address that the command printed, and nobody else: no other
// user of the machine, who may connect but has no key; no other page in the same browser,
// which cannot read the keys and whose requests say where they come from; and no name that
// was made to lead here (DNS rebinding), because requests name another host then. All of it lies
// below a path that nobody can guess: browsers send cookies to every port of a host, but only
// to their path, so that a server of somebody else on another port is not sent the key.
type guard struct {
	host   string // 127.0.0.1 and the port
	base   string // the path above all pages, without a slash at its end
	cookie string // its name
	key    string // its value
	form   string // the token that every form has

	mu      sync.Mutex
	invited string // the token of the address, "" after it was used
}

func newGuard(host string) *guard {
	_, port, _ := net.SplitHostPort(host) // of a listener
	return &guard{host: host, base: "/" + newSecret(), cookie: "recollect-" + port, key: newSecret(), form: newSecret(), invited: newSecret()}
}

// newSecret returns 256 random bits.
func newSecret() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func sameSecret(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (g *guard) ownOrigin() string { return "http://" + g.host }

func (g *guard) pageURL() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ownOrigin() + g.base + "/?token=" + g.invited
}

// policy allows what the page is made of and nothing else: its own style sheet and script, and
// forms that lead back to it.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// headers are part of every reply. A browser that may not name the referrer sends no origin
// with forms either, so each reply says how the page is to do so.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"Cache-Control":                "no-store",
	"Referrer-Policy":              "same-origin",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

// Why a request is refused.
var (
	errHost   = errors.New("this address does not belong to the page")
	errOrigin = errors.New("the request comes from another page")
	errKey    = errors.New("the address that recollect ui printed opens this page, once; start recollect ui again for another one")
	errForm   = errors.New("the form is of a page that was served before; load it again")
)

// cutBase returns the path of a request below the base, and false if it lies elsewhere.
func (g *guard) cutBase(path string) (string, bool) {
	n := len(g.base)
	if len(path) <= n || path[n] != '/' || !sameSecret(path[:n], g.base) {
		return "", false
	}
	return path[n:], true
}

// wrapHandler returns next behind the guard; refuse answers what is not let in.
func (g *guard) wrapHandler(next http.Handler, refuse func(http.ResponseWriter, *http.Request, int, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if r.Host != g.host {
			refuse(w, r, http.StatusForbidden, errHost)
			return
		}
		path, inside := g.cutBase(r.URL.Path)
		if !inside {
			refuse(w, r, http.StatusForbidden, errKey)
			return
		}
		opens := r.Method == http.MethodGet && path == "/"
		if token := r.URL.Query().Get("token"); opens && token != "" && g.acceptToken(token) {
			g.handCookie(w)
			return
		}
		if err := g.checkRequest(r); err != nil {
			refuse(w, r, http.StatusForbidden, err)
			return
		}
		http.StripPrefix(g.base, next).ServeHTTP(w, r)
	})
}

// acceptToken reports whether a token is that of the address, which works once.
func (g *guard) acceptToken(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.invited == "" || !sameSecret(token, g.invited) {
		return false
	}
	g.invited = ""
	return true
}

// cookiePage leads to the page below a path.
const cookiePage = `<!doctype html><html lang="en"><meta charset="utf-8">` +
	`<meta http-equiv="refresh" content="0;url=%[1]s/"><title>recollect</title>` +
	`<link rel="icon" href="%[1]s/static/icon.svg"><a href="%[1]s/">recollect</a>`

// handCookie hands out the cookie. The page leads on by itself, not by a redirect: with that the
// browser would not send the cookie if the address was clicked on another page.
func (g *guard) handCookie(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.key, Path: g.base + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, cookiePage, g.base)
}

// checkRequest returns why a request is not let in, or nil.
func (g *guard) checkRequest(r *http.Request) error {
	origin, writes := r.Header.Get("Origin"), r.Method != http.MethodGet && r.Method != http.MethodHead
	named := origin != "" || writes // a browser names the origin of what writes
	if named && origin != g.ownOrigin() {
		return errOrigin
	}
	if !slices.Contains([]string{"", "same-origin", "none"}, r.Header.Get("Sec-Fetch-Site")) {
		return errOrigin
	}
	hasKey := func(c *http.Cookie) bool { return sameSecret(c.Value, g.key) }
	if !slices.ContainsFunc(r.CookiesNamed(g.cookie), hasKey) { // others on this host may have set more of the name
		return errKey
	}
	if writes && !sameSecret(r.PostFormValue("form"), g.form) {
		return errForm
	}
	return nil
}
