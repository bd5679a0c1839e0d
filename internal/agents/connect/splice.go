package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// A place is a value in a text, between two offsets.
type place struct{ from, to int }

// A member is a member of an object, or an element of an array.
type member struct {
	place        // including its key
	key   string // "" in an array
	value place
	raw   gjson.Result
}

// membersOf returns the members of an object or array that begins at at in the text.
func membersOf(container gjson.Result, at int) []member {
	var all []member
	container.ForEach(func(key, value gjson.Result) bool {
		// Indexes count from the beginning of the container's own text.
		v := place{at + value.Index - container.Index, at + value.Index - container.Index + len(value.Raw)}
		m := member{place: v, value: v, raw: value}
		if container.IsObject() {
			m.key, m.from = key.String(), at+key.Index-container.Index
		}
		all = append(all, m)
		return true
	})
	return all
}

// add inserts a piece after the last member of the container whose bracket is at at, in the layout of the
// other members.
func add(text string, at int, members []member, piece string) string {
	if len(members) == 0 {
		return text[:at+1] + emptySpace(text, at) + piece + text[at+1:]
	}
	last := members[len(members)-1]
	return text[:last.to] + "," + spaceBefore(text, last.from) + piece + text[last.to:]
}

// remove removes the i-th member of a container and the comma that came with it. It undoes add for the
// last member.
func remove(text string, at int, members []member, i int) string {
	m := members[i]
	switch {
	case i > 0:
		return text[:members[i-1].to] + text[m.to:]
	case len(members) > 1:
		return text[:m.from] + text[members[1].from:]
	}
	return text[:at+1] + text[m.to:]
}

// emptySpace returns the white space to put before the first member of an empty container. It is a new
// line if the closing bracket is on a line of its own at the left margin.
func emptySpace(text string, at int) string {
	switch {
	case strings.HasPrefix(text[at+1:], "\n}"):
		return "\n  "
	case strings.HasPrefix(text[at+1:], "\r\n}"):
		return "\r\n  "
	}
	return ""
}

// spaceBefore returns the white space that ends at an offset.
func spaceBefore(text string, at int) string {
	return text[len(strings.TrimRight(text[:at], " \t\r\n")):at]
}

// laidOut returns a value as JSON. If space has a new line, the JSON has several lines with the same line
// ends.
func laidOut(value any, space string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "", err
	}
	i := strings.LastIndexByte(space, '\n')
	if i < 0 {
		return strings.TrimSpace(b.String()), nil
	}
	var out bytes.Buffer
	indent := space[i+1:]
	step := "  "
	if strings.HasPrefix(indent, "\t") {
		step = "\t"
	}
	if err := json.Indent(&out, bytes.TrimSpace(b.Bytes()), indent, step); err != nil {
		return "", err
	}
	if strings.Contains(space, "\r\n") {
		return strings.ReplaceAll(out.String(), "\n", "\r\n"), nil
	}
	return out.String(), nil
}

// only returns the member with a key, and an error if there are two.
func only(members []member, key string) (member, bool, error) {
	var found member
	n := 0
	for _, m := range members {
		if m.key == key {
			found, n = m, n+1
		}
	}
	if n > 1 {
		return found, false, fmt.Errorf("%s: stands there %d times", key, n)
	}
	return found, n == 1, nil
}

// byteOrderMark may begin a file.
const byteOrderMark = "\ufeff"

// parse returns the object in a text, and its offset.
func parse(text string) (gjson.Result, int, error) {
	body := strings.TrimPrefix(text, byteOrderMark)
	if !gjson.Valid(body) {
		return gjson.Result{}, 0, errors.New("not JSON without comments")
	}
	object := gjson.Parse(body)
	if !object.IsObject() {
		return gjson.Result{}, 0, errors.New("not a JSON object")
	}
	return object, strings.IndexByte(text, '{'), nil
}
