package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"recollect/internal/config/spelling"
)

// UnknownCommand returns the usage error for a subcommand of cmd that does not exist. It suggests the
// one that was probably meant.
func UnknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	meant := ""
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(append(names, c.Name()), c.Aliases...)
		}
		if slices.Contains(c.SuggestFor, name) {
			meant = c.Name()
		}
	}
	path := strings.TrimPrefix(cmd.CommandPath()+" ", cmd.Root().Name()+" ")
	return Usage(fmt.Errorf("unknown command %q%s", path+name, askMeant(path, cmp.Or(meant, spelling.Nearest(name, names)))))
}

// askMeant returns the question whether a name was meant, "" if the name is "".
func askMeant(before, name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", before, name)
}

// flagError puts an error about a flag into our words.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		collect := func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		cmd.Flags().VisitAll(collect)
		cmd.InheritedFlags().VisitAll(collect)
		return errors.New(err.Error() + askMeant("--", spelling.Nearest(unknown.GetSpecifiedName(), names)))
	}
	var number *strconv.NumError
	if errors.As(err, &number) {
		return errors.New(strings.TrimSuffix(err.Error(), number.Error()) + "must be a number")
	}
	return err
}

// checkGenerated makes the commands that cobra adds refuse unknown arguments, as ours do.
func checkGenerated(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, func(_ *cobra.Command, args []string) error { return printHelp(root, args) }
		case "completion":
			cmd.Args = Exactly(0, "completion takes the name of a shell")
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range cmd.Commands() {
				shell.Args = Exactly(0, "completion "+shell.Name()+" takes none")
			}
		}
	}
}

// printHelp prints the help of the command that args name.
func printHelp(root *cobra.Command, args []string) error {
	cmd := root
	for _, name := range args {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) })
		if i < 0 {
			return UnknownCommand(cmd, name)
		}
		cmd = cmd.Commands()[i]
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}
