package regular

// noWait is nothing: to open a pipe does not wait on Windows.
const noWait = 0
