package sessions

import (
	"io"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
	"github.com/pausetui/pausetui/session/bundle"
)

func TestListsAreHarmless(t *testing.T) {
	clitest.Harmless(t, 8, func(w io.Writer, words string) {
		_ = printList(w, []Listed{{ID: words, Outcome: words, Target: words, Culprit: words}}, false)
	})
	clitest.Harmless(t, 4, func(w io.Writer, words string) {
		listBundle(w, bundle.Manifest{Session: words, Files: []bundle.File{{Name: words}}}, words)
	})
}
