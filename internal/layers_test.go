package internal

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// districts are the folders below internal, from the lowest floor to the highest, with the others that
// each may import. One imports only what stands above it in this list.
var districts = []struct {
	name    string
	imports string
}{
	{"system", ""},
	{"memory", "system"},
	{"agents", "memory system"},
	{"api", "memory system"},
	{"config", "memory system"},
	{"store", "memory system"},
	{"text", "memory"},
	{"capture", "agents config memory store system text"},
	{"hook", "agents api memory system"},
	{"index", "config memory system text"},
	{"share", "api config memory store system text"},
	{"recall", "api config index memory share store system text"},
	{"engine", "agents api capture config index memory recall share store system text"},
	{"daemon", "api config engine memory share store system"},
	{"proof", "agents api capture config engine index memory store system text"},
	{"cli", "agents api capture config daemon index memory proof recall share store system"},
}

func TestDistricts(t *testing.T) {
	allowed := map[string]string{}
	for _, d := range districts {
		for other := range strings.FieldsSeq(d.imports) {
			if _, lower := allowed[other]; !lower {
				t.Errorf("%s may import %s, which is no district below it", d.name, other)
			}
		}
		allowed[d.name] = d.imports
	}
	used := map[string]bool{}
	for pkg, imported := range imports(t) {
		from := district(pkg)
		if from == "" {
			continue
		}
		if _, ok := allowed[from]; !ok {
			t.Errorf("%s is in no district of the table", pkg)
		}
		for _, imp := range imported {
			to := district(strings.TrimPrefix(imp, "recollect/"))
			if to == "" || to == from {
				continue
			}
			used[from+" "+to] = true
			if !slices.Contains(strings.Fields(allowed[from]), to) {
				t.Errorf("%s imports %s: the district %s may not import %s", pkg, imp, from, to)
			}
		}
	}
	for _, d := range districts {
		for other := range strings.FieldsSeq(d.imports) {
			if !used[d.name+" "+other] {
				t.Errorf("%s may import %s and does not", d.name, other)
			}
		}
	}
}

