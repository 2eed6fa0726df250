package console

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestFlagsOfGoroutines(t *testing.T) {
	type filters = []debugger.GoroutineFilter
	places := debugger.Goroutine{User: debugger.Frame{Line: 1}, Current: debugger.Frame{Line: 2}, GoAt: debugger.Frame{Line: 3}, Start: debugger.Frame{Line: 4}}
	const atUser, atGo, atStart = 1, 3, 4
	for args, want := range map[string]struct {
		show    int // the line of the place that is shown
		filters filters
		group   debugger.GoroutineField
		label   string
		stack   int
		exec    string
	}{
		"":                          {show: atUser},
		"-r -s":                     {show: atStart},
		"-t":                        {show: atUser, stack: 10},
		"-t 3 -g":                   {show: atGo, stack: 3},
		"-t -g":                     {show: atGo, stack: 10},
		"-w running":                {show: atUser, filters: filters{{Field: debugger.ByRunning}}},
		"-with userloc main.work":   {show: atUser, filters: filters{{Field: debugger.ByUserLocation, Value: "main.work"}}},
		"-without user -w label a":  {show: atUser, filters: filters{{Field: debugger.ByUser, Not: true}, {Field: debugger.ByLabel, Value: "a"}}},
		"-chan jobs":                {show: atUser, filters: filters{{Field: debugger.ByChannel, Value: "jobs"}}},
		"-group label job":          {show: atUser, group: debugger.ByLabel, label: "job"},
		"-group goloc -exec p x -t": {show: atUser, group: debugger.ByGoStatement, exec: "p x -t"},
	} {
		got, err := parseGoroutines(args)
		q := got.query
		if err != nil || got.show.of(places).Line != want.show || got.stack != want.stack || got.exec != want.exec || q.Group != want.group || q.Label != want.label || !reflect.DeepEqual(q.Filters, want.filters) {
			t.Errorf("%q: %+v, %v", args, got, err)
		}
	}
	for args, says := range map[string]string{
		"-w":              "takes one of",
		"-w color red":    "takes one of",
		"-wo userloc":     "needs a text",
		"-chan":           "needs an expression",
		"-group":          "takes one of",
		"-group channel":  "takes one of",
		"-group label":    "needs a key",
		"-t 3 everything": "not understood",
	} {
		if _, err := parseGoroutines(args); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", args, err, says)
		}
	}
}

func TestStringLiteralsAreToldFromExpressions(t *testing.T) {
	for value, want := range map[string]string{`"a\n"`: "a\n", "`raw`": "raw", `("in parentheses")`: "in parentheses"} {
		if got, ok := stringLiteral(value); !ok || got != want {
			t.Errorf("%s: %q, %v", value, got, ok)
		}
	}
	for _, value := range []string{"", "name", "'x'", "1", `"a" + "b"`, `f("a")`, `"open`} {
		if got, ok := stringLiteral(value); ok {
			t.Errorf("%s is taken for the literal %q", value, got)
		}
	}
}

func TestALineOfABreakpointIsRelativeToTheFrame(t *testing.T) {
	for location, line := range map[string]int{"": 10, "7": 7, "+3": 13, "-3": 7} {
		s, _, _ := fakeShell(t)
		c := breakCall{Call: &Call{Context: t.Context(), Shell: s, At: debugger.FrameRef{Goroutine: 1}}}
		b := debugger.Breakpoint{Location: location}
		if err := c.relativeLine(&b); err != nil || b.File != "/src/main.go" || b.Line != line || b.Location != "" {
			t.Errorf("%q: %+v, %v", location, b, err)
		}
	}
}

func TestGuestsLeaveTheHostsFilesAlone(t *testing.T) {
	s, _, _ := fakeShell(t)
	for line, refused := range map[string]bool{
		"source /tmp/x": true, "transcript /tmp/x": true, "config list": true, "exit": true, "breakpoints -save /tmp/x": true,
		"m": false, "frame 1": false,
	} {
		a, _ := s.Exec(ForGuest(t.Context()), debugger.FrameRef{Goroutine: 1}, line)
		if strings.HasSuffix(a.Err, ErrHostOnly.Error()) != refused {
			t.Errorf("%s: %q, want refused: %v", line, a.Err, refused)
		}
	}
}

func TestOneExpression(t *testing.T) {
	failed := errors.New("no symbol")
	for _, expr := range []string{"a", "f(a, b)", "m[k", "a b"} {
		if err := oneOf(expr, failed); !errors.Is(err, failed) {
			t.Errorf("%s: %v", expr, err)
		}
	}
	if err := oneOf("a, f(b)", failed); !errors.Is(err, ErrUsage) {
		t.Error(err)
	}
}
