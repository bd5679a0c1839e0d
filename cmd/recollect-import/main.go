// Recollect-import reads the database of another program for recollect import. It alone links SQLite.
package main

import (
	"os"

	"recollect/internal/agents/imports/database"
)

func main() {
	os.Exit(database.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
