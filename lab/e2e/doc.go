// Package e2e runs the plugin in the real Claude Code client, from the typed prompt to the request that
// the client sends to the model.
//
// The client is the npm package of a fixed version, installed once into the user's cache. A stand-in on
// loopback (api) replaces the model; it answers from a script and stores every request. Each test has its
// own world: a home, a project, a plugin folder, a data folder. The client starts with an empty
// environment and proxies that lead nowhere, so that nothing leaves the machine.
//
// The tests have the build tag e2e, because the first run needs npm and the network:
//
//	go test -tags e2e ./lab/e2e
//
// Without npm or the registry they are skipped, or fail if CI=true. The tests of the page that recollect
// ui serves need only Chromium, and are skipped without it.
package e2e
