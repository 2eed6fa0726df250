package behavior

import (
	"fmt"
	"go/format"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/verdict"
)

const before = `package p

type T struct{ n int }

func (t *T) Add(_ int, _ string) { t.n++ }
func (*T) Old(int, string)       {}
func (t T) Get() int           { return t.n }
func Index(list []int, i int) int { return list[i] }
func Gone()                       {}
func Map[K comparable](k K)       {}
func Other(a int) int             { return a }
func main()                       {}
`

func TestFunctions(t *testing.T) {
	after := strings.NewReplacer("t.n++", "t.n += 2", "Old(int, string)       {}", "Old(int, string)       { _ = 1 }", "return list[i]", "return list[0]", "func Gone()                       {}\n", "",
		"Map[K comparable](k K)       {}", "Map[K comparable](k K)       { _ = k }", "Other(a int) int             { return a }", "Other(a, b int) int { return a }",
		"func main()                       {}", "func main() { Index(nil, 1) }").Replace(before)
	found, left := Functions([]Change{{File: "/p/p.go", Before: before, After: after}})
	var names []string
	for _, f := range found {
		names = append(names, f.Expression())
	}
	if !slices.Equal(names, []string{"(*T).Add", "(*T).Old", "Index"}) {
		t.Errorf("found %v", names)
	}
	if len(left) != 4 {
		t.Errorf("left %v", left)
	}
	text, err := Record(before, "example.com/p/pausetui_replay", found)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"func (t *T) Add(_pausetui1 int, _pausetui2 string) {defer pausetuiReplay.Enter(0, &t, &_pausetui1, &_pausetui2).Leave();",
		"func (pausetui0 *T) Old(pausetui1 int, pausetui2 string)       {defer pausetuiReplay.Enter(1, &pausetui0, &pausetui1, &pausetui2).Leave();", "{defer pausetuiReplay.Enter(2, &list, &i).Leave();"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != strings.Count(before, "\n") {
		t.Error("lines have other numbers")
	}
	if _, err := format.Source([]byte(NewPackage(map[string]string{"p.go": before}).Test("example.com/p/pausetui_replay", found, nil))); err != nil {
		t.Error(err)
	}
}

func node(kind replay.Kind, text string) replay.Node {
	return replay.Node{Kind: kind, Type: "int", Text: text}
}

func TestCompare(t *testing.T) {
	one, two, none := replay.Outcome{Results: []replay.Node{node(replay.Int, "1")}}, replay.Outcome{Results: []replay.Node{node(replay.Int, "2")}}, replay.Outcome{Results: []replay.Node{{Kind: replay.Nil, Type: "int"}}}
	panics, other := replay.Outcome{Panic: "index out of range"}, replay.Outcome{Panic: "nil map"}
	for _, test := range []struct {
		name              string
		first, again, now replay.Outcome
		kind              string // empty: the same
	}{
		{"the same answer", one, one, one, ""},
		{"another answer", one, one, two, verdict.RowChanged},
		{"a panic before", panics, panics, one, verdict.RowAnswers},
		{"a panic now", one, one, panics, verdict.RowPanics},
		{"two panics", panics, panics, other, ""},
		{"nil before", none, none, one, verdict.RowSupplied},
		{"nil now", one, one, none, verdict.RowChanged},
	} {
		outcomes := func(o replay.Outcome) map[int]replay.Outcome { return map[int]replay.Outcome{0: o} }
		c := Compare([]replay.Call{{}}, outcomes(test.first), outcomes(test.again), outcomes(test.now))
		got := ""
		if len(c.Differences) == 1 {
			got = c.Differences[0].Kind
		}
		if got != test.kind || c.Tried != 1 {
			t.Errorf("%s: %q, %+v", test.name, got, c)
		}
	}
	c := Compare([]replay.Call{{}, {}, {}}, map[int]replay.Outcome{0: one, 1: one, 2: {Lost: "holds a file"}}, map[int]replay.Outcome{0: two, 1: one, 2: one}, map[int]replay.Outcome{0: one, 2: one})
	if c.Tried != 0 || c.Varying != 1 || c.Lost["holds a file"] != 1 || c.Lost["was not run"] != 1 {
		t.Errorf("got %+v", c)
	}
}

