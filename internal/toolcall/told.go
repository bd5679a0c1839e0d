package toolcall

// ErrorIn returns the line of a pasted text that names its error, "" if none
// clearly does.
func ErrorIn(text string) string {
	line, _ := worst(text)
	if rank, _ := clarity(line); rank < clearly {
		return ""
	}
	return tidy(line)
}

// clearly is how clearly a line names its error that can be nothing else.
const clearly = 4
