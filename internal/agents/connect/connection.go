// Package connect enters recollect's hook into the settings of other coding agents, and removes it again.
//
// Settings belong to the user. Only one entry for each event is added, after the existing ones, so that
// the numbers by which an agent knows the other hooks stay the same. Removing the entries restores every
// byte, even if the user has edited the text around them.
package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// mark ends every command that we enter, and distinguishes our entries from others.
func (a Agent) mark() string { return "recollect-hook --agent " + a.Name }

// Command returns the command line to enter. hook is the path of the hook, quoted for the shell.
func (a Agent) Command(hook string) string { return hook + " --agent " + a.Name }

// ours reports whether we entered a command: it is the hook, by a path that may be quoted.
func (a Agent) ours(command string) bool {
	command = strings.NewReplacer(`'`, "", `"`, "", ".exe ", " ").Replace(command)
	return strings.HasSuffix(command, a.mark())
}

// An entry is an element of the settings for one event: a group of hooks, or a hook.
type entry struct {
	Hooks []entryHook `json:"hooks"`
}

type entryHook struct {
	Name    string `json:"name,omitempty"`
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

func (a Agent) entry(command string) any {
	if a.flat {
		return entryHook{Command: command, Timeout: a.timeout}
	}
	h := entryHook{Type: "command", Command: command, Timeout: a.timeout}
	if a.named {
		h.Name = "recollect"
	}
	return entry{[]entryHook{h}}
}

// hooksKey is the key of the hooks in the settings.
const hooksKey = "hooks"

// blank is the text of empty settings, to which entries can be added.
const blank = "{\n}\n"

// Blank returns the text of settings without hooks.
func (a Agent) Blank() string {
	if a.flat {
		return "{\n  \"version\": 1\n}\n"
	}
	return blank
}

// Enter adds the entries for a command to the text of settings. It returns the new text and the
// containers that it had to make. It fails if Remove would not restore the text.
func (a Agent) Enter(text, command string) (string, []string, error) {
	if a.source != "" {
		return a.enterPlugin(text, command)
	}
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) == "" {
		return "", nil, errors.New("has nothing in it")
	}
	edited, made := text, []string(nil)
	for _, event := range a.theirs() {
		if err := a.enter(&edited, &made, event, command); err != nil {
			return "", nil, err
		}
	}
	if back, err := a.Remove(edited, made); err != nil || back != text {
		return "", nil, errors.Join(errors.New("the hooks cannot be entered so that removing them restores it"), err)
	}
	return edited, made, nil
}

// enter adds the entry of one event.
func (a Agent) enter(text *string, made *[]string, event, command string) error {
	hooks, err := a.container(text, made, hooksKey, map[string]any{event: []any{a.entry(command)}})
	if err != nil {
		return err
	}
	if hooks == nil {
		*made = append(*made, hooksKey+"."+event)
		return nil
	}
	list, ok, err := only(membersOf(hooks.raw, hooks.value.from), event)
	if err != nil {
		return fmt.Errorf("%s.%w", hooksKey, err)
	}
	all := membersOf(hooks.raw, hooks.value.from)
	if !ok {
		piece, err := keyed(event, []any{a.entry(command)}, spaceOf(*text, hooks.value.from, all))
		if err != nil {
			return err
		}
		*text = add(*text, hooks.value.from, all, piece)
		*made = append(*made, hooksKey+"."+event)
		return nil
	}
	if !list.raw.IsArray() {
		return fmt.Errorf("%s.%s: is no list", hooksKey, event)
	}
	elements := membersOf(list.raw, list.value.from)
	piece, err := laidOut(a.entry(command), spaceOf(*text, list.value.from, elements))
	if err != nil {
		return err
	}
	*text = add(*text, list.value.from, elements, piece)
	return nil
}

// container returns the member of the settings with a key, which must be an object. If there is none, it
// makes one with this value and returns nil.
func (a Agent) container(text *string, made *[]string, key string, value any) (*member, error) {
	object, at, err := parse(*text)
	if err != nil {
		return nil, err
	}
	all := membersOf(object, at)
	m, ok, err := only(all, key)
	switch {
	case err != nil:
		return nil, err
	case ok && !m.raw.IsObject():
		return nil, fmt.Errorf("%s: is no object", key)
	case ok:
		return &m, nil
	}
	piece, err := keyed(key, value, spaceOf(*text, at, all))
	if err != nil {
		return nil, err
	}
	*text = add(*text, at, all, piece)
	*made = append(*made, key)
	return nil, nil
}

// spaceOf returns the white space before the last member of a container, or for the first one of an empty
// container.
func spaceOf(text string, at int, all []member) string {
	if len(all) == 0 {
		return emptySpace(text, at)
	}
	return spaceBefore(text, all[len(all)-1].from)
}

func keyed(key string, value any, space string) (string, error) {
	quoted, err := json.Marshal(key)
	if err != nil {
		return "", err
	}
	piece, err := laidOut(value, space)
	return string(quoted) + ": " + piece, err
}

// Remove removes our entries from the text of settings, and those of the containers in made that are then
// empty.
func (a Agent) Remove(text string, made []string) (string, error) {
	if a.source != "" {
		return a.removePlugin(text), nil
	}
	if commands, err := a.Commands(text); err != nil || len(commands) == 0 {
		return text, err // the user has written the settings anew, so empty containers are theirs
	}
	for {
		object, at, err := parse(text)
		if err != nil {
			return "", err
		}
		cut, ok := a.removeOne(text, object, at, made)
		if !ok {
			return text, nil
		}
		text = cut
	}
}

// removeOne removes our last entry or one empty container, and reports whether it found one.
func (a Agent) removeOne(text string, object gjson.Result, at int, made []string) (string, bool) {
	top := membersOf(object, at)
	for i, hooks := range slices.Backward(top) {
		if hooks.key != hooksKey || !hooks.raw.IsObject() {
			continue
		}
		lists := membersOf(hooks.raw, hooks.value.from)
		if len(lists) == 0 && slices.Contains(made, hooksKey) {
			return remove(text, at, top, i), true
		}
		for j, list := range slices.Backward(lists) {
			if !list.raw.IsArray() {
				continue
			}
			entries := membersOf(list.raw, list.value.from)
			if len(entries) == 0 && slices.Contains(made, hooksKey+"."+list.key) {
				return remove(text, hooks.value.from, lists, j), true
			}
			for k, e := range slices.Backward(entries) {
				if a.oursIn(e.raw) != "" {
					return remove(text, list.value.from, entries, k), true
				}
			}
		}
	}
	return text, false
}

// oursIn returns our command in an entry, or "" if the entry is not only ours.
func (a Agent) oursIn(e gjson.Result) string {
	if !a.flat {
		hooks := e.Get("hooks")
		if !hooks.IsArray() || len(hooks.Array()) != 1 {
			return ""
		}
		e = hooks.Get("0")
	}
	if command := e.Get("command"); command.Type == gjson.String && a.ours(command.Str) {
		return command.Str
	}
	return ""
}

// Commands returns our commands in the text of settings, by the agent's names of events.
func (a Agent) Commands(text string) (map[string]string, error) {
	if a.source != "" {
		return a.pluginCommands(text), nil
	}
	object, _, err := parse(text)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	object.Get(hooksKey).ForEach(func(event, list gjson.Result) bool {
		for _, e := range list.Array() {
			if command := a.oursIn(e); command != "" {
				found[event.String()] = command
			}
		}
		return true
	})
	return found, nil
}
