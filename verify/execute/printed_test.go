package execute

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/verify/sandbox"
)

func TestTheDigestOfAScreenIsEmpty(t *testing.T) {
	c := Control{Before: []byte("starting\n")}
	if got := Digest(c, []byte("starting\r\nchosen: tea\r\n")); got != "chosen: tea" {
		t.Errorf("of lines it is %q", got)
	}
	if got := Digest(c, []byte("starting\r\n\x1b[?1049h\x1b[2Jtea\x1b[?1049l")); got != "" {
		t.Errorf("of a screen it is %q", got)
	}
}

// What differs between two runs of the same program is no difference of a fix.
func TestLinesThatVaryAreNoDifference(t *testing.T) {
	befores := [][]byte{[]byte("listening on 41001\nready\n"), []byte("listening on 35530\nready\n")}
	c := Control{Before: befores[0]}
	c.varies, c.Agreed = varying(befores)
	for out, want := range map[string]string{
		"listening on 38017\nready\n3\n":  "",
		"listening on 38017\nbroken\n3\n": `line 2 of the output differs before the failing line: "broken", was "ready"`,
	} {
		if note, early := Compare(c, sandbox.Result{Output: []byte(out)}); note != want || early {
			t.Errorf("%q: %q, %t", out, note, early)
		}
	}
	if _, early := Compare(c, sandbox.Result{Output: []byte("listening on 38017\n")}); !early {
		t.Error("it ends before the failing line")
	}
	if got := Digest(c, []byte("listening on 38017\nready\n3\n")); got != "3" {
		t.Errorf("it printed %q", got)
	}
	log := func(at time.Time) []byte { return []byte(at.Format("2006/01/02 15:04:05") + " listening\n") }
	c = Control{Before: Normal(log(time.Now())), Agreed: true}
	if note, early := Compare(c, sandbox.Result{Output: log(time.Now().Add(time.Hour))}); note != "" || early {
		t.Errorf("the time of a log differs: %q", note)
	}
	if got := string(Normal([]byte("    --- FAIL: TestA/b (0.01s)\r\n"))); got != "    --- FAIL: TestA/b (…)\n" {
		t.Errorf("%q", got)
	}
	if old := []byte("2001/02/03 04:05:06 is a date\n"); string(Normal(old)) != string(old) {
		t.Error("a date that the program is about is left out")
	}
	if _, same := varying([][]byte{[]byte("a\n"), []byte("a\nb\n")}); same {
		t.Error("one has more lines")
	}
}

// What deferred calls print while the program panics comes later where it does not.
func TestDeferredPrintsComeLater(t *testing.T) {
	c := Control{Before: []byte("start\nbye\n"), Agreed: true}
	out := sandbox.Result{Output: []byte("start\nve\nbye\n")}
	if note, _ := Compare(c, out); note == "" {
		t.Error("without deferred calls, it is a difference")
	}
	c.defers = true
	if note, early := Compare(c, out); note != "" || early {
		t.Errorf("%q, %t", note, early)
	}
	if note, _ := Compare(c, sandbox.Result{Output: []byte("started\nve\nbye\n")}); note == "" {
		t.Error("the first line differs")
	}
}
