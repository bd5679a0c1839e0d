package app

// OwnFolder is the hint for a folder or a socket of another user.
const OwnFolder = "set RECOLLECT_HOME to a folder of your own with a short path"

// FolderEach is the hint for a data folder that several machines use, or on which locks do not hold.
const FolderEach = "set RECOLLECT_HOME to a folder on a disk of this machine; recollect sync TARGET joins it with others"

// NeedsKey is the hint for an encrypted target.
const NeedsKey = "recollect sync --key asks for the key that another machine was given"

// ForceStop is the hint for a daemon that hangs.
const ForceStop = "recollect daemon stop --force; the next hook or command starts a new one"