// district returns the district that a package belongs to, "" of one outside internal.
func district(pkg string) string {
	room, ok := strings.CutPrefix(pkg, "internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(room, "/")
	return name
}

// layers says what each package may import besides the standard library: the
// module's packages by their path, others by their module. Imports go down
// only. A new edge is a change to this table, argued for in the commit.
var layers = map[string][]string{
	".":       nil,
	"rankers": nil,

	"internal/system/crash":   nil,
	"internal/system/durable": {"internal/system/regular"},
	"internal/system/git":     nil,
	"internal/system/logkey":  nil,
	"internal/system/nesting": {"github.com/tidwall/gjson"},
	"internal/system/regular": nil,
	// traffic is what all background work gives way to the requests of hooks by.
	"internal/system/traffic": nil,
	"internal/system/trust":   nil,

	"internal/memory":       {"internal/system/regular"},
	"internal/memory/clean": {"internal/memory", "internal/memory/secret"},
	// What the store and the vectors hold of every memory takes little room.
	"internal/memory/compactid": nil,
	"internal/memory/markdown":  {"internal/memory", "internal/system/regular", "github.com/goccy/go-yaml"},
	"internal/memory/secret": {
		"internal/memory/secret/chars", "internal/memory/secret/classifier", "internal/memory/secret/form", "internal/memory/secret/keywords",
		"internal/memory/secret/looks", "github.com/BurntSushi/toml",
	},
	"internal/memory/secret/chars":      nil,
	"internal/memory/secret/classifier": {"internal/memory/secret/keywords"},
	"internal/memory/secret/form":       {"internal/memory/secret/chars", "internal/memory/secret/looks"},
	"internal/memory/secret/keywords":   nil,
	"internal/memory/secret/looks":      {"internal/memory/secret/chars"},

	"internal/agents":            {"internal/system/nesting", "internal/system/regular", "github.com/tidwall/gjson"},
	"internal/agents/claudecode": {"internal/system/nesting", "internal/system/regular", "github.com/tidwall/gjson", "github.com/tidwall/sjson"},
	"internal/agents/connect":    {"internal/agents/dialect", "github.com/tidwall/gjson"},
	"internal/agents/dialect":    nil,
	"internal/agents/imports": {
		"internal/agents/claudecode", "internal/agents/imports/record", "internal/agents/transcript", "internal/memory", "internal/memory/clean",
		"internal/memory/markdown", "internal/system/regular",
	},
	"internal/agents/imports/database": {
		"internal/agents/imports/record", "internal/memory", "internal/system/crash", "internal/system/regular", "modernc.org/sqlite",
	},
	"internal/agents/imports/record": {"internal/memory", "internal/system/regular"},
	"internal/agents/imports/unpack": {
		"internal/system/git", "internal/system/nesting", "internal/system/regular", "github.com/tidwall/gjson", "github.com/tidwall/sjson",
	},
	"internal/agents/transcript": {"internal/agents", "internal/agents/claudecode", "internal/system/regular"},

	"internal/api": {"internal/api/socket", "internal/memory", "internal/system/regular", "internal/system/trust"},
	// explanation puts what recall explains in words, for whoever shows it.
	"internal/api/explain": {"internal/api", "internal/memory"},
	"internal/api/socket":  {"internal/system/trust"},

	"internal/config": {
		"internal/config/layout", "internal/config/spelling", "internal/memory", "internal/system/durable", "internal/system/nesting",
		"internal/system/regular", "internal/system/trust", "rankers", "github.com/BurntSushi/toml",
	},
	"internal/config/endpoint": {"internal/system/regular"},
	"internal/config/layout":   nil,
	"internal/config/spelling": nil,

	"internal/store": {
		"internal/memory", "internal/memory/clean", "internal/memory/compactid", "internal/system/durable", "internal/system/logkey",
		"internal/system/regular", "internal/system/trust", "github.com/gofrs/flock", "github.com/hashicorp/golang-lru",
	},
	// The engine makes a backup, the CLI checks and restores one while there is no engine.
	"internal/store/backup":    {"internal/system/durable", "internal/system/regular"},
	"internal/store/forgotten": {"internal/memory", "internal/system/regular"},
	"internal/store/storetest": {"internal/store"},

	// What a memory is about is known to the index that finds it, to recall, and to what
	// reads tool calls.
	"internal/text/activity":    {"internal/memory", "internal/text/prose", "internal/text/rule"},
	"internal/text/consolidate": {"internal/memory", "internal/text/prose", "internal/text/rule", "github.com/blevesearch"},
	// One package undoes disguises, for the check of what a text says and of who signs it.
	"internal/text/disguise": {"golang.org/x/text"},
	// What wants to be obeyed is no decision where it is captured, and has no place at the
	// start of a session, whoever stored it.
	"internal/text/instruction": {"internal/text/disguise", "internal/text/prose", "internal/text/rule"},
	"internal/text/prose":       {"internal/memory", "internal/text/rule"},
	// A turn goes down through these: capture reads it, extract makes memories
	// of it with what toolcall, prose and reasoning read from its parts.
	"internal/text/rule": {"github.com/BurntSushi/toml"},
	// What both sides said is read once, and kept with the turn: all that capture it ask there.
	"internal/text/sentence": {"internal/text/prose"},

	"internal/capture": {
		"internal/agents/claudecode", "internal/agents/transcript", "internal/capture/extract", "internal/capture/finding", "internal/capture/handoff",
		"internal/capture/outcomes", "internal/capture/survey", "internal/capture/toolcall", "internal/memory", "internal/memory/clean",
		"internal/memory/markdown", "internal/store", "internal/store/forgotten", "internal/system/crash", "internal/system/durable",
		"internal/system/logkey", "internal/system/regular", "internal/system/traffic", "internal/text/consolidate", "github.com/hashicorp/golang-lru",
	},
	"internal/capture/dialogue": {"internal/text/prose", "internal/text/rule", "internal/text/sentence"},
	"internal/capture/extract": {
		"internal/agents/claudecode", "internal/capture/dialogue", "internal/capture/extract/statements", "internal/capture/toolcall", "internal/memory",
		"internal/memory/clean", "internal/text/activity", "internal/text/consolidate", "internal/text/instruction", "internal/text/prose",
		"internal/text/rule", "internal/text/sentence",
	},
	"internal/capture/extract/statements": {
		"internal/memory", "internal/memory/clean", "internal/text/activity", "internal/text/prose", "internal/text/rule", "internal/text/sentence",
	},
	"internal/capture/finding": {
		"internal/capture/extract", "internal/capture/toolcall", "internal/memory", "internal/memory/clean", "internal/text/instruction",
		"internal/text/prose", "internal/text/rule",
	},
	// guard takes command lines apart as toolcall does, further, and asks dialogue whether the user objected.
	"internal/capture/guard": {
		"internal/agents/claudecode", "internal/capture/dialogue", "internal/capture/toolcall", "internal/memory", "internal/memory/clean",
		"internal/text/activity", "internal/text/prose", "internal/text/rule", "internal/text/sentence", "mvdan.cc/sh",
	},
	"internal/capture/handoff": {
		"internal/agents/claudecode", "internal/capture/dialogue", "internal/capture/extract", "internal/capture/toolcall", "internal/memory",
		"internal/memory/clean", "internal/text/instruction", "internal/text/prose", "internal/text/rule", "internal/text/sentence",
	},
	// A model that takes memories out of sessions is asked in a package of its
	// own, so that whoever links capture does not link its clients.
	"internal/capture/model": {
		"internal/capture/finding", "internal/config", "internal/config/endpoint", "internal/memory", "github.com/tmc/langchaingo",
	},
	// How commands ended is counted beside the store: it is no memory, and the engine asks for it at a tool call.
	"internal/capture/outcomes": {
		"internal/capture/toolcall", "internal/memory", "internal/memory/clean", "internal/system/durable", "internal/system/logkey",
		"internal/system/regular", "internal/text/prose",
	},
	"internal/capture/survey": {
		"internal/memory", "internal/memory/clean", "internal/system/nesting", "internal/system/regular", "internal/text/instruction",
		"internal/text/prose", "internal/text/rule", "github.com/BurntSushi/toml",
	},
	"internal/capture/toolcall": {
		"internal/agents/claudecode", "internal/memory", "internal/memory/clean", "internal/text/activity", "internal/text/prose", "internal/text/rule",
		"mvdan.cc/sh",
	},

	"internal/hook": {
		"internal/agents/claudecode", "internal/agents/dialect", "internal/api", "internal/memory", "internal/system/regular", "internal/system/trust",
	},

	"internal/index": {
		"internal/memory", "internal/system/crash", "internal/system/logkey", "internal/system/traffic", "internal/text/activity",
		"github.com/blevesearch", "go.etcd.io/bbolt",
	},
	// Assembly that two packages need: the comparison of vectors, and an embedding model.
	"internal/index/dot": {"golang.org/x/sys"},
	"internal/index/embed": {
		"internal/config", "internal/config/endpoint", "internal/index/embed/bert", "internal/index/embed/builtin", "internal/system/logkey",
		"github.com/hashicorp/golang-lru", "github.com/tmc/langchaingo",
	},
	"internal/index/embed/bert": {"internal/index/dot", "internal/system/regular", "golang.org/x/text"},
	// The daemon links the model, the trainer makes it; both cut texts alike.
	"internal/index/embed/builtin": {"internal/index/dot"},
	"internal/index/vectors": {
		"internal/index/dot", "internal/index/embed", "internal/memory", "internal/memory/compactid", "internal/system/crash", "internal/system/durable",
		"internal/system/logkey", "internal/system/regular",
	},

	// replica joins the memories of several machines for the engine, and says in the protocol's
	// own type what it did.
	"internal/share/machines": {
		"internal/api", "internal/config", "internal/memory", "internal/memory/clean", "internal/store", "internal/system/durable", "internal/system/git",
		"internal/system/logkey", "internal/system/regular", "filippo.io/age",
	},
	// team reads what others put into a repository, and decides what of a memory may leave.
	"internal/share/repo": {
		"internal/memory", "internal/memory/clean", "internal/memory/markdown", "internal/system/regular", "internal/text/disguise",
		"internal/text/instruction",
	},
	// stream carries texts, and knows nothing of memories. nats.go stays there.
	"internal/share/server":            {"internal/system/durable", "internal/system/logkey", "internal/system/regular", "github.com/nats-io", "golang.org/x/sync"},
	"internal/share/server/natsserver": {"github.com/nats-io/nats-server"},
	"internal/share/server/streamtest": nil,
	"internal/share/teams": {
		"internal/api", "internal/config", "internal/memory", "internal/memory/clean", "internal/share/repo", "internal/share/server", "internal/store",
		"internal/system/crash", "internal/system/durable", "internal/system/logkey", "internal/system/trust",
	},

	// recall fills the protocol's own types, so that an explanation is not
	// written twice. The vocabulary of the built-in embedder tells it which words are usual.
	"internal/recall": {
		"internal/api", "internal/config", "internal/index", "internal/index/vectors", "internal/memory", "internal/recall/block", "internal/recall/brief",
		"internal/recall/orientation", "internal/recall/prompt", "internal/recall/prompt/dates", "internal/recall/relevance", "internal/recall/request",
		"internal/recall/sessions", "internal/recall/statement", "internal/recall/terms", "internal/share/repo", "internal/store", "internal/system/crash",
		"internal/text/activity", "internal/text/consolidate", "rankers",
	},
	// block writes what Claude reads: for recall, and for the MCP server.
	"internal/recall/block": {"internal/memory", "internal/text/disguise"},
	// brief puts together what recall injects of a session.
	"internal/recall/brief": {"internal/memory", "internal/recall/block", "internal/text/prose"},
	"internal/recall/orientation": {
		"internal/api", "internal/memory", "internal/recall/block", "internal/recall/brief", "internal/recall/prompt", "internal/recall/prompt/dates",
		"internal/recall/request", "internal/recall/statement", "internal/store", "internal/text/activity", "internal/text/instruction",
		"internal/text/prose",
	},
	"internal/recall/prompt":       {"internal/memory", "internal/text/prose", "internal/text/rule"},
	"internal/recall/prompt/dates": nil,
	"internal/recall/relevance": {
		"internal/api", "internal/index", "internal/index/embed/builtin", "internal/index/vectors", "internal/memory", "internal/recall/terms",
	},
	"internal/recall/request": {
		"internal/api", "internal/config", "internal/index", "internal/memory", "internal/recall/block", "internal/recall/brief", "internal/share/repo",
	},
	"internal/recall/sessions": {
		"internal/index", "internal/memory", "internal/recall/brief", "internal/recall/relevance", "internal/recall/terms", "internal/store",
		"internal/text/consolidate",
	},
	// statement divides what recall says.
	"internal/recall/statement": {"internal/memory", "internal/text/prose"},
	"internal/recall/terms": {
		"internal/config", "internal/index", "internal/index/embed/builtin", "internal/memory", "internal/recall/prompt", "internal/recall/prompt/dates",
	},

	"internal/engine": {
		"internal/agents/claudecode", "internal/agents/imports", "internal/agents/transcript", "internal/api", "internal/api/explain", "internal/capture",
		"internal/capture/extract", "internal/capture/guard", "internal/capture/outcomes", "internal/capture/toolcall", "internal/config",
		"internal/engine/follower", "internal/engine/forget", "internal/engine/guards", "internal/engine/history", "internal/engine/lists",
		"internal/engine/pause", "internal/engine/projects", "internal/engine/reader", "internal/engine/sessions", "internal/engine/trial",
		"internal/engine/upkeep", "internal/engine/usage", "internal/engine/writer", "internal/index", "internal/memory", "internal/memory/clean",
		"internal/recall", "internal/recall/block", "internal/recall/brief", "internal/share/machines", "internal/share/teams", "internal/store",
		"internal/store/backup", "internal/store/forgotten", "internal/system/crash", "internal/system/durable", "internal/system/logkey",
		"internal/system/traffic", "internal/text/consolidate", "internal/text/prose", "github.com/hashicorp/golang-lru", "golang.org/x/sync",
	},
	// The engine joins the parts; below it are those that keep something of their
	// own. The daemon serves it.
	"internal/engine/follower": {
		"internal/config", "internal/index", "internal/index/embed", "internal/index/vectors", "internal/memory", "internal/store",
		"internal/system/logkey", "internal/system/traffic",
	},
	"internal/engine/forget": {"internal/api", "internal/memory", "internal/store/forgotten", "internal/system/regular"},
	"internal/engine/guards": {
		"internal/agents/claudecode", "internal/agents/transcript", "internal/api", "internal/capture/guard", "internal/memory", "internal/system/durable",
		"internal/system/logkey",
	},
	"internal/engine/history": {
		"internal/api", "internal/engine/lists", "internal/engine/projects", "internal/engine/sessions", "internal/engine/usage", "internal/memory",
		"internal/memory/clean", "internal/recall", "internal/store",
	},
	"internal/engine/lists": {"internal/api", "internal/capture/extract", "internal/index", "internal/memory", "internal/store"},
	"internal/engine/pause": {"internal/api", "internal/memory", "internal/system/durable"},
	"internal/engine/projects": {
		"internal/api", "internal/config", "internal/engine/lists", "internal/engine/sessions", "internal/engine/writer", "internal/memory",
		"internal/memory/clean", "internal/store", "internal/system/durable", "internal/system/logkey", "internal/text/consolidate",
	},
	// The user's model chooses what answers a prompt: it is asked as the extractor is, by the same client.
	"internal/engine/reader": {
		"internal/capture/finding", "internal/capture/model", "internal/config", "internal/recall", "internal/system/crash", "internal/system/logkey",
		"internal/text/prose", "github.com/hashicorp/golang-lru", "golang.org/x/sync",
	},
	"internal/engine/sessions": {
		"internal/agents/claudecode", "internal/api", "internal/config", "internal/engine/forget", "internal/memory", "internal/memory/clean",
		"internal/recall", "internal/system/durable", "internal/system/logkey", "internal/system/regular", "internal/text/prose",
		"github.com/hashicorp/golang-lru",
	},
	"internal/engine/trial": {"internal/system/durable", "internal/system/regular"},
	"internal/engine/upkeep": {
		"internal/agents/transcript", "internal/capture", "internal/capture/extract", "internal/capture/finding", "internal/capture/model",
		"internal/capture/outcomes", "internal/config", "internal/engine/usage", "internal/engine/writer", "internal/memory", "internal/store",
		"internal/system/crash", "internal/system/durable", "internal/system/logkey", "internal/system/traffic", "internal/system/trust",
		"internal/text/consolidate", "internal/text/prose", "golang.org/x/sync",
	},
	"internal/engine/usage": {
		"internal/agents/claudecode", "internal/api", "internal/index", "internal/memory", "internal/store", "internal/system/durable",
		"internal/system/logkey", "internal/system/regular", "internal/text/prose",
	},
	"internal/engine/writer": {
		"internal/api", "internal/engine/follower", "internal/memory", "internal/memory/clean", "internal/store", "internal/system/crash",
		"internal/system/logkey", "internal/text/consolidate",
	},

	"internal/daemon": {
		"internal/api", "internal/config", "internal/daemon/lease", "internal/engine", "internal/engine/history", "internal/engine/projects",
		"internal/engine/usage", "internal/memory/secret", "internal/share/machines", "internal/share/teams", "internal/store", "internal/store/backup",
		"internal/system/crash", "internal/system/durable", "internal/system/logkey", "internal/system/regular", "internal/system/trust",
		"golang.org/x/sync", "golang.org/x/sys",
	},
	// lease is what keeps daemons of several machines apart, as the store's lock does those of one.
	"internal/daemon/lease": {"internal/system/durable", "internal/system/regular", "github.com/gofrs/flock", "golang.org/x/sys"},

	// What people read and what Claude reads lose the same characters.
	// cli measures the terminal and the characters on it.
	// proof replays past sessions in an engine of its own, since the user's has what came later.
	"internal/proof": {
		"internal/agents/claudecode", "internal/agents/transcript", "internal/api", "internal/capture/extract", "internal/capture/outcomes",
		"internal/capture/toolcall", "internal/config", "internal/engine", "internal/engine/forget", "internal/engine/trial", "internal/engine/usage",
		"internal/index", "internal/memory", "internal/memory/clean", "internal/store", "internal/system/crash", "internal/system/durable",
		"internal/system/regular", "internal/text/prose", "internal/text/sentence",
	},

	"internal/cli": {
		"internal/config/spelling", "internal/recall/block", "github.com/rivo/uniseg", "github.com/spf13/cobra", "github.com/spf13/pflag",
		"golang.org/x/sys", "golang.org/x/term",
	},
	"internal/cli/app": {
		"internal/api", "internal/cli", "internal/daemon", "internal/memory", "internal/recall/block", "internal/system/regular", "github.com/spf13/cobra",
		"golang.org/x/term",
	},
	"internal/cli/backups": {
		"internal/api", "internal/cli", "internal/cli/app", "internal/daemon", "internal/share/machines", "internal/store/backup",
		"internal/system/regular", "github.com/spf13/cobra",
	},
	"internal/cli/daemons": {
		"internal/api", "internal/api/explain", "internal/cli", "internal/cli/app", "internal/cli/setup", "internal/cli/ui", "internal/config", "internal/daemon",
		"internal/memory", "internal/recall/block", "github.com/spf13/cobra", "golang.org/x/sync", "golang.org/x/sys", "golang.org/x/term",
	},
	"internal/cli/doctor": {
		"internal/agents/connect", "internal/agents/transcript", "internal/api", "internal/cli", "internal/cli/app", "internal/cli/setup",
		"internal/config", "internal/daemon", "internal/daemon/lease", "internal/memory", "internal/share/machines", "internal/store/backup",
		"internal/system/crash", "internal/system/regular", "github.com/spf13/cobra", "golang.org/x/sys",
	},
	"internal/cli/guards": {
		"internal/agents/transcript", "internal/api", "internal/cli", "internal/cli/app", "internal/memory", "github.com/spf13/cobra",
	},
	"internal/cli/importer": {
		"internal/agents", "internal/agents/imports", "internal/agents/imports/unpack", "internal/agents/transcript", "internal/api", "internal/cli",
		"internal/cli/app", "github.com/spf13/cobra",
	},
	// manual is linked with the tag of the same name only.
	"internal/cli/manual": {"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"internal/cli/mcpserver": {
		"internal/agents/claudecode", "internal/api", "internal/api/explain", "internal/cli/app", "internal/memory", "internal/recall/block", "internal/system/regular",
		"github.com/modelcontextprotocol/go-sdk", "github.com/spf13/cobra",
	},
	"internal/cli/memories": {
		"internal/api", "internal/api/explain", "internal/cli", "internal/cli/app", "internal/memory", "internal/memory/markdown", "internal/recall/block",
		"github.com/spf13/cobra",
	},
	"internal/cli/prove": {
		"internal/agents", "internal/agents/transcript", "internal/api", "internal/cli", "internal/cli/app", "internal/proof",
		"internal/store", "github.com/spf13/cobra",
	},
	"internal/cli/settings": {
		"internal/api", "internal/api/explain", "internal/capture/model", "internal/cli", "internal/cli/app", "internal/config", "internal/index/embed", "internal/memory",
		"internal/recall/block", "github.com/spf13/cobra",
	},
	"internal/cli/setup": {
		"internal/agents/claudecode", "internal/agents/connect", "internal/api", "internal/api/explain", "internal/cli", "internal/cli/app",
		"internal/cli/importer", "internal/daemon/lease", "internal/memory", "internal/recall/block", "internal/system/durable", "internal/system/logkey",
		"internal/system/regular", "github.com/spf13/cobra",
	},
	"internal/cli/sharing": {
		"internal/api", "internal/cli", "internal/cli/app", "internal/cli/memories", "internal/memory", "internal/recall/block", "internal/share/machines",
		"internal/system/git", "github.com/spf13/cobra", "golang.org/x/term",
	},
	// ui is a client of the daemon, like a command. It edits the user's settings, and shows the report of prove.
	"internal/cli/ui": {"internal/api", "internal/api/explain", "internal/config", "internal/memory", "internal/proof", "internal/recall/block"},

	// The CLI asks the daemon. It reads settings to check them, finds the files
	// to import, and writes Markdown. It tries an embedder before it writes the
	// settings that make the daemon use it.
	"cmd/recollect": {
		".", "internal/agents/imports", "internal/api", "internal/cli", "internal/cli/app", "internal/cli/backups", "internal/cli/daemons",
		"internal/cli/doctor", "internal/cli/guards", "internal/cli/importer", "internal/cli/manual", "internal/cli/mcpserver", "internal/cli/memories",
		"internal/cli/prove", "internal/cli/settings", "internal/cli/setup", "internal/cli/sharing", "internal/daemon/lease", "internal/store/backup",
		"github.com/spf13/cobra",
	},
	"cmd/recollect-import": {"internal/agents/imports/database"},
	"hooks/recollect-hook": {".", "internal/hook"},

	"lab/bench": {
		"internal/agents/claudecode", "internal/agents/transcript", "internal/api", "internal/capture", "internal/capture/extract", "internal/config",
		"internal/engine", "internal/memory", "internal/memory/clean", "internal/proof", "internal/recall", "internal/store", "github.com/blevesearch",
	},
	"lab/checks":      nil,
	"lab/classifier":  {"internal/memory/secret/classifier", "internal/system/durable", "lab/embedding"},
	"lab/cmd/bench":   {"internal/cli", "lab/bench", "lab/embedding", "github.com/spf13/cobra"},
	"lab/cmd/release": {".", "github.com/BurntSushi/toml", "github.com/tidwall/sjson"},
	"lab/cmd/torture": {"internal/api", "internal/cli", "internal/memory", "github.com/spf13/cobra"},
	"lab/cmd/train":   {".", "internal/recall", "internal/recall/terms", "lab/classifier", "lab/embedding", "lab/fit", "lab/sentence"},
	"lab/e2e":         nil,
	"lab/embedding":   {"internal/index/embed/builtin", "github.com/klauspost/compress"},
	// The fit of relevance asks the trainer which texts the model has not seen.
	"lab/fit":      {"internal/recall", "internal/recall/prompt", "internal/system/durable", "lab/bench", "lab/embedding"},
	"lab/sentence": {"internal/system/durable", "internal/text/sentence"},
}

// banned are standard packages that a hook must not link: net/http alone
// costs every prompt a millisecond, net a tenth of one. On Windows it links net.
var banned = []string{"net", "net/http", "os/exec", "log/slog", "regexp"}

// hookSide are the packages that hooks link.
var hookSide = []string{
	".", "internal/system/nesting", "internal/system/regular", "internal/memory", "internal/system/trust", "internal/agents/claudecode",
	"internal/agents/dialect", "internal/api", "internal/api/socket", "internal/hook", "hooks/recollect-hook",
}

// products are the executables that users install; developerTools are what
// measures and trains them, which they must not link.
var (
	products       = []string{"cmd/recollect", "hooks/recollect-hook"}
	developerTools = []string{"lab/bench", "lab/fit", "lab/embedding", "lab/e2e", "internal/share/server/streamtest"}
)

func TestProductsLinkNoDeveloperTools(t *testing.T) {
	imports := imports(t)
	linked := slices.Clone(products)
	for i := 0; i < len(linked); i++ {
		for _, imp := range imports[linked[i]] {
			pkg, ours := strings.CutPrefix(imp, "recollect/")
			if !ours || slices.Contains(linked, pkg) {
				continue
			}
			if slices.Contains(developerTools, pkg) {
				t.Errorf("%s imports %s, a tool for developers", linked[i], pkg)
			}
			linked = append(linked, pkg)
		}
	}
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for pkg, imports := range imports(t) {
		seen[pkg] = true
		allowed, ok := layers[pkg]
		if !ok {
			t.Errorf("package %s is not in the table of layers", pkg)
			continue
		}
		for _, imp := range imports {
			switch {
			case standard(imp):
				if slices.Contains(hookSide, pkg) && slices.Contains(banned, imp) {
					t.Errorf("%s imports %s, which hooks must not link", pkg, imp)
				}
			case !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, imp) }):
				t.Errorf("%s imports %s, which its layer may not", pkg, imp)
			}
		}
	}
	for pkg := range layers {
		if !seen[pkg] {
			t.Errorf("package %s is in the table of layers but not in the tree", pkg)
		}
	}
}