// A panic is noted with its call, and calls of a long run are kept evenly.
func TestRecorded(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		text.WriteString(`{"f":1,"n":` + string(rune('0'+i%10)) + `,"a":[{"k":"int","t":"int","v":"` + strings.Repeat("1", i%7+1) + `"}]}` + "\n")
	}
	text.WriteString(`{"f":1,"n":3,"p":true}` + "\n" + `{"f":2,"n":1,"a":[{"k":"","v":"holds a file"}]}` + "\n" + `{"f":1,"n":`)
	calls, unable := Recorded([]byte(text.String()))
	if len(calls) != MaxCalls || !calls[0].Panicked || calls[1].Panicked || unable[2] != "holds a file" {
		t.Errorf("%d calls, the first %+v; unable %v", len(calls), calls[0], unable)
	}
}

// A package main has its import path in its test binary.
func TestIn(t *testing.T) {
	call := replay.Call{Args: []replay.Node{{Kind: replay.Func, Type: "map[main.K]example.com/main.T", Text: "main.handle", Nodes: []replay.Node{{Type: "*main.T"}}}}}
	got := In([]replay.Call{call}, "example.com/app")[0].Args[0]
	if got.Type != "map[example.com/app.K]example.com/main.T" || got.Text != "example.com/app.handle" || got.Nodes[0].Type != "*example.com/app.T" {
		t.Errorf("got %+v", got)
	}
}

// A candidate can write to the file of outcomes itself, in whatever form: what is read of it
// can be compared and written for people, in a short time.
func TestHostileOutcomes(t *testing.T) {
	deep := strings.Repeat(`{"k":"pointer","n":[`, 4000) + `{"k":"string","v":"` + strings.Repeat("a", 3<<20) + `"}` + strings.Repeat("]}", 4000)
	var rows strings.Builder
	for i, value := range []string{
		`{"k":"pointer"}`, `{"k":"interface"}`, `{"k":"struct","f":["a","b"]}`, `{"k":"struct","n":[{"k":"int","v":"1"}]}`,
		`{"k":"map","n":[{"k":"nil"}]}`, `{"k":"slice","n":[` + strings.Repeat(`{},`, 100_000) + `{}]}`, `{"k":"pointer","n":[{"k":"struct","f":["a"]}]}`, deep,
	} {
		fmt.Fprintf(&rows, `{"i":%d,"o":{"r":[%s]}}`+"\n", i, value)
	}
	var now Outcomes
	if err := now.Read(strings.NewReader(rows.String())); err != nil {
		t.Fatal(err)
	}
	one := map[int]replay.Outcome{}
	for i := range now.Outcomes {
		one[i] = replay.Outcome{Results: []replay.Node{{Kind: replay.Struct, Names: []string{"a"}, Nodes: []replay.Node{{Kind: replay.Int, Text: "1"}}}}}
	}
	begun := time.Now()
	c := Compare(make([]replay.Call, len(one)), one, one, now.Outcomes)
	if len(one) != 8 || c.Tried != 0 {
		t.Errorf("compared %d of %d", c.Tried, len(one))
	}
	for _, o := range now.Outcomes {
		Words{}.Outcomes(difference(one[0], o))
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// What a function answered was probably right if another call of it failed in the run.
func TestBreaks(t *testing.T) {
	failing, quiet := replay.Call{Func: 1, Panicked: true}, replay.Call{Func: 2}
	changed := func(of, away int) Difference {
		return Difference{Kind: verdict.RowChanged, Call: replay.Call{Func: of, Away: away}}
	}
	panics := Difference{Kind: verdict.RowPanics, Call: replay.Call{Func: 2, Away: 1}}
	for name, test := range map[string]struct {
		differences []Difference
		worked      int
		want        bool
	}{
		"nothing":              {nil, 9, false},
		"an answer of the run": {[]Difference{changed(1, 0)}, 0, true},
		"an answer that the stop may have come of":      {[]Difference{changed(2, 0)}, 0, false},
		"one of many inputs that were made":             {[]Difference{changed(1, 1)}, 40, false},
		"one of few":                                    {[]Difference{changed(1, 1)}, 5, true},
		"a panic where there was none":                  {[]Difference{panics}, 5, true},
		"what panicked before answers":                  {[]Difference{{Kind: verdict.RowAnswers, Call: replay.Call{Func: 1}}}, 0, false},
		"many inputs of the function that may be wrong": {[]Difference{changed(2, 1), changed(2, 2)}, 3, false},
	} {
		c := Comparison{Differences: test.differences, Worked: test.worked}
		if got := c.Breaks([]replay.Call{failing, quiet}); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
