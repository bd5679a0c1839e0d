package lease

import (
	"os"

	"golang.org/x/sys/windows/registry"
)

// domain names the machine, within which a lock on a file holds, by the random id of its installation.
func domain(string) string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err == nil {
		defer key.Close()
		var id string
		if id, _, err = key.GetStringValue("MachineGuid"); err == nil {
			return id
		}
	}
	name, _ := os.Hostname()
	return name
}
