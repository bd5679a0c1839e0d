package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// A Route is one request of the protocol and what answers it. The client and
// the daemon use the same.
type Route[In, Out any] struct {
	Method string
	Path   string // "{id}" stands for an id
	Status int    // of a reply that is no error
	travel travel[In]
}

// Received is a request as the daemon has it.
type Received struct {
	Body  io.Reader
	Query url.Values
	ID    string // that stands in the path
}

// Decode returns what was asked. What cannot be read is a BadRequest.
func (r Route[In, Out]) Decode(from Received) (In, error) { return r.travel.read(from) }

// encode returns the target and the body of a request.
func (r Route[In, Out]) encode(in In) (target string, body []byte, err error) {
	return r.travel.write(r.Path, in)
}

// travel is how a request's value gets to the daemon.
type travel[In any] struct {
	write func(path string, in In) (target string, body []byte, err error)
	read  func(Received) (In, error)
}

// inBody sends a value as JSON.
func inBody[In any]() travel[In] {
	return travel[In]{
		write: func(path string, in In) (string, []byte, error) {
			body, err := json.Marshal(in)
			if err != nil {
				return "", nil, fmt.Errorf("encode request: %w", err)
			}
			return path, body, nil
		},
		read: func(from Received) (in In, err error) {
			if err := json.NewDecoder(from.Body).Decode(&in); err != nil {
				return in, &BadRequest{err}
			}
			return in, nil
		},
	}
}

// inQuery sends a value behind the question mark.
func inQuery[In any](write func(In) url.Values, read func(url.Values) (In, error)) travel[In] {
	return travel[In]{
		write: func(path string, in In) (string, []byte, error) {
			if q := write(in).Encode(); q != "" {
				path += "?" + q
			}
			return path, nil, nil
		},
		read: func(from Received) (In, error) { return read(from.Query) },
	}
}

// inPath sends an id.
func inPath() travel[string] {
	return travel[string]{
		write: func(path, id string) (string, []byte, error) {
			return strings.Replace(path, "{id}", url.PathEscape(id), 1), nil, nil
		},
		read: func(from Received) (string, error) { return from.ID, nil },
	}
}

// nothing sends no value.
func nothing() travel[struct{}] {
	return travel[struct{}]{
		write: func(path string, _ struct{}) (string, []byte, error) { return path, nil, nil },
		read:  func(Received) (struct{}, error) { return struct{}{}, nil },
	}
}
