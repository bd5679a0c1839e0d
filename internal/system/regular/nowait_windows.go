package regular

// noWait is empty: opening a pipe does not wait on Windows.
const noWait = 0
