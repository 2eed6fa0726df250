package doctor

import (
	"io"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

// Errors hold words of a repository's files.
func TestFindingsAreHarmless(t *testing.T) {
	clitest.Harmless(t, 8, func(w io.Writer, words string) {
		_ = printFindings(w, []Finding{{Name: words, Found: words, Why: []string{words}, Hint: words}}, false)
	})
}
