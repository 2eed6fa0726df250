package complete

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/ui/inspect"
)

// target knows some names and goroutines.
type target struct {
	debugger.Inspector
	console.Symbols
}

func (target) Functions(context.Context, string) ([]string, error) {
	return []string{"main.main", "main.(*Index).Add", "example.org/shop/store.Open", "example.org/shop/store.close", "fmt.Println"}, nil
}

func (target) Types(context.Context, string) ([]string, error) {
	return []string{"example.org/shop/store.DB", "main.Index"}, nil
}

func (target) Sources(context.Context, string) ([]string, error) {
	return []string{"/src/shop/main.go", "/src/shop/store/open.go", "/go/fmt/print.go"}, nil
}

func (target) Packages(context.Context, string) ([]debugger.Package, error) {
	return []debugger.Package{{Path: "example.org/shop/store"}, {Path: "main"}}, nil
}

func (target) PackageVariables(context.Context, string, bool) ([]debugger.Variable, error) {
	return []debugger.Variable{{Name: "example.org/shop/store.Count"}}, nil
}

func (target) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	return debugger.Variable{}, errors.New("there is no " + expr)
}

func (target) Goroutines(context.Context, debugger.Page) ([]debugger.Goroutine, bool, error) {
	return []debugger.Goroutine{{ID: 1}, {ID: 17}, {ID: 23}}, false, nil
}

// stopped is what is known at a stop with two variables.
func stopped() Input {
	at := debugger.FrameRef{Goroutine: 1}
	index := debugger.Variable{Name: "index", Children: []debugger.Variable{{Children: []debugger.Variable{
		{Name: "docs"}, {Name: "terms", Children: []debugger.Variable{{Name: `["go"]`}, {Name: `["grep"]`}}},
	}}}}
	index.Kind = reflect.Pointer
	stop := debugger.Stop{Goroutine: 1, Frames: []debugger.Frame{{Function: "main.main", Loaded: true, Args: []debugger.Variable{index},
		Locals: []debugger.Variable{{Name: "input"}, {Name: "hidden", Shadowed: true}}}}}
	store := inspect.NewStore()
	store.Stopped(1, stop)
	s := session.NewState()
	s.Round = 1
	s.Started.Workspace = workspace.Workspace{Root: "/src/shop", Modules: []workspace.Module{{Path: "example.org/shop"}}}
	s.Breakpoints = []debugger.Breakpoint{{ID: 1}, {ID: 12, Name: "entry"}}
	return Input{State: s, Store: store, At: at, Held: true}
}

// offers asks until everything that is needed was read.
func offers(t *testing.T, k *Known, line string, in Input) []string {
	t.Helper()
	for range 3 {
		list, need := k.Offers(console.NewTable(), console.NewTable().Complete(line), in)
		if need == nil {
			return list
		}
		for _, n := range need.Store {
			in.Store.Take(inspect.Answer{Tag: in.Store.Tag(), Key: n.Key, Result: n.Read(t.Context(), target{})})
		}
		if need.Read == nil {
			continue
		}
		k.Take(in.State.Round, need.Read(t.Context(), target{}))
	}
	t.Fatalf("%q is never done", line)
	return nil
}

func TestOffers(t *testing.T) {
	k, in := &Known{}, stopped()
	for line, want := range map[string]string{
		"print in":           "index input",
		"print index.":       "docs terms",
		`print index.terms[`: `["go"] ["grep"]`,
		"p store.":           "Count Open close DB",
		"break sto":          "store/open.go: store.Open store.close",
		"break main.":        "main.go: main.(*Index).Add main.main",
		"break Add":          "main.(*Index).Add",
		"whatis In":          "",
		"clear ":             "1 12 entry",
		"cond e":             "entry",
		"goroutine 1":        "17",
		"config max-":        "max-array-values max-string-len max-variable-recurse",
		"help step-":         "step-instruction",
		"stepo":              "stepout",
	} {
		got := offers(t, k, line, in)
		for w := range strings.FieldsSeq(want) {
			if !slices.Contains(got, w) {
				t.Errorf("%q: no %q among %q", line, w, got)
			}
		}
		if slices.Contains(got, "hidden") {
			t.Errorf("%q offers what cannot be named", line)
		}
	}
}

// Without a held target nothing is asked of it.
func TestOffersWhileItRuns(t *testing.T) {
	k, in := &Known{}, stopped()
	in.Held = false
	for _, line := range []string{"break st", "print in", "goroutine ", "p store."} {
		if _, need := k.Offers(console.NewTable(), console.NewTable().Complete(line), in); need != nil {
			t.Errorf("%q needs %s", line, need.Key)
		}
	}
}

// The names of a target are asked for once a round.
func TestSymbolsAreReadOnce(t *testing.T) {
	k, in := &Known{}, stopped()
	offers(t, k, "break main.", in)
	if _, need := k.Offers(console.NewTable(), console.NewTable().Complete("list sto"), in); need != nil {
		t.Errorf("needs %s again", need.Key)
	}
	in.State.Round = 2
	if _, need := k.Offers(console.NewTable(), console.NewTable().Complete("list sto"), in); need == nil {
		t.Error("takes the names of the round before")
	}
}

// Files are those of this machine, as far as they are typed.
func TestPaths(t *testing.T) {
	k, in, dir := &Known{}, stopped(), t.TempDir()
	in.State.Started.Workspace.Dir = dir
	for _, name := range []string{"script.star", "scripts/more.txt", ".hidden"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{"source ": "script.star scripts/", "source scripts/": "scripts/more.txt", "source " + dir + "/script": dir + "/script.star " + dir + "/scripts/", "source none/": ""} {
		if got := offers(t, k, line, in); strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "new.star"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	k.Forget()
	if got := offers(t, k, "source n", in); strings.Join(got, " ") != "new.star" {
		t.Errorf("after a new file: %q", got)
	}
	in.Guest = true
	for _, line := range []string{"source ", "source /", "source ~/", "source " + dir + "/", "transcript /etc/", "dump ../"} {
		if got := offers(t, k, line, in); slices.ContainsFunc(got, func(o string) bool { return strings.Contains(o, "/") || strings.HasSuffix(o, ".star") }) {
			t.Errorf("a guest is offered files of this machine after %q: %q", line, got)
		}
	}
}
