package verify

import "testing"

func TestTheDigestOfAScreenIsEmpty(t *testing.T) {
	c := control{before: []byte("starting\n")}
	if got := digest(c, []byte("starting\r\nchosen: tea\r\n")); got != "chosen: tea" {
		t.Errorf("of lines it is %q", got)
	}
	if got := digest(c, []byte("starting\r\n\x1b[?1049h\x1b[2Jtea\x1b[?1049l")); got != "" {
		t.Errorf("of a screen it is %q", got)
	}
}
