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

// A guard admits only the user who opens the address that the command printed. Other users of
// the machine may connect, but have no key. Other pages in the same browser cannot read the keys,
// and their requests have another origin. With a domain that was made to point here (DNS
// rebinding), requests have another host. All pages lie below a path that nobody can guess:
// browsers send cookies to every port of a host, but only below their path, so that another
// user's server on another port does not receive the key.
type guard struct {
	host   string // 127.0.0.1 and the port
	base   string // the path above all pages, without a slash at its end
	cookie string // name of the cookie
	key    string // value of the cookie
	form   string // token in every form

	mu      sync.Mutex
	invited string // token of the printed address, "" after its use
}

func newGuard(host string) *guard {
	_, port, _ := net.SplitHostPort(host) // host is a listener's address
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

// policy allows only the page's own style sheet, script and images, and forms that lead back to the
// page.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// headers are part of every reply. The policy for referrers is not stricter, because without a referrer
// browsers send no origin with forms either.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"Cache-Control":                "no-store",
	"Referrer-Policy":              "same-origin",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

// The reasons why a request is refused.
var (
	errHost   = errors.New("this address does not belong to the page")
	errOrigin = errors.New("the request comes from another page")
	errKey    = errors.New("the address that recollect ui printed opens this page, once; start recollect ui again for another one")
	errForm   = errors.New("the form is of a page that was served before; load it again")
)

// cutBase returns the path of a request relative to the base, and false if it is outside.
func (g *guard) cutBase(path string) (string, bool) {
	n := len(g.base)
	if len(path) <= n || path[n] != '/' || !sameSecret(path[:n], g.base) {
		return "", false
	}
	return path[n:], true
}

// wrapHandler returns a handler that passes admitted requests to next, and others to refuse.
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

// acceptToken reports whether a token is that of the printed address. It accepts the token once.
func (g *guard) acceptToken(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.invited == "" || !sameSecret(token, g.invited) {
		return false
	}
	g.invited = ""
	return true
}

// cookiePage is a page that leads on to the base, which is its argument.
const cookiePage = `<!doctype html><html lang="en"><meta charset="utf-8">` +
	`<meta http-equiv="refresh" content="0;url=%[1]s/"><title>recollect</title>` +
	`<link rel="icon" href="%[1]s/static/icon.svg"><a href="%[1]s/">recollect</a>`

// handCookie sets the cookie, on a page that leads on. After a redirect instead, the browser would not
// send the cookie if the user had clicked the address on another page.
func (g *guard) handCookie(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.key, Path: g.base + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, cookiePage, g.base)
}

// checkRequest returns why a request is refused, or nil.
func (g *guard) checkRequest(r *http.Request) error {
	origin, writes := r.Header.Get("Origin"), r.Method != http.MethodGet && r.Method != http.MethodHead
	named := origin != "" || writes // browsers name the origin of requests that write
	if named && origin != g.ownOrigin() {
		return errOrigin
	}
	if !slices.Contains([]string{"", "same-origin", "none"}, r.Header.Get("Sec-Fetch-Site")) {
		return errOrigin
	}
	hasKey := func(c *http.Cookie) bool { return sameSecret(c.Value, g.key) }
	if !slices.ContainsFunc(r.CookiesNamed(g.cookie), hasKey) { // other servers on this host may have set cookies of this name
		return errKey
	}
	if writes && !sameSecret(r.PostFormValue("form"), g.form) {
		return errForm
	}
	return nil
}
