// Package durable makes changes of folders survive a power loss.
package durable
