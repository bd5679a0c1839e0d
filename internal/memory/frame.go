package memory

// FrameTag is the name of the tag around the memories that Claude reads. What
// renders them writes it, and capture takes what stands within it out of a
// transcript: an injected memory is no news.
const FrameTag = "memory-data"
