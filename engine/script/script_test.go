package script

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

func start(t *testing.T, limits Limits) *Interpreter {
	t.Helper()
	i, err := Start(context.Background(), API{Names: []string{"frames", "locals", "fails"}, Call: func(_ context.Context, name string, args []any) (any, error) {
		switch name {
		case "frames":
			return []any{map[string]any{"function": "main.main", "line": 3}}, nil
		case "locals":
			return Dict{"x": "nil map", "frame": args[0]}, nil
		}
		return nil, errors.New("it is not there")
	}}, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	return i
}

func TestScripts(t *testing.T) {
	i := start(t, Limits{Output: 200, Steps: 100_000})
	for _, one := range []struct {
		text string
		want Result
	}{
		{"f = frames()[0]\nthink(f.function, f.line, locals(0)[\"x\"])", Result{Output: "main.main\n3\nnil map\n", End: Think}},
		{"print(f.line + 1)\npropose(\"make x\")\nprint(\"never\")", Result{Output: "4\n", End: Propose, Words: "make x"}},
		{"x = 1\n\nfails(x)", Result{End: Think, Err: "script:3: it is not there"}},
		{"give_up(\"no idea\")", Result{End: GiveUp, Words: "no idea"}},
		{"load(\"os\", \"x\")", Result{End: Think, Err: "load not implemented"}},
	} {
		got, err := i.Run(context.Background(), one.text)
		if err != nil || got != one.want && !(one.want.Err != "" && strings.Contains(got.Err, one.want.Err)) {
			t.Errorf("%q: %v, %+v, want %+v", one.text, err, got, one.want)
		}
	}
	for text, want := range map[string]string{"while True: pass": "too many steps", "def f(:": "got", "locals([])": "argument 1"} {
		if got, err := i.Run(context.Background(), text); err != nil || !strings.Contains(got.Err, want) {
			t.Errorf("%q: %v, %+v", text, err, got)
		}
	}
	if got, _ := i.Run(context.Background(), "for i in range(1000): print(\"much output\")"); len(got.Output) > 300 {
		t.Errorf("%d bytes of output", len(got.Output))
	}
	if got, _ := i.Run(context.Background(), "for i in range(100): frames()"); !strings.Contains(got.Err, "at most 40") {
		t.Errorf("%+v", got)
	}
}

func TestALimitEndsTheInterpreterAlone(t *testing.T) {
	i := start(t, Limits{Memory: 256 << 20, Time: 30 * time.Second})
	if got, err := i.Run(context.Background(), "x = [\"y\" * (1 << 29) for i in range(10)]"); !errors.Is(err, ErrEnded) {
		t.Errorf("%v, %+v", err, got)
	}
	if _, err := i.Run(context.Background(), "x = 1"); !errors.Is(err, ErrEnded) {
		t.Errorf("%v after the end", err)
	}
}
