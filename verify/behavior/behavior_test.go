package behavior

import (
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/syntax"
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
	found, left := Functions([]syntax.Change{{File: "/p/p.go", Before: before, After: after}})
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
	if _, err := format.Source([]byte(NewPackage("example.com/p", map[string]string{"p.go": before}).Test("example.com/p/pausetui_replay", found, nil))); err != nil {
		t.Error(err)
	}
}

func node(kind replay.Kind, text string) replay.Node {
	return replay.Node{Kind: kind, Type: "int", Text: text}
}

// failing is an outcome with an error, and what it wraps: types and texts.
func failing(chain ...string) replay.Outcome {
	e := replay.Node{Kind: replay.Interface, Type: chain[0], Text: strconv.QuoteToASCII(chain[1])}
	for i := 0; i < len(chain); i += 2 {
		e.Wraps = append(e.Wraps, replay.Node{Type: chain[i], Text: strconv.QuoteToASCII(chain[i+1])})
	}
	return replay.Outcome{Results: []replay.Node{node(replay.Int, "0"), e}}
}

// Another error is another answer: other words, or another thing to errors.Is and errors.As. What
// is otherwise each time, and an error around the old one, is not.
func TestErrors(t *testing.T) {
	const plain, wrap, num = "*errors.errorString", "*fmt.wrapError", "*strconv.NumError"
	fine := replay.Outcome{Results: []replay.Node{node(replay.Int, "0"), {Kind: replay.Nil, Type: "error"}}}
	two := failing(plain, "no x")
	two.Results[0].Text = "2"
	for name, test := range map[string]struct {
		first, again, now replay.Outcome
		kind, was, is     string
	}{
		"the same":              {failing(plain, "no x"), failing(plain, "no x"), failing(wrap, "no x"), "", "", ""},
		"other words":           {failing(wrap, "double: bad", num, "bad"), failing(wrap, "double: bad", num, "bad"), failing(plain, "no rec"), verdict.RowError, `returns error "double: bad"`, `returns another error "no rec"`},
		"another type":          {failing("*p.E", "bad"), failing("*p.E", "bad"), failing(plain, "bad"), verdict.RowError, `returns error "bad", which is *p.E`, `returns another error "bad", which is not`},
		"no longer wrapped":     {failing(wrap, "f: bad", num, "bad"), failing(wrap, "f: bad", num, "bad"), failing(plain, "f: bad"), verdict.RowError, `returns error "f: bad", which is *strconv.NumError "bad"`, `returns another error "f: bad", which is not`},
		"wrapped":               {failing("*p.E", "bad"), failing("*p.E", "bad"), failing(wrap, "f: bad", "*p.E", "bad"), "", "", ""},
		"an address":            {failing(plain, "at 0xc000012340"), failing(plain, "at 0xc000012340"), failing(plain, "at 0xc000098760"), "", "", ""},
		"a time":                {failing(plain, "took 1.5µs at 2026-01-02T10:00:00Z"), failing(plain, "took 1.5µs at 2026-01-02T10:00:00Z"), failing(plain, "took 12ms at 2026-01-02T10:00:01.5Z"), "", "", ""},
		"a temporary file":      {failing(plain, "open /tmp/a12/x: no such file"), failing(plain, "open /tmp/a12/x: no such file"), failing(plain, "open /tmp/b9/x: no such file"), "", "", ""},
		"a line":                {failing(plain, "main.go:12: bad"), failing(plain, "main.go:12: bad"), failing(plain, "main.go:15: bad"), "", "", ""},
		"another number":        {failing(plain, "line 12: bad"), failing(plain, "line 12: bad"), failing(plain, "line 15: bad"), verdict.RowError, `returns error "line 12: bad"`, `returns another error "line 15: bad"`},
		"another each time":     {failing(plain, "id 77"), failing(plain, "id 78"), failing(plain, "gone"), "", "", ""},
		"and another result":    {failing(plain, "id 77"), failing(plain, "id 78"), two, verdict.RowChanged, `returns 0, error "id 77"`, `returns 2, error "no x"`},
		"an error where it was": {fine, fine, failing(plain, "no x"), verdict.RowChanged, "returns 0, nil", `returns 0, error "no x"`},
	} {
		outcomes := func(o replay.Outcome) map[int]replay.Outcome { return map[int]replay.Outcome{0: o} }
		c := Compare([]replay.Call{{}}, outcomes(test.first), outcomes(test.again), outcomes(test.now))
		kind, was, is := "", "", ""
		if len(c.Differences) == 1 {
			kind = c.Differences[0].Kind
			was, is = Words{}.Outcomes(c.Differences[0])
		}
		if c.Tried != 1 || kind != test.kind || was != test.was || is != test.is {
			t.Errorf("%s: %q, %s, now %s; tried %d", name, kind, was, is, c.Tried)
		}
	}
}

// Two fixes of a call that panicked may say so in other words; another error instead of an old
// one tells them apart.
func TestErrorsOfTwoFixes(t *testing.T) {
	panics, old := replay.Outcome{Panic: "nil"}, failing("*errors.errorString", "bad")
	before := map[int]replay.Outcome{0: panics, 1: old}
	one := map[int]replay.Outcome{0: failing("*errors.errorString", "no rec"), 1: old}
	calls := []replay.Call{{Panicked: true}, {}}
	for words, apart := range map[string]bool{"bad": false, "no rec": true} {
		other := map[int]replay.Outcome{0: failing("*errors.errorString", "r is nil"), 1: failing("*errors.errorString", words)}
		d, same := Apart(calls, before, before, one, other)
		if d.Kind == verdict.RowError != apart || same != map[bool]int{true: 1, false: 2}[apart] {
			t.Errorf("%s: %q, same on %d", words, d.Kind, same)
		}
	}
	if kept := Kept(calls, before, before, map[int]replay.Outcome{0: old, 1: failing("*errors.errorString", "no rec")}); len(kept) != 0 {
		t.Errorf("kept %v", kept)
	}
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
		if got != test.kind || c.Tried+c.Failing != 1 || c.Failing == 1 != (test.name == "two panics") {
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
		Words{}.Outcomes(difference(one[0], o, false))
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

// A call is made with locks that are free, and is shown so.
func TestLocksOfAnInputAreFree(t *testing.T) {
	lock := replay.Node{Kind: replay.Struct, Type: "sync.Mutex", Names: []string{"state"}, Nodes: []replay.Node{{Kind: replay.Int, Type: "int32", Text: "1"}}}
	bank := replay.Node{Kind: replay.Struct, Type: "p.bank", Names: []string{"mu", "n"}, Nodes: []replay.Node{lock, {Kind: replay.Int, Type: "int", Text: "3"}}}
	c := replay.Call{Args: []replay.Node{{Kind: replay.Pointer, Type: "*p.bank", Nodes: []replay.Node{bank}}}}
	if got, _ := (Words{Package: "p"}).Input(Function{Receiver: "*bank", Name: "take"}, c); got != "(&bank{n: 3}).take()" {
		t.Error(got)
	}
	if len(lock.Nodes) != 1 {
		t.Error("the recorded value is changed")
	}
}
