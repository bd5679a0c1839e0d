package memory

// What a guard does with a call that its rule is about.
const (
	GuardAsk  = "ask"  // the user is asked whether the call may be made
	GuardWarn = "warn" // Claude reads what the user said
	GuardDeny = "deny" // the call is not made
)

// A GuardRule says which tool calls a guard is about. All parts that are not empty must fit; of a list,
// one must. Without Programs and Activities, it is about files that are changed.
type GuardRule struct {
	Programs    []string `json:"programs,omitempty"`    // "npm", or the name of a tool: "WebFetch"
	Subcommands []string `json:"subcommands,omitempty"` // "install", "run dev"
	Flags       []string `json:"flags,omitempty"`       // "--force", "-rf": all letters of one that is short
	Paths       []string `json:"paths,omitempty"`       // globs of files, or of arguments of the program: "src/**", "main"
	Content     string   `json:"content,omitempty"`     // regular expression (RE2) of the command, or of what is written
	Activities  []string `json:"activities,omitempty"`  // what a command does: "deploy"
	Action      string   `json:"action"`
}
