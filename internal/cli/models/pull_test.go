package models

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/clitest"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// TestPullGoesOn cancels a pull in its middle, and pulls again.
func TestPullGoesOn(t *testing.T) {
	s := ollamatest.New(t)
	gate := make(chan struct{}, 10)
	s.AddPull("m:3b", ollamatest.Pull{Bytes: 2e9, Gate: gate})
	t.Setenv("OLLAMA_HOST", s.URL)
	clitest.OwnState(t)
	d, err := newDesk(cli.ThisSystem())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- d.pull(ctx, "ollama/m:3b", &bar{w: canceller{&out, cancel}, tenth: -1}) }()
	if err := <-ended; !errors.Is(err, context.Canceled) || strings.Contains(out.String(), "100 %") {
		t.Fatalf("canceled at 30 %%: %v\n%s", err, out.String())
	}
	for range 10 {
		gate <- struct{}{}
	}
	out.Reset()
	if err := d.pull(t.Context(), "ollama/m:3b", &bar{w: &out, tenth: -1}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, " 10 %") || !strings.Contains(got, "100 %") || !strings.Contains(got, "ollama/m:3b is there (2.0 GB)") {
		t.Errorf("it did not go on where it stopped:\n%s", got)
	}
}

// canceller cancels at 30 %.
type canceller struct {
	*bytes.Buffer
	cancel func()
}

func (c canceller) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("30 %")) {
		c.cancel()
	}
	return c.Buffer.Write(p)
}

func TestBar(t *testing.T) {
	for _, width := range []int{20, 40, 80, 200} {
		b := &bar{w: &bytes.Buffer{}, width: width}
		for _, p := range []llm.Progress{{Status: "pulling manifest"}, {Done: 1, Total: 3e9}, {Done: 3e9, Total: 3e9}, {Done: 9e9, Total: 3e9}, {Done: -1, Total: 1}} {
			if row := b.draw(p.Status, p); ansi.StringWidth(row) >= width || row == "" {
				t.Errorf("at %d cells: %q", width, row)
			}
		}
	}
}
