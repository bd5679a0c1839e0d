// Package e2e runs the plugin in the real Claude Code client, from the prompt
// that is typed to the request that the client sends to the model.
//
// The client is the npm package of a fixed version, installed once into the
// user's cache. The model is a stand-in on loopback (api) that answers from a
// script and keeps every request. Each test has a world of its own: a home, a
// project, a plugin folder, a data folder. The client starts from an empty
// environment and its proxies lead nowhere, so that nothing leaves the machine.
//
// The tests carry the build tag e2e, since they need npm and the network for
// the first run:
//
//	go test -tags e2e ./lab/e2e
//
// Without npm or the registry they are skipped, but fail where CI=true. The tests
// of the page that recollect ui serves need neither, but Chromium, and are skipped
// without it.
package e2e
