package verify

import (
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

// watch has the tests of a candidate watched for all files that it could write over.
func watch(a *patched) { a.v.Expected.Give(a.dir, givenDirs(a)) }

// rewritten names a file that the tests change with the candidate, and not
// without one; empty without one.
func rewritten(a *patched) string {
	file := a.v.Expected.OnlyWith(
		func(binary string) bool { return strings.HasPrefix(binary, a.dir+string(filepath.Separator)) },
		func(binary string) bool {
			return binary == a.v.Subject.Binary || strings.HasPrefix(binary, filepath.Join(a.v.dir, execute.BeforePrefix))
		})
	if file == "" {
		return ""
	}
	return a.v.Subject.Workspace.Rel(file)
}

// unwritten doubts a check that passes while tests run: another result may have been
// written where they look for it.
func unwritten(a *patched, check verdict.Check) verdict.Check {
	if check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check
	}
	if file := rewritten(a); file != "" {
		doubt := finding.Inconclusive("with it, the tests change %s while they run, which they may compare with", file)
		doubt.Count, doubt.Fixed = check.Count, check.Fixed
		return doubt
	}
	return check
}
