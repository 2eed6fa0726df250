// Package looptest gives tests of a part the loop that it needs, without an engine around
// it.
package looptest

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// New returns a loop whose log ends with the test.
func New(t *testing.T, opts options.Session) *loop.Loop {
	t.Helper()
	log, err := session.CreateLog(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	l, err := loop.New(opts.WithDefaults(), workspace.Workspace{}, log)
	if err != nil {
		t.Fatal(err)
	}
	l.Ctx = t.Context()
	t.Cleanup(func() {
		l.Jobs.Wait()
		_ = log.Close()
		_ = scratch.Remove(l.Temp)
	})
	return l
}

// RunPosted does what was posted once all jobs have ended, as the engine would.
func RunPosted(l *loop.Loop) {
	l.Jobs.Wait()
	for _, fn := range l.Take() {
		fn()
	}
}

// Errors are the errors that were reported, one a line.
func Errors(l *loop.Loop) string {
	var list []string
	for _, n := range l.State().Notices {
		if n.Level == "error" {
			list = append(list, n.Text)
		}
	}
	return strings.Join(list, "\n")
}
