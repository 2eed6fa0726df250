package console

import (
	"errors"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestSplitTellsCommandsFromExpressions(t *testing.T) {
	table := NewTable()
	for line, want := range map[string]string{
		"n": "next", "n 3": "next", "n + 1": "", "n == nil": "", "n=3": "", "list = nil": "", "list": "list", "list 12": "list", "list +3": "list",
		"p x": "print", "p *x": "print", "p -x": "print", "p - x": "", "p": "", "x": "", "x 0xc000": "examinemem", "x -fmt hex 0xc0": "examinemem", "x - 1": "",
		"x.y": "", "stack -full": "stack", "bt 3": "stack", "len(x)": "", "s[0]": "", "break main.go:3 if x == 2": "break", "b": "break", "b /^main/": "break",
		"b *0x46c0": "break", "b * 2": "", "cond 1 n > 3": "condition", "step-instruction": "step-instruction", "goroutine 5 p x": "goroutine",
		"call f(x)": "call", "set x = 3": "set", "c main.main": "continue", "args": "args", "args[0]": "", "": "", "watch": "", "t": "trace", "frame": "",
		"disass -a 0x1 0x2": "disassemble", "print": "", "config -list": "config", "ask why?": "ask",
	} {
		c, _, ok := table.Split(line)
		if got := c.Name; ok != (want != "") || got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// An error that names the command already does not name it twice.
func TestErrorsNameTheirCommandOnce(t *testing.T) {
	for text, want := range map[string]string{"watch x: it is watched already": "watch x: it is watched already", "no such thing": "watch: no such thing"} {
		fails := Command{Name: "watch", Run: func(*Call) error { return errors.New(text) }}
		s := &Shell{table: makeTable([]Command{fails})}
		if answer, _ := s.Exec(t.Context(), debugger.FrameRef{}, "watch x"); answer.Err != want {
			t.Errorf("%q, want %q", answer.Err, want)
		}
	}
}

func TestLinesThatCarryOthersOut(t *testing.T) {
	table := NewTable()
	for line, want := range map[string]string{
		"next": "next", "goroutine 1 next": "next", "gr 1 frame 2 n 3": "n 3", "frame 1 next": "next", "up next": "next", "down 2 step": "step",
		"deferred 1 print x": "print x", "goroutines -u -exec next": "next", "goroutine 1": "goroutine 1", "up 2": "up 2", "frame": "frame",
		"on 1 next": "on 1 next", "rev next": "rev next", "source file": "source file", "x + 1": "x + 1", "goroutine 2 x + 1": "x + 1",
	} {
		if got := table.Carried(line); got != want {
			t.Errorf("%q carries out %q, want %q", line, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	table := NewTable()
	for head, want := range map[string]Wanted{
		"":                     {Kind: Expression, Words: []string{"*"}},
		"pri":                  {Word: "pri", Kind: Expression, Words: []string{"*"}},
		"print it":             {Start: 6, Word: "it", Kind: Expression},
		"p x.it":               {Start: 4, Word: "it", Kind: Expression, Base: "x"},
		"x.items[0].Na":        {Start: 11, Word: "Na", Kind: Expression, Base: "x.items[0]"},
		"f(x).Na":              {Start: 5, Word: "Na", Kind: Expression, Base: "f(x)"},
		"1 + len(x.te":         {Start: 10, Word: "te", Kind: Expression, Base: "x"},
		`p m["a`:               {Start: 3, Word: `["a`, Kind: Expression, Base: "m", Key: true},
		"p m[":                 {Start: 3, Word: "[", Kind: Expression, Base: "m", Key: true},
		"break ma":             {Start: 6, Word: "ma", Kind: Location},
		"stack -f":             {Start: 6, Word: "-f", Words: []string{"*"}},
		"stack -mode ":         {Start: 12, Words: []string{"*"}},
		"clear ":               {Start: 6, Kind: Breakpoint},
		"on 1 pri":             {Start: 5, Word: "pri", Kind: Expression, Words: []string{"*"}},
		"on 1 print x.na":      {Start: 13, Word: "na", Kind: Expression, Base: "x"},
		"goroutine 3 bt -o":    {Start: 15, Word: "-o", Words: []string{"*"}},
		"goroutines -exec loc": {Start: 17, Word: "loc", Kind: Expression, Words: []string{"*"}},
		"goroutines -with us":  {Start: 17, Word: "us", Words: []string{"*"}},
		"x -fmt hex -x &va":    {Start: 15, Word: "va", Kind: Expression},
		"frame 2 print ":       {Start: 14, Kind: Expression},
		"funcs ma":             {Start: 6, Word: "ma", Kind: Function},
		"source ./a":           {Start: 7, Word: "./a", Kind: Path},
		"config alias":         {Start: 7, Word: "alias", Kind: Setting},
		"next ":                {Start: 5},
		"cond 2 x.n":           {Start: 9, Word: "n", Kind: Expression, Base: "x"},
		"cond -hitcount ":      {Start: 15, Kind: Breakpoint},
		"disass -l main":       {Start: 10, Word: "main", Kind: Location},
		"deferred 1 print arg": {Start: 17, Word: "arg", Kind: Expression},
		"x.y = z.w":            {Start: 8, Word: "w", Kind: Expression, Base: "z"},
		"watch -rw x.cou":      {Start: 12, Word: "cou", Kind: Expression, Base: "x"},
		"help bre":             {Start: 5, Word: "bre", Kind: Name},
	} {
		got := table.Complete(head)
		if got.Start != want.Start || got.Word != want.Word || got.Kind != want.Kind || got.Base != want.Base || got.Key != want.Key || (len(got.Words) > 0) != (len(want.Words) > 0) {
			got.Words = got.Words[:min(len(got.Words), 2)]
			got.Command = nil
			t.Errorf("%q: %+v, want %+v", head, got, want)
		}
	}
}

func TestParseBreak(t *testing.T) {
	for text, want := range map[string][3]string{
		"":                         {"", "", ""},
		"main.go:3":                {"", "main.go:3", ""},
		"here main.go:3 if x == 2": {"here", "main.go:3", "x == 2"},
		"if x > 1":                 {"", "", "x > 1"},
		"/a b/":                    {"", "/a b/", ""},
		"main.(*T).Do":             {"", "main.(*T).Do", ""},
		"+2 if a && b":             {"", "+2", "a && b"},
	} {
		b := ParseBreak(text)
		if got := [3]string{b.Name, b.Location, b.Cond}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNoTwoCommandsShareAName(t *testing.T) {
	seen := map[string]string{}
	for _, c := range NewTable().Commands() {
		for _, n := range c.Names() {
			if other, taken := seen[n]; taken {
				t.Errorf("%s and %s are both called %s", c.Name, other, n)
			}
			seen[n] = c.Name
		}
	}
}
