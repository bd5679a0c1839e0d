package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// A Route is one request of the protocol and what answers it. The client and
// the daemon use the same. How a request's value travels depends on its type: a
// string is an id in the path, a question stands behind the question mark,
// struct{} is nothing, and anything else is JSON in the body.
//
// Routes are data without functions, so that a hook links only what it sends.
type Route[In, Out any] struct {
	Method string
	Path   string // "{id}" stands for an id
	Status int    // of a reply that is no error
}

// A question is a value that stands behind the question mark. It encodes itself,
// so that a hook, which sends none, does not link the encoding.
type question interface{ query() string }

// A questionReader reads itself from there.
type questionReader interface{ read(url.Values) error }

// encode returns the target and the body of a request to the route at path.
func encode(path string, in any) (target string, body []byte, err error) {
	switch v := in.(type) {
	case struct{}:
		return path, nil, nil
	case string:
		return strings.Replace(path, "{id}", url.PathEscape(v), 1), nil, nil
	case question:
		if q := v.query(); q != "" {
			return path + "?" + q, nil, nil
		}
		return path, nil, nil
	}
	if body, err = json.Marshal(in); err != nil {
		return "", nil, fmt.Errorf("encode request: %w", err)
	}
	return path, body, nil
}

// Received is a request as the daemon has it.
type Received struct {
	Body  io.Reader
	Query url.Values
	ID    string // that stands in the path
}

// Decode returns what was asked. What cannot be read is a BadRequest.
func (r Route[In, Out]) Decode(from Received) (In, error) {
	var in In
	var err error
	switch v := any(&in).(type) {
	case *struct{}:
	case *string:
		*v = from.ID
	case questionReader:
		err = v.read(from.Query)
	default:
		err = json.NewDecoder(from.Body).Decode(v)
	}
	if err != nil {
		return in, &BadRequest{err}
	}
	return in, nil
}
