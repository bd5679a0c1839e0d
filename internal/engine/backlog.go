package engine

import (
	"fmt"

	"recollect/internal/api"
	"recollect/internal/engine/upkeep"
)

// pastNotice returns what the user reads once of the sessions from before the first one with
// recollect, and the phase that it is about; "" if there is nothing to say.
func pastNotice(p upkeep.Past) (string, upkeep.Phase) {
	if p.Notified == p.Phase {
		return "", ""
	}
	found := countNoun(p.Sessions, "past session")
	them := "them"
	if p.Sessions == 1 {
		them = "it"
	}
	switch p.Phase {
	case upkeep.PhaseRunning:
		return fmt.Sprintf("recollect: %s found; learning from %s in the background (! recollect status)", found, them), p.Phase
	case upkeep.PhaseAsked:
		return fmt.Sprintf("recollect: %s found; ! recollect import learns from %s", found, them), p.Phase
	case upkeep.PhaseDone:
		if p.Added > 0 {
			return fmt.Sprintf("recollect: learned %s from %s", countedMemories(p.Added), found), p.Phase
		}
	}
	return "", ""
}

func countNoun(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func countedMemories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// pastSessions returns what health says of past sessions, nil for nothing.
func pastSessions(p upkeep.Past) *api.PastSessions {
	switch p.Phase {
	case upkeep.PhaseAsked, upkeep.PhaseRunning, upkeep.PhaseDone:
		return &api.PastSessions{State: string(p.Phase), Folder: p.Folder, Sessions: p.Sessions, Files: p.Files, Done: p.Done, Added: p.Added}
	}
	return nil
}
