package memory

// FrameTag is the name of the tag around the memories that Claude reads. Capture removes the text within
// it from a transcript, because an injected memory is not news.
const FrameTag = "memory-data"
