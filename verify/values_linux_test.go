package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// What a fix calls by a table has no name: what the run shows of it is asked.
func TestFunctionValuesAsk(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "table")
	all := f.verifier(t, execute.Options{})
	for call, want := range map[string]string{
		"commands[\"re\"+\"set\"](s)": "may have written to a file that was there: rows.txt",
		"commands[\"quit\"](s)":       "may have ended the program",
		"commands[\"print\"](s)":      "",
	} {
		c := f.edit(t, "main.go", "\ts.seen[row]++\n", "\tif s.seen == nil {\n\t\ts.seen = map[string]int{}\n\t}\n\ts.seen[row]++\n\t"+call+"\n")
		c.Source.Provider = "ollama"
		if v := check(t, all, c); v.Verified != (want == "") || !strings.Contains(v.How, want) || want != "" && v.Effect != verdict.Skips {
			t.Errorf("%s: %s, %s: %+v", call, v.Label(), v.How, v.Checks)
		}
	}
}
