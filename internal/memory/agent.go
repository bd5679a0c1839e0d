package memory

import "strings"

// agentSeparator separates the id of a session from that of its sub-agent.
const agentSeparator = "."

// AgentID returns the id of a session's sub-agent in the form of a session's id.
func AgentID(session, agent string) string { return session + agentSeparator + agent }

// SplitAgentID divides an id into the session and its sub-agent, if it has one.
func SplitAgentID(id string) (session, agent string, isAgent bool) {
	return strings.Cut(id, agentSeparator)
}
