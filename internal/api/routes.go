package api

import "recollect/internal/memory"

// The statuses of replies that are not errors, because net/http is not linked here.
const (
	statusOK       = 200
	statusAccepted = 202 // the request is carried out later
)

// The routes of the hooks.
var (
	RouteRecollect = Route[Prompt, Recollection]{"POST", "/recollect", statusOK}
	RouteOrient    = Route[Session, Recollection]{"POST", "/orient", statusOK}
	RouteTool      = Route[ToolCall, Recollection]{"POST", "/tool", statusOK}
	RouteAgent     = Route[Agent, Recollection]{"POST", "/agent", statusOK}
	RouteFlush     = Route[Flush, struct{}]{"POST", "/flush", statusAccepted}
	RouteObserve   = Route[Observation, struct{}]{"POST", "/observe", statusAccepted}
)

// The routes that read and change memories for the CLI and the MCP server.
var (
	RouteSearch        = Route[Search, SearchReply]{"GET", "/search", statusOK}
	RouteExplain       = Route[Prompt, Explanation]{"POST", "/explain", statusOK}
	RouteExport        = Route[Page, Export]{"GET", "/memories", statusOK}
	RouteRemember      = Route[Remember, Remembered]{"POST", "/memories", statusOK}
	RouteMemory        = Route[string, Shown]{"GET", "/memories/{id}", statusOK}
	RouteForget        = Route[string, memory.Memory]{"DELETE", "/memories/{id}", statusOK}
	RouteForgetAll     = Route[Forget, Forgotten]{"POST", "/forget", statusOK}
	RouteRedact        = Route[Redact, Redacted]{"POST", "/redact", statusOK}
	RouteExpand        = Route[Expand, Expanded]{"POST", "/expand", statusOK}
	RouteImport        = Route[Import, Imported]{"POST", "/import", statusOK}
	RouteConsolidate   = Route[Consolidate, Consolidated]{"POST", "/consolidate", statusOK}
	RouteResume        = Route[Session, Recollection]{"POST", "/resume", statusOK}
	RouteHandoff       = Route[Handoff, Shown]{"POST", "/handoff", statusOK}
	RouteList          = Route[List, Listing]{"GET", "/list", statusOK}
	RouteBackup        = Route[Backup, BackedUp]{"POST", "/backup", statusOK}
	RouteIDs           = Route[Beginning, Titles]{"GET", "/ids", statusOK}
	RouteTimeline      = Route[Moments, Timeline]{"GET", "/timeline", statusOK}
	RouteProjects      = Route[struct{}, Projects]{"GET", "/projects", statusOK}
	RouteSessions      = Route[Moments, Sessions]{"GET", "/sessions", statusOK}
	RouteSession       = Route[string, SessionUse]{"GET", "/sessions/{id}", statusOK}
	RoutePending       = Route[Pending, Listing]{"GET", "/review", statusOK}
	RouteReview        = Route[Review, Reviewed]{"POST", "/review", statusOK}
	RoutePause         = Route[Pause, Paused]{"POST", "/pause", statusOK}
	RouteShare         = Route[Share, Shared]{"POST", "/share", statusOK}
	RouteTeam          = Route[Team, TeamFiles]{"GET", "/team", statusOK}
	RouteTeamReject    = Route[TeamReject, TeamFiles]{"POST", "/team", statusOK}
	RouteTeamServer    = Route[TeamServer, TeamServerState]{"POST", "/team/server", statusOK}
	RouteSync          = Route[Sync, Synced]{"POST", "/sync", statusOK}
	RouteConflicts     = Route[struct{}, Conflicts]{"GET", "/conflicts", statusOK}
	RouteKeep          = Route[Keep, Conflicts]{"POST", "/conflicts", statusOK}
	RouteGuards        = Route[AskGuards, GuardList]{"GET", "/guards", statusOK}
	RouteGuardDraft    = Route[GuardDraft, GuardDrafted]{"POST", "/guards/draft", statusOK}
	RouteGuardRehearse = Route[GuardRehearsal, GuardRehearsed]{"POST", "/guards/rehearse", statusOK}
	RouteGuardAdd      = Route[GuardDrafted, Guard]{"POST", "/guards", statusOK}
	RouteGuardRemove   = Route[string, Guard]{"DELETE", "/guards/{id}", statusOK}
	RouteGraph         = Route[Around, Graph]{"GET", "/graph", statusOK}
	RouteVerdict       = Route[Verdict, Verdict]{"POST", "/verdict", statusOK}
)

// The routes about the daemon itself.
var (
	RouteHealth   = Route[struct{}, Health]{"GET", "/health", statusOK}
	RouteConfig   = Route[struct{}, ConfigReply]{"GET", "/config", statusOK}
	RouteStats    = Route[Period, Stats]{"GET", "/stats", statusOK}
	RouteDays     = Route[Period, Days]{"GET", "/days", statusOK}
	RouteRecalls  = Route[AskRecalls, Recalls]{"GET", "/recalls", statusOK}
	RouteShutdown = Route[struct{}, struct{}]{"POST", "/shutdown", statusAccepted}
)
