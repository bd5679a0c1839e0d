package durable

// SyncFolder does nothing: Windows has no sync of a folder, and NTFS keeps
// its names in a journal.
func SyncFolder(string) error { return nil }
