package markdown

import (
	"strings"
	"testing"
)

func FuzzReadFront(f *testing.F) {
	f.Add("---\nname: a\nmetadata:\n  type: user\n  tags: [a, \"b\"]\n---\ntext\n")
	f.Add("\ufeff---\r\na: &x [1]\r\nb: *x\r\n---\r\n")
	f.Add("---\n- a\n---\n")
	f.Fuzz(func(t *testing.T, in string) {
		front, err := ReadFront(strings.NewReader(in), "x.md")
		if err != nil && !strings.HasPrefix(err.Error(), "x.md:") {
			t.Errorf("%q: error %q does not say where", in, err)
		}
		if err == nil && len(front.Text) > len(in)*3 { // what is no UTF-8 grows
			t.Errorf("%q: a text of %d bytes", in, len(front.Text))
		}
	})
}
