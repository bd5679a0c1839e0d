package secret

import "testing"

func TestAlone(t *testing.T) {
	for _, s := range []string{"Tarn9lake", " `Tarn9lake!`\n", "k3JvQ8mZt5Lw2Xc9"} {
		if !Alone(s) {
			t.Errorf("%q may be kept", s)
		}
	}
	for _, s := range []string{"", "continue", "README.md", "src/main.go", "/compact", "v2.3.1", "yes!", "go on", "k8s", "utf8", "TestRetry", "eu-west-1", "#1234", "E2E"} {
		if Alone(s) {
			t.Errorf("%q is not kept", s)
		}
	}
}
