package doctor

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"recollect/internal/agents/connect"
	"recollect/internal/cli/setup"
)

func checkAgents(in *installation) finding {
	var well []string
	for _, name := range connect.Names() {
		var note setup.Connection
		if setup.ConnectionNote(in.home, name).Read(&note) != nil {
			continue
		}
		agent, err := connect.Find(name)
		if err == nil {
			err = in.checkConnection(agent, note)
		}
		if err != nil {
			return newWarning("recollect connect "+name, "%s is not connected as it should be: %v", agent.Title, err)
		}
		well = append(well, agent.Title)
	}
	if len(well) == 0 {
		return fineFinding("no other coding agent is connected")
	}
	return fineFinding("connected: %s", strings.Join(well, ", "))
}

// checkConnection returns an error unless the settings of a connected agent name the hook of this
// installation for every event.
func (in *installation) checkConnection(agent connect.Agent, note setup.Connection) error {
	settings, err := setup.ReadSettings(note.Path)
	if err != nil {
		return err
	}
	commands, err := agent.Commands(settings.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.Path, err)
	}
	hook, err := setup.OwnHook()
	if err != nil {
		return err
	}
	link, err := linkTarget(in.home, hook)
	if err != nil {
		return err
	}
	complete := agent.Complete(commands, setup.HookCommand(agent, link))
	if !complete && agent.Plugin() && len(commands) > 0 {
		return fmt.Errorf("%s is a plugin of another version, or of another installation", settings.Path)
	}
	if !complete {
		return fmt.Errorf("%s lacks the hook %s for an event", settings.Path, link)
	}
	return nil
}

// linkTarget returns the path by which settings name the hook. It is a link that must lead to hook.
func linkTarget(home, hook string) (string, error) {
	if runtime.GOOS == "windows" {
		return hook, nil // connect makes no links there
	}
	link := setup.HookLink(home)
	to, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", err
	}
	if to != hook {
		return "", fmt.Errorf("%s leads to %s, which is another installation's", link, to)
	}
	return link, nil
}
