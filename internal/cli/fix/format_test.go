package fix

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/fix"
)

// TestAWorkflowObeysNoReport: GitHub obeys lines of a step's log that look like
// commands, also where a model wrote them.
func TestAWorkflowObeysNoReport(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	r := fix.Report{Outcome: fix.Verified, Notices: []string{"::set-output name=x::y", "##[set-output name=x]y"}}
	seen := map[string]bool{}
	for range 2 {
		var out strings.Builder
		o := &Printer{Out: &out}
		if err := o.writeReport(r); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?s)^::stop-commands::(\w{20,})\n(.*)\n::(\w+)::\n$`).FindStringSubmatch(out.String())
		if m == nil || m[1] != m[3] || seen[m[1]] || !strings.Contains(m[2], "::set-output") {
			t.Errorf("%q", out.String())
			continue
		}
		seen[m[1]] = true
	}
}
