package execute

import (
	"strings"
	"testing"
)

func TestTheArgumentsOfTheOneTest(t *testing.T) {
	got := Unnarrowed([]string{"-test.run", "X", "-test.short", "-test.v", "-test.cpu", "2", "-test.parallel=1", "-test.timeout=3s", "-mine", "-test.run=y"})
	if want := "-test.short|-test.cpu|2|-test.parallel=1|-mine|-test.run=y"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
}
