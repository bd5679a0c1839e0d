// Package endpoint talks to the model servers that the settings name: those
// that embed, and those that read sessions.
//
// They are the user's, and trusted with nothing. A client of this package
// reaches this machine alone unless the user allows more, follows nobody
// elsewhere, and passes on nothing but JSON of a bounded length. What a server
// says instead is an error in one line: langchaingo's clients, which use it,
// read any length and make an error out of a whole page.
package endpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A Policy says how far a server is trusted.
type Policy struct {
	AllowRemote bool   // it may be on another machine
	Setting     string // that says so, as the user knows it: "embedder.allow_remote"
	MaxAnswer   int64  // bytes of the longest answer that is read
	KeepAlive   bool   // the connection stays open for the next request
}

// Client returns a client for a server: without proxy, redirects, and names
// that only look local. How long it waits is up to the context.
func (p Policy) Client() *http.Client {
	dialer := &net.Dialer{}
	if !p.AllowRemote {
		dialer.Control = p.refuseRemote
	}
	return &http.Client{Transport: strict{
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 2, DisableKeepAlives: !p.KeepAlive},
		maxAnswer: p.MaxAnswer,
	}}
}

func (p Policy) refuseRemote(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("%s is another machine and %s is false", host, p.Setting)
	}
	return nil
}

// strict is a transport that passes on nothing but JSON of a bounded length. A
// redirect is none, so nobody follows it to another machine.
type strict struct {
	*http.Transport
	maxAnswer int64
}

// RoundTrip implements http.RoundTripper.
func (s strict) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, s.maxAnswer+1))
	resp.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read answer: %w", err)
	case resp.StatusCode != http.StatusOK:
		return nil, &Refusal{resp.StatusCode, excerpt(resp, body)}
	case int64(len(body)) > s.maxAnswer:
		return nil, fmt.Errorf("it answered with more than %d bytes", s.maxAnswer)
	case !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return nil, fmt.Errorf("it answered with something else than JSON: %s", excerpt(resp, body))
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// A Refusal is an answer that has a status instead of what was asked for.
type Refusal struct {
	Status int
	Answer string // in one line
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("it answered %d %s: %s", r.Status, http.StatusText(r.Status), r.Answer)
}

// Frank sends for those of langchaingo's clients that hide the cause of a
// network error: its errors are none to them.
type Frank struct{ *http.Client }

// Do sends a request.
func (f Frank) Do(req *http.Request) (*http.Response, error) {
	resp, err := f.Client.Do(req)
	if err == nil || errors.Is(err, context.Canceled) {
		return resp, err
	}
	if r := (*Refusal)(nil); errors.As(err, &r) {
		return nil, fmt.Errorf("%s: %w", req.URL, r)
	}
	return nil, errors.New(err.Error())
}

// maxExcerpt is how much of an unusable answer is passed on, in bytes.
const maxExcerpt = 120

// excerpt says what an answer was, in one short line.
func excerpt(resp *http.Response, body []byte) string {
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		return "a page of HTML"
	}
	return OneLine(string(body), maxExcerpt)
}

// OneLine returns the beginning of s, at most n bytes and an ellipsis, without
// line breaks and what else does not belong in a line.
func OneLine(s string, n int) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == utf8.RuneError || r >= 0x7f && r < 0xa0 }), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