// shaping are the third-party modules that shape the code around them, and
// the packages that own them: where one is replaced, only these change. A leaf
// library (TOML, YAML, an LRU, a stemmer) may be used wherever the table of
// layers allows it.
var shaping = map[string][]string{
	"github.com/blevesearch/bleve":           {"internal/index", "lab/bench"}, // bench compares with it
	"github.com/modelcontextprotocol/go-sdk": {"internal/cli/mcpserver"},
	"github.com/nats-io/nats-server":         {"internal/share/server/natsserver"},
	"github.com/nats-io/nats.go":             {"internal/share/server"},
	"github.com/tmc/langchaingo":             {"internal/capture/model", "internal/index/embed"},
	"modernc.org/sqlite":                     {"internal/agents/imports/database"},
}

func TestShapingModulesStayWithTheirOwners(t *testing.T) {
	users := map[string][]string{}
	for pkg, imports := range imports(t) {
		for module := range shaping {
			if slices.ContainsFunc(imports, func(imp string) bool { return covers(module, imp) }) {
				users[module] = append(users[module], pkg)
			}
		}
	}
	for module, owners := range shaping {
		if got := slices.Sorted(slices.Values(users[module])); !slices.Equal(got, owners) {
			t.Errorf("%s is imported by %q, its owners are %q", module, got, owners)
		}
	}
}

