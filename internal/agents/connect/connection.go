// Package connect enters recollect's hook into the settings of other coding agents, and takes it
// out again.
//
// Settings are the user's: nothing in the file changes but one entry for each event, which is put
// behind what is there, so that the numbers by which an agent knows the other hooks stay. Taking the
// entries out restores every byte, also after the user has edited what is around them.
package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// mark ends every command that is entered, and tells our entries from others.
func (a Agent) mark() string { return "recollect-hook --agent " + a.Name }

// Command returns the command line to enter for a hook whose path is quoted for the shell.
func (a Agent) Command(hook string) string { return hook + " --agent " + a.Name }

// ours reports whether a command is one that we entered: the hook, by a path that may be quoted.
func (a Agent) ours(command string) bool {
	command = strings.NewReplacer(`'`, "", `"`, "", ".exe ", " ").Replace(command)
	return strings.HasSuffix(command, a.mark())
}

// An entry is what stands in the settings for one event: a group of hooks, or a hook.
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

// hooksKey is the key of the settings under which hooks stand.
const hooksKey = "hooks"

// blank is the text of settings without anything in them, to which something can be added.
const blank = "{\n}\n"

// Blank returns the text of settings in which there are no hooks yet.
func (a Agent) Blank() string {
	if a.flat {
		return "{\n  \"version\": 1\n}\n"
	}
	return blank
}

// Enter returns the text of settings with the entries for a command, and which containers it had to
// make. Entries of ours that are there already are replaced.
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

// enter enters the command for one event.
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

// container returns a member of the settings that must be an object. If there is none, it is made
// with this value, and nil is returned.
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

// spaceOf returns the white space before the last member of a container, or before the first one to come.
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

// Remove returns the text of settings without our entries. Of the containers that were made for
// them those go that are empty now.
func (a Agent) Remove(text string, made []string) (string, error) {
	if a.source != "" {
		return a.removePlugin(text), nil
	}
	if commands, err := a.Commands(text); err != nil || len(commands) == 0 {
		return text, err // what is empty is the user's: they have written the settings anew
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

// removeOne removes our last entry, or a container that is empty, and reports whether there is one.
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

// oursIn returns the command of an entry that is ours, and of nobody else too.
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

// Commands returns our commands in the text of settings, by event as the agent calls it.
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
