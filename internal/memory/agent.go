package memory

import "strings"

// agentSeparator stands between the id of a session and that of its sub-agent.
const agentSeparator = "."

// AgentID returns the id of a session's sub-agent among the sessions.
func AgentID(session, agent string) string { return session + agentSeparator + agent }

// SplitAgentID returns the session that an id is of, and of a sub-agent its own part.
func SplitAgentID(id string) (session, agent string, isAgent bool) {
	return strings.Cut(id, agentSeparator)
}