// startsGit matches what starts git, like exec.CommandContext(ctx, "git", …).
var startsGit = regexp.MustCompile(`exec\.Command(Context)?\((ctx, )?"git"`)

// A repository names programs that git runs, so one package knows how to start it.
func TestOnlyGitStartsGit(t *testing.T) {
	for pkg := range imports(t) {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if pkg != "internal/system/git" && !strings.HasSuffix(name, "_test.go") && startsGit.Match(text) {
				t.Errorf("%s starts git by itself", name)
			}
		}
	}
}

func covers(allowed, imp string) bool {
	switch {
	case allowed == ".":
		return imp == "recollect"
	case strings.HasPrefix(allowed, "internal/") || strings.HasPrefix(allowed, "lab/") || allowed == "rankers":
		return imp == "recollect/"+allowed
	}
	return imp == allowed || strings.HasPrefix(imp, allowed+"/")
}

func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".") && first != "recollect"
}

// imports reads the import clauses of every Go file that is no test. It reads
// the sources itself: a test that asks the go command is answered from the
// test cache and misses a new import.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "dist" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(strings.TrimPrefix(filepath.ToSlash(name), "../"))
		found[pkg] = append(found[pkg], []string{}...)
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if imp == "net" && strings.HasSuffix(name, "_windows.go") {
				continue
			}
			found[pkg] = append(found[pkg], imp)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
