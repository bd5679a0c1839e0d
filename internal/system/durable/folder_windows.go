package durable

// SyncFolder does nothing: Windows cannot sync a folder, and NTFS keeps names in a journal.
func SyncFolder(string) error { return nil }
