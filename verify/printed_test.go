package verify

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestTheDigestOfAScreenIsEmpty(t *testing.T) {
	c := control{before: []byte("starting\n")}
	if got := digest(c, []byte("starting\r\nchosen: tea\r\n")); got != "chosen: tea" {
		t.Errorf("of lines it is %q", got)
	}
	if got := digest(c, []byte("starting\r\n\x1b[?1049h\x1b[2Jtea\x1b[?1049l")); got != "" {
		t.Errorf("of a screen it is %q", got)
	}
}

// What differs between two runs of the same program is no difference of a fix.
func TestLinesThatVaryAreNoDifference(t *testing.T) {
	befores := [][]byte{[]byte("listening on 41001\nready\n"), []byte("listening on 35530\nready\n")}
	c := control{before: befores[0]}
	c.varies, c.agreed = varying(befores)
	for out, want := range map[string]string{
		"listening on 38017\nready\n3\n":  "",
		"listening on 38017\nbroken\n3\n": `line 2 of the output differs before the failing line: "broken", was "ready"`,
	} {
		if note, early := compare(c, sandbox.Result{Output: []byte(out)}); note != want || early {
			t.Errorf("%q: %q, %t", out, note, early)
		}
	}
	if _, early := compare(c, sandbox.Result{Output: []byte("listening on 38017\n")}); !early {
		t.Error("it ends before the failing line")
	}
	if got := digest(c, []byte("listening on 38017\nready\n3\n")); got != "3" {
		t.Errorf("it printed %q", got)
	}
	log := func(at time.Time) []byte { return []byte(at.Format("2006/01/02 15:04:05") + " listening\n") }
	c = control{before: normal(log(time.Now())), agreed: true}
	if note, early := compare(c, sandbox.Result{Output: log(time.Now().Add(time.Hour))}); note != "" || early {
		t.Errorf("the time of a log differs: %q", note)
	}
	if got := string(normal([]byte("    --- FAIL: TestA/b (0.01s)\r\n"))); got != "    --- FAIL: TestA/b (…)\n" {
		t.Errorf("%q", got)
	}
	if old := []byte("2001/02/03 04:05:06 is a date\n"); string(normal(old)) != string(old) {
		t.Error("a date that the program is about is left out")
	}
	if _, same := varying([][]byte{[]byte("a\n"), []byte("a\nb\n")}); same {
		t.Error("one has more lines")
	}
}

// What deferred calls print while the program panics comes later where it does not.
func TestDeferredPrintsComeLater(t *testing.T) {
	c := control{before: []byte("start\nbye\n"), agreed: true}
	out := sandbox.Result{Output: []byte("start\nve\nbye\n")}
	if note, _ := compare(c, out); note == "" {
		t.Error("without deferred calls, it is a difference")
	}
	c.defers = true
	if note, early := compare(c, out); note != "" || early {
		t.Errorf("%q, %t", note, early)
	}
	if note, _ := compare(c, sandbox.Result{Output: []byte("started\nve\nbye\n")}); note == "" {
		t.Error("the first line differs")
	}
}

func TestPrintingLessDecidesNothingWhereTheLineWasPassed(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := crashing(t, "deferred")
	all := f.verifier(t, Options{})
	v := check(t, all, f.edit(t, "main.go", "i <= len(xs)", "i < len(xs)"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0; it printed less than the unpatched program did")
	if !v.Verified {
		t.Errorf("verdict %+v", v)
	}
	v = check(t, all, f.edit(t, "main.go", "\tsum(xs)\n", "\tif len(xs) == 3 {\n\t\treturn\n\t}\n\tsum(xs)\n"))
	expect(t, v, verdict.Rerun, verdict.Fail, "ended before the failing line: it printed less than the unpatched program did")
}

// What only leaves out the call that failed changes nothing that was printed before.
func TestAGuardThatChangesWhatCameBefore(t *testing.T) {
	f := crashing(t, "twice")
	v := f.prove(t, Options{}, f.edit(t, "main.go", "\treturn d.list", "\tif d.next()+1 >= len(d.list) {\n\t\treturn 0, errEnd\n\t}\n\treturn d.list"))
	expect(t, v, verdict.Rerun, verdict.Warn, `line 1 of the output differs before the failing line: "2 <nil>", was "1 <nil>"`)
	if v.Effect != verdict.Declines || v.Verified {
		t.Errorf("%s, verified %v: %+v", v.Effect, v.Verified, v.Checks)
	}
}
