// Package durable replaces files in one step, and makes changes of files and folders survive a power
// loss.
package durable
