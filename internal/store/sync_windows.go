package store

// syncFolder does nothing: Windows has no sync of a folder, and NTFS keeps
// its names in a journal.
func syncFolder(string) error { return nil }
