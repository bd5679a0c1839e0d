package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// A Route is one request of the protocol with the type of its reply, shared by the client
// and the daemon. The type of a request decides how it is encoded: a string is an id in the
// path, a question is the query of the URL, struct{} is nothing, and anything else is JSON
// in the body.
//
// Routes are data without functions, so that a hook links only what it sends.
type Route[In, Out any] struct {
	Method string
	Path   string // "{id}" stands for an id
	Status int    // of a reply that is not an error
}

// A question is a request that is encoded in the query of a URL. It encodes itself, so
// that a hook, which sends none, does not link the encoding.
type question interface{ encodeQuery() string }

// A questionReader is a question that can be decoded.
type questionReader interface{ readQuery(url.Values) error }

// encodeRequest returns the target and the body of a request to the route at path.
func encodeRequest(path string, in any) (target string, body []byte, err error) {
	switch v := in.(type) {
	case struct{}:
		return path, nil, nil
	case string:
		return strings.Replace(path, "{id}", url.PathEscape(v), 1), nil, nil
	case question:
		if q := v.encodeQuery(); q != "" {
			return path + "?" + q, nil, nil
		}
		return path, nil, nil
	}
	if body, err = json.Marshal(in); err != nil {
		return "", nil, fmt.Errorf("encode request: %w", err)
	}
	return path, body, nil
}

// Received is a request as the daemon receives it.
type Received struct {
	Body  io.Reader
	Query url.Values
	ID    string // in the path
}

// Decode returns the value of a request. The error is a BadRequest.
func (r Route[In, Out]) Decode(from Received) (In, error) {
	var in In
	var err error
	switch v := any(&in).(type) {
	case *struct{}:
	case *string:
		*v = from.ID
	case questionReader:
		err = v.readQuery(from.Query)
	default:
		err = json.NewDecoder(from.Body).Decode(v)
	}
	if err != nil {
		return in, &BadRequest{err}
	}
	return in, nil
}
