package secret

import "testing"

// What the words around it are about, and no secret all the same.
func TestMistaken(t *testing.T) {
	tests := []struct {
		before, value string
		want          bool
	}{
		{"2;Tom;", "t.uhl@stallberg.de;2023-02-17;no", true},
		{"2;Tom;", "t.uhl@stallberg.de;Kirsche.Zwoelf1", false},
		{"changed: ", "k8s-node-4f7c.kontor.lan", true},
		{"from_secret: ", "ssh_password", true},
		{"hook parser ", "kestrel6933b599b", true},
		{"it opens with ", "sunshine2019", false},
		{"| file | md5 |\n| rootfs.img | ", "0e6a9f1d4b7c83e25f0d9a6b1c7e4f38", true},
		{"login token ", "0e6a9f1d4b7c83e25f0d9a6b1c7e4f38", false},
		{"it opens with ", "quiet-Lantern7", false},
	}
	for _, tt := range tests {
		if got := isMistaken(tt.before+tt.value, len(tt.before), len(tt.before)+len(tt.value)); got != tt.want {
			t.Errorf("isMistaken of %q behind %q = %v, want %v", tt.value, tt.before, got, tt.want)
		}
	}
}
