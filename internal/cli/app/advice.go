package app

// OwnFolder is what to do if another user's folder or socket is in the way.
const OwnFolder = "set RECOLLECT_HOME to a folder of your own with a short path"

// FolderEach is what to do where several machines have one data folder, or locks do not hold.
const FolderEach = "set RECOLLECT_HOME to a folder on a disk of this machine; recollect sync TARGET joins it with others"

// NeedsKey is what to do if a target is encrypted.
const NeedsKey = "recollect sync --key asks for the key that another machine was given"

// ForceStop is what to do if the daemon hangs.
const ForceStop = "recollect daemon stop --force; the next hook or command starts a new one"
