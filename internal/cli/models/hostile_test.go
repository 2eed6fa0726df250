package models

import (
	"io"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestModelsAreHarmless(t *testing.T) {
	clitest.Harmless(t, 2, func(w io.Writer, words string) { _ = printModels(w, []Listed{{ID: words}}) })
}
