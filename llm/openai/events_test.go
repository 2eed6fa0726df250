package openai

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/llm/wire"
)

// A stream of empty lines without end is no answer.
func TestEmptyLinesWithoutEnd(t *testing.T) {
	endless := io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("\n", 2*maxIdle)), strings.NewReader("data: {}\n\n")))
	if _, err := newEvents(endless).next(); !errors.Is(err, wire.ErrBody) {
		t.Errorf("%v", err)
	}
}
