package sharing

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/share/machines"
)

// makeKey makes a key for the data folder, and shows it.
func makeKey(a *app.App) error {
	home, there, err := currentKey()
	if err != nil {
		return err
	}
	if there {
		return errors.New("there is a key already; recollect sync --key puts another in its place")
	}
	key, err := machines.NewKey()
	if err == nil {
		err = key.Save(home)
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.Out, key); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Err, "recollect: this key is shown once: keep it with your passwords, and enter it on your other machines with recollect sync --key")
	return err
}

// readKey stores the key that the user enters in the data folder.
func readKey(a *app.App) error {
	home, there, err := currentKey()
	if err != nil {
		return err
	}
	text, err := readSecret(a, "key: ")
	if err != nil {
		return fmt.Errorf("read key: %w", err)
	}
	key, err := machines.ParseKey(text)
	if err == nil {
		err = key.Save(home)
	}
	if err != nil {
		return err
	}
	did := "set"
	if there {
		did = "replaced"
	}
	_, err = fmt.Fprintf(a.Out, "the key is %s; the next sync encrypts what this machine writes\n", did)
	return err
}

// currentKey returns the data folder, and reports whether it has a key. It makes the folder if it does
// not exist.
func currentKey() (home string, there bool, err error) {
	if home, err = api.Home(); err != nil {
		return "", false, err
	}
	if err := api.MakePrivate(home); err != nil {
		return "", false, err
	}
	key, err := machines.LoadKey(home)
	return home, key != nil, err
}

// maxSecret is the most that is read of the user's input, in bytes.
const maxSecret = 4 << 10

// readSecret returns the user's input, which a terminal does not show.
func readSecret(a *app.App, prompt string) (string, error) {
	f, ok := a.In.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		b, err := io.ReadAll(io.LimitReader(a.In, maxSecret))
		return string(b), err
	}
	fmt.Fprint(a.Err, prompt)
	b, err := term.ReadPassword(int(f.Fd()))
	fmt.Fprintln(a.Err)
	return string(b), err
}
