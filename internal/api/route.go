package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// A Route is one request of the protocol with the type of its reply, for client and daemon.
// The type of the request decides how it is encoded: a string is an id in the path, a
// question the query of the URL, struct{} nothing, and anything else JSON in the body.
//
// A Route has no functions, so that a hook links only the encoding of its own requests.
type Route[In, Out any] struct {
	Method string
	Path   string // "{id}" stands for an id
	Status int    // of a reply that is not an error
}

// A question is a request in the query of a URL. It encodes itself, because a hook sends
// none and should not link the encoding.
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

// Decode returns the value of a request. Its error is a BadRequest.
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
