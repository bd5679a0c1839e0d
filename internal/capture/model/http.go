package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"syscall"
)

// A httpClient sends for langchaingo's clients, which hide the cause of a
// network error but for one that is none to them.
type httpClient struct{ *http.Client }

// newHTTPClient returns a client that talks to this machine alone, unless
// remote is true: no proxy, no redirect, and no name that only looks local. How
// long it waits is up to the context.
func newHTTPClient(remote bool) httpClient {
	dialer := &net.Dialer{}
	if !remote {
		dialer.Control = refuseRemote
	}
	return httpClient{&http.Client{Transport: strict{&http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}}}
}

func refuseRemote(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("%s is another machine and capture.allow_remote is false", host)
	}
	return nil
}

// Do sends a request.
func (c httpClient) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.Client.Do(req)
	if err == nil || errors.Is(err, context.Canceled) {
		return resp, err
	}
	return nil, errors.New(err.Error())
}

// strict is a transport that passes on nothing but JSON of a bounded length. A
// redirect is none, so nobody follows it to another machine. langchaingo's
// clients read any length, and make an error out of a whole page.
type strict struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (s strict) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	resp.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read answer: %w", err)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("it answered %d %s: %s", resp.StatusCode, http.StatusText(resp.StatusCode), excerpt(resp, body))
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("it answered with more than %d bytes", maxAnswer)
	case !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return nil, fmt.Errorf("it answered with something else than JSON: %s", excerpt(resp, body))
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// excerpt says what an answer was, in one short line.
func excerpt(resp *http.Response, body []byte) string {
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		return "a page of HTML"
	}
	return oneLine(string(body))
}
