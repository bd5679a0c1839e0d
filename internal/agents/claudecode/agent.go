package claudecode

import (
	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

// AgentType returns the type of a sub-agent from the meta file beside its
// transcript, or "".
func AgentType(meta []byte) string {
	if !nesting.ValidJSONBytes(meta) {
		return ""
	}
	return text(gjson.GetBytes(meta, "agentType"))
}
