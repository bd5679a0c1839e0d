package toolcall

import (
	"testing"
)

func TestFaultSignature(t *testing.T) {
	p := NewPaths(app, "/home/dev/app")
	a := readFault("2026-02-10 12:00:01 ERROR: /tmp/x1/build/a.c line 10: bad 0x7ffe12345678", p)
	b := readFault("2026-03-11 09:30:59 ERROR: /tmp/y9/build/a.c line 12: bad 0x7ffeabcdef01", p)
	if a.signature() != b.signature() || a.line == "" {
		t.Errorf("got %q and %q", a.signature(), b.signature())
	}
	if c := readFault("ERROR: no module named requests", p); c.signature() == readFault("ERROR: no module named yaml", p).signature() {
		t.Error("different modules have one signature")
	}
}
