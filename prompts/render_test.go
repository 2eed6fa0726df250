package prompts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// recorded is a stop as Delve saw it, read from testdata/stops: the program's
// files, the stop, its diagnosis, and the goroutines.
func recorded(t *testing.T, name string) evidence.Case {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "stops", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	w := project(t, files)
	read := func(name string, into any) {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(files[name], "$ROOT", w.Root)), into); err != nil {
			t.Fatal(err)
		}
	}
	c := evidence.Case{Workspace: w, Code: load(t, w)}
	var still paused
	read("stop.json", &c.Stop)
	read("diagnosis.json", &c.Diagnosis)
	read("goroutines.json", &still.goroutines)
	c.Inspect = still
	return c
}

// load loads the packages of a module.
func load(t *testing.T, w workspace.Workspace) *workspace.Code {
	t.Helper()
	code, err := w.Load(t.Context(), workspace.LoadSpec{Dir: w.Dir, Patterns: []string{"./..."}, Env: append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=local")})
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// paused is a target of which only the goroutines are known.
type paused struct {
	debugger.Inspector
	goroutines []debugger.Goroutine
}

func (p paused) Goroutines(context.Context, debugger.Page) ([]debugger.Goroutine, bool, error) {
	return p.goroutines, false, nil
}

func (p paused) Children(context.Context, debugger.FrameRef, debugger.Variable, debugger.Page) ([]debugger.Variable, error) {
	return nil, debugger.ErrGone
}

func (p paused) Evaluate(context.Context, debugger.FrameRef, string) (debugger.Variable, error) {
	return debugger.Variable{}, debugger.ErrGone
}

// TestRender holds the exact messages of each embedded profile for three stops,
// as a 7B model with a context of 8,192 tokens gets them. They are to be read
// by a person when they change.
func TestRender(t *testing.T) {
	model := middle
	model.Context = 8192
	for _, stop := range []string{"nil-map-write", "deadlock", "type-assertion"} {
		gathered := gather(t, recorded(t, stop), prompts.Options{Git: -1})
		gathered.Question = "which value is wrong here, and where was it made?"
		for name, p := range library(t) {
			t.Run(stop+"/"+name, func(t *testing.T) {
				d := prompts.NewDraft(p, model, gathered, prompts.BytesPerToken(model))
				messages, err := d.Messages()
				if err != nil {
					t.Fatal(err)
				}
				if d.Tokens()+prompts.Reserve(p, model) > model.Context {
					t.Errorf("%d tokens, and an answer of %d: more than the model can read", d.Tokens(), prompts.Reserve(p, model))
				}
				var b strings.Builder
				for _, m := range messages {
					fmt.Fprintf(&b, "=== %s ===\n%s\n\n", m.Role, m.Text)
				}
				golden(t, filepath.Join("testdata", "render", stop, name+".md"), b.String())
			})
		}
	}
}

// golden compares with a file, or rewrites it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s:\n%s", file, got)
	}
}
