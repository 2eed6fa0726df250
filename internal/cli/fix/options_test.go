package fix

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfFix(t *testing.T) {
	fix, err := clitest.Parse(t, New, "--apply", "--commit", "--test", "--json", "--timeout", "3s", "./x", "--", "-short")
	if err != nil || !fix.report.Apply || !fix.Commit || !fix.AsJSON || fix.report.Timeout.Seconds() != 3 || fix.pkg != "./x" || !slices.Equal(fix.args, []string{"-test.short"}) {
		t.Errorf("fix: %+v, %v", fix, err)
	}
	_, err = clitest.Parse(t, New, "--commit")
	clitest.WantUsage(t, "a commit of nothing", err, "--commit commits what --apply applies")
	_, err = clitest.Parse(t, New, "--timeout", "0s")
	clitest.WantUsage(t, "no time", err, "--timeout 0s")
	_, err = clitest.Parse(t, New, "--trace", "x.log", "--apply")
	clitest.WantUsage(t, "applied without a run", err, "--trace runs nothing")
}
