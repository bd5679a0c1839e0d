// Package prompt reads what is to be known of a prompt before any memory is looked for: what somebody
// typed and what they pasted into it, whether it asks about their own past work, and whether it is an
// everyday one, to which no past work matters. Package dates below it reads the times that it names.
package prompt
