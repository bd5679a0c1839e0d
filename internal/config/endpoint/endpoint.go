// Package endpoint talks to the model servers named in the settings: those that embed texts, and those
// that read sessions.
//
// The servers belong to the user, but are not trusted. A client of this package connects only to this
// machine unless the user allows more, follows no redirect, and returns nothing but JSON of a bounded
// length. Any other answer becomes an error of one line. langchaingo's clients, which use this package,
// would read an answer of any length and turn a whole page into an error.
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
	"unicode"
	"unicode/utf8"
)

// A Policy says how far a server is trusted.
type Policy struct {
	AllowRemote bool   // whether the server may be on another machine
	Setting     string // name of the setting that allows it: "embedder.allow_remote"
	MaxAnswer   int64  // the longest answer that is read, in bytes
	KeepAlive   bool   // whether the connection stays open for the next request
}

// Client returns a client for a server. It uses no proxy, follows no redirects, and rejects names that
// only look local. The context limits how long it waits.
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

// strict is a transport that returns nothing but JSON of a bounded length. A
// redirect is not JSON, so it is never followed to another machine.
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
		return nil, fmt.Errorf("it answered with something other than JSON: %s", excerpt(resp, body))
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// A Refusal is an answer with an error status.
type Refusal struct {
	Status int
	Answer string // the body, in one line
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("it answered %d %s: %s", r.Status, http.StatusText(r.Status), r.Answer)
}

// PlainErrorClient is for langchaingo's clients that hide the cause of a network error. It returns errors
// in a form that they pass on.
type PlainErrorClient struct{ *http.Client }

// Do sends a request.
func (f PlainErrorClient) Do(req *http.Request) (*http.Response, error) {
	resp, err := f.Client.Do(req)
	if err == nil || errors.Is(err, context.Canceled) {
		return resp, err
	}
	if r := (*Refusal)(nil); errors.As(err, &r) {
		return nil, fmt.Errorf("%s: %w", req.URL, r)
	}
	return nil, errors.New(err.Error())
}

// maxExcerpt is the number of bytes of an unusable answer that an error quotes.
const maxExcerpt = 120

// excerpt describes an answer in one short line.
func excerpt(resp *http.Response, body []byte) string {
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		return "a page of HTML"
	}
	return OneLine(string(body), maxExcerpt)
}

// OneLine returns the beginning of s, at most n bytes and an ellipsis, without
// line breaks and other control characters.
func OneLine(s string, n int) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == utf8.RuneError || unicode.IsControl(r) }), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
