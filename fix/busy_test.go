package fix

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/llm/retry"
)

// A model whose server is busy is asked again, and the log says so.
func TestABusyModelIsAskedAgain(t *testing.T) {
	testsupport.Slow(t)
	dir := module(t, shelves)
	opts := asking(t, dir, "scripted:7b", ollamatest.Turns(ollamatest.Busy(), ollamatest.Answer(goodAnswer)))
	opts.Fixes.Profiles[0].Provider = retry.Wrap(opts.Fixes.Profiles[0].Provider, retry.Options{First: time.Millisecond})
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range report.Candidates {
		found = found || c.Model == "scripted:7b"
	}
	log, err := os.ReadFile(filepath.Join(dir, report.Session))
	if err != nil || !found || !strings.Contains(string(log), "asking again in") || !strings.Contains(string(log), "(2 of 4)") {
		t.Errorf("candidates %+v, log (%v):\n%s", report.Candidates, err, log)
	}
}
