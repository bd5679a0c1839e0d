package claudecode

import "github.com/tidwall/gjson"

// AgentType returns the type of a sub-agent from the meta file beside its
// transcript, or "".
func AgentType(meta []byte) string {
	if !gjson.ValidBytes(meta) {
		return ""
	}
	return text(gjson.GetBytes(meta, "agentType"))
}
