package prompts_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
)

// shop stops in price: what is bad came through a field, a call and an argument.
var shop = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.24\n",
	"main.go": `package main

import "errors"

// ErrClosed is returned when the shop is closed.
var ErrClosed = errors.New("the shop is closed")

type rates struct{ vat float64 }

type shop struct {
	rates *rates
	items map[string]int
}

func open() *shop { return &shop{rates: &rates{}, items: map[string]int{}} }

func (s *shop) shut() { s.rates = nil }

func (s *shop) find(name string) int { return s.items[name] }

func (s *shop) total(name string) (float64, error) {
	if s.rates == nil {
		return 0, ErrClosed
	}
	return s.price(name, 1), nil
}

func (s *shop) price(name string, count int) float64 {
	n := s.find(name)
	return float64(n*count) * s.rates.vat // stops
}

func pick(list []string) string { return list[0] }

func main() {
	s := open()
	s.shut()
	name := pick([]string{"tea"})
	s.price(name, 2) // calls
}
`}

func lineIn(text, mark string) int { return 1 + strings.Count(text[:strings.Index(text, mark)], "\n") }

// stopped is a stop in shop without values and without a diagnosis.
func stopped(t *testing.T) evidence.Case {
	w := project(t, shop)
	src := shop["main.go"]
	return evidence.Case{
		Workspace: w, Code: load(t, w),
		Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{Class: debugger.NilDereference, Message: "invalid memory address or nil pointer dereference"},
			Frames: []debugger.Frame{
				{Index: 0, Function: "main.(*shop).price", User: true, File: w.Abs("main.go"), Line: lineIn(src, "// stops"), Loaded: true},
				{Index: 1, Function: "main.main", User: true, File: w.Abs("main.go"), Line: lineIn(src, "// calls"), Loaded: true},
			}},
	}
}

func TestRelatedShowsWhatDecidesTheValues(t *testing.T) {
	text := gather(t, stopped(t), prompts.Options{Git: -1}).Section(prompts.SectionRelated)
	at := -1
	for _, want := range []string{
		"shop.find is called at", "func (s *shop) find(name string) int", // returned n
		"What sets or changes shop.rates:", "in open, `func open() *shop", "in shop.shut, `func (s *shop) shut() { s.rates = nil }`", // constructor and later writer
		"func (s *shop) shut()",
		"pick is called at", "func pick(list []string) string", // made the caller's argument
		"Where other functions of the package check the same values and leave:", "in shop.total\n", "return 0, ErrClosed",
		"The errors that this code returns:", "var ErrClosed = errors.New",
	} {
		i := strings.Index(text[at+1:], want)
		if i < 0 {
			t.Fatalf("%q does not stand there, or not in its place:\n%s", want, text)
		}
		at += 1 + i
	}
}

// TestRelatedKeepsTheFirst holds that a small budget keeps what stands first.
func TestRelatedKeepsTheFirst(t *testing.T) {
	c := gather(t, stopped(t), prompts.Options{Git: -1, Budget: 700})
	text := c.Section(prompts.SectionRelated)
	if !strings.Contains(text, "func (s *shop) find") || strings.Contains(text, "the errors that the package declares") {
		t.Errorf("of a small budget there is left:\n%s", text)
	}
}

func TestRelatedBlamesWhatTheDiagnosisNames(t *testing.T) {
	c := stopped(t)
	c.Diagnosis = evidence.Diagnosis{Sentence: "s.rates is nil", Expr: "s.rates"}
	text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
	if !strings.HasPrefix(text, "What sets or changes shop.rates:") {
		t.Errorf("the writers of the bad value do not come first:\n%s", text)
	}
}

func TestRelatedSaysWhereNothingSetsAField(t *testing.T) {
	c := stopped(t)
	text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
	if !strings.Contains(text, "No statement outside tests sets rates.vat by name") {
		t.Errorf("rates.vat is set nowhere:\n%s", text)
	}
}

// A field that the failing line alone sets is not one that nothing sets.
func TestRelatedKnowsThatTheFailingLineSetsAField(t *testing.T) {
	const src = `package main

type meter struct{ left, parts int }

func (m *meter) split() {
	m.left = m.left / m.parts // stops
}

func main() { new(meter).split() }
`
	w := project(t, map[string]string{"go.mod": "module example.com/meter\n\ngo 1.24\n", "main.go": src})
	f := debugger.Frame{Function: "main.(*meter).split", User: true, File: w.Abs("main.go"), Line: lineIn(src, "// stops"), Loaded: true}
	c := evidence.Case{Workspace: w, Code: load(t, w), Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1,
		Panic: &debugger.Panic{Class: debugger.DivideByZero}, Frames: []debugger.Frame{f}}}
	text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
	for _, want := range []string{"No statement outside tests but the failing one sets meter.left by name.", "No statement outside tests sets meter.parts by name."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not stand there:\n%s", want, text)
		}
	}
}

const shapes = `package main

type shape interface{ area() *int }

type circle struct{}

func (circle) area() *int { return nil }

type square struct{}

func (square) area() *int { return new(int) }

func sum(s shape) int {
	return *s.area() // stops
}

func main() { sum(circle{}) }
`

// Of two types with one name, that of the package that the value's type names
// is meant.
func TestRelatedTellsTypesOfOneNameApart(t *testing.T) {
	const other = "package other\n\ntype Circle struct{}\n\nfunc (Circle) area() *int { return nil }\n\nfunc (Circle) Area() *int { return new(int) }\n"
	src := strings.NewReplacer("circle", "Circle", "area", "Area", "package main", "package main\n\nimport \"example.com/shapes/other\"\n\nvar _ shape = other.Circle{}").Replace(shapes)
	w := project(t, map[string]string{"go.mod": "module example.com/shapes\n\ngo 1.24\n", "main.go": src, "other/other.go": other})
	for typ, shown := range map[string]string{"main.Circle": "Circle.Area is called at main.go:18. main.go", "other.Circle": "Circle.Area is called at main.go:18. other/other.go", "example.com/shapes/other.Circle": "other/other.go", "elsewhere.Circle": "one of 3 functions"} {
		held := debugger.Variable{Name: "s", Type: "main.shape", Kind: reflect.Interface, Children: []debugger.Variable{{Type: typ, Kind: reflect.Struct}}}
		f := debugger.Frame{Function: "main.sum", User: true, File: w.Abs("main.go"), Line: lineIn(src, "// stops"), Loaded: true, Args: []debugger.Variable{held}}
		c := evidence.Case{Workspace: w, Code: load(t, w), Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1,
			Panic: &debugger.Panic{Class: debugger.NilDereference}, Frames: []debugger.Frame{f}}}
		text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
		if !strings.Contains(text, shown) || shown != "one of 3 functions" && strings.Contains(text, "one of 3") {
			t.Errorf("%s: %q does not stand there:\n%s", typ, shown, text)
		}
	}
}

// Where the interface's value can be read, only the method of its type is shown.
func TestRelatedTakesTheMethodOfTheDynamicType(t *testing.T) {
	w := project(t, map[string]string{"go.mod": "module example.com/shapes\n\ngo 1.24\n", "main.go": shapes})
	held := debugger.Variable{Name: "s", Type: "main.shape", Kind: reflect.Interface, Children: []debugger.Variable{{Type: "main.circle", Kind: reflect.Struct}}}
	for _, known := range []bool{true, false} {
		f := debugger.Frame{Function: "main.sum", User: true, File: w.Abs("main.go"), Line: lineIn(shapes, "// stops"), Loaded: true}
		if known {
			f.Args = []debugger.Variable{held}
		}
		c := evidence.Case{Workspace: w, Code: load(t, w), Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1,
			Panic: &debugger.Panic{Class: debugger.NilDereference}, Frames: []debugger.Frame{f}}}
		text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
		if !strings.Contains(text, "func (circle) area()") || strings.Contains(text, "func (square) area()") == known {
			t.Errorf("the type is known %v:\n%s", known, text)
		}
	}
}

const racing = `package main

import "sync"

type hits struct {
	mu sync.Mutex
	by map[string]int
}

func (h *hits) add(k string) {
	h.by[k]++ // stops
}

func (h *hits) all() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.by)
}

func main() {
	h := &hits{by: map[string]int{}}
	go h.add("a")
	h.add("b")
	println(h.all())
}
`

// Of a race all that uses the map is listed, and the stopped goroutine does not
// stand among the others.
func TestRelatedListsAllUsersOfWhatIsShared(t *testing.T) {
	w := project(t, map[string]string{"go.mod": "module example.com/racing\n\ngo 1.24\n", "main.go": racing})
	here := debugger.Frame{Function: "main.(*hits).add", User: true, File: w.Abs("main.go"), Line: lineIn(racing, "// stops"), Loaded: true}
	c := evidence.Case{Workspace: w, Code: load(t, w), Inspect: paused{goroutines: []debugger.Goroutine{{ID: 1, State: "running", User: here}, {ID: 7, State: "runnable", User: here}}},
		Stop: debugger.Stop{Reason: debugger.ReasonFatal, Goroutine: 1, Panic: &debugger.Panic{Class: debugger.ConcurrentMap}, Frames: []debugger.Frame{here}}}
	got := gather(t, c, prompts.Options{Git: -1})
	text := got.Section(prompts.SectionRelated)
	for _, want := range []string{"What uses hits.by outside tests", "in hits.add, `h.by[k]++", "in hits.all, `return len(h.by)`", "func (h *hits) all() int"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not stand there:\n%s", want, text)
		}
	}
	if others := got.Section(prompts.SectionGoroutines); !strings.Contains(others, "1 × runnable") || strings.Contains(others, "running") {
		t.Errorf("the other goroutines:\n%s", others)
	}
}

// lots stops in sum: what reaches the line was let through by known.
var lots = map[string]string{
	"go.mod": "module example.com/lots\n\ngo 1.24\n",
	"main.go": `package main

import "errors"

var (
	errEmpty = errors.New("empty")
	errOther = errors.New("belongs to something else")
)

type kind int

const (
	small kind = iota + 1
	large
)

func known(k kind) bool { return k != 0 }

func unrelated() bool { return true }

func sum(list []kind, by map[kind]*int) (int, error) {
	if len(list) == 0 {
		return 0, errEmpty
	}
	n := 0
	for _, k := range list {
		if !known(k) {
			continue
		}
		if unrelated() {
			n++
		}
		n += *by[k] // stops
	}
	return n, nil
}

func other() error { return errOther }

func main() { sum([]kind{large}, nil) }
`}

func TestTheCodeAroundTheLineIsShown(t *testing.T) {
	w := project(t, lots)
	c := evidence.Case{
		Workspace: w, Code: load(t, w),
		Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{Class: debugger.NilDereference, Message: "invalid memory address or nil pointer dereference"},
			Frames: []debugger.Frame{{Index: 0, Function: "main.sum", User: true, File: w.Abs("main.go"), Line: lineIn(lots["main.go"], "// stops"), Loaded: true}}},
	}
	text := gather(t, c, prompts.Options{Git: -1})
	for _, s := range []struct {
		section, has, lacks string
	}{
		{prompts.SectionRelated, "func known(k kind) bool", "func unrelated"},
		{prompts.SectionRelated, "errEmpty = errors.New", "errOther"},
		{"types", "small kind = iota + 1\n\tlarge\n)", ""},
	} {
		got := text.Section(s.section)
		if !strings.Contains(got, s.has) || s.lacks != "" && strings.Contains(got, s.lacks) {
			t.Errorf("%s wants %q and not %q:\n%s", s.section, s.has, s.lacks, got)
		}
	}
}

// Types take at most a third of the text; what is left out is said.
func TestTypesTakeAThird(t *testing.T) {
	files := map[string]string{"go.mod": lots["go.mod"]}
	var decls, uses strings.Builder
	for _, name := range strings.Split("abcdefgh", "") {
		decls.WriteString("type t" + name + " struct {\n" + strings.Repeat("\t_ struct{ x, y, z int }\n", 60) + "}\n\n")
		uses.WriteString("\tvar " + name + " *t" + name + "\n\t_ = " + name + "\n")
	}
	files["main.go"] = "package main\n\n" + decls.String() + "func main() {\n" + uses.String() + "\tpanic(1) // stops\n}\n"
	w := project(t, files)
	c := evidence.Case{
		Workspace: w, Code: load(t, w),
		Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{Class: debugger.Custom, Message: "1"},
			Frames: []debugger.Frame{{Index: 0, Function: "main.main", User: true, File: w.Abs("main.go"), Line: lineIn(files["main.go"], "// stops"), Loaded: true}}},
	}
	got := gather(t, c, prompts.Options{Git: -1}).Section("types")
	if !strings.Contains(got, "type ta struct") || strings.Contains(got, "type th struct") || !strings.Contains(got, "types left out]") || len(got) > 3500 {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

// Of several writers, the one that gives the bad value is shown whole; of the others
// the statement is enough.
func TestTheWriterThatDecidesIsShown(t *testing.T) {
	files := map[string]string{"go.mod": shop["go.mod"], "main.go": strings.Replace(shop["main.go"], "func (s *shop) find",
		"func (s *shop) reopen(r *rates) {\n\tprintln(\"reopened\")\n\ts.rates = r\n}\n\nfunc (s *shop) find", 1)}
	c := stopped(t)
	w := project(t, files)
	c.Workspace, c.Code = w, load(t, w)
	for i, mark := range []string{"// stops", "// calls"} {
		c.Stop.Frames[i].File, c.Stop.Frames[i].Line = w.Abs("main.go"), lineIn(files["main.go"], mark)
	}
	for _, origin := range []string{"", "main.go:17"} {
		c.Diagnosis = evidence.Diagnosis{Sentence: "s.rates is nil", Expr: "s.rates", Origin: origin}
		text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
		if !strings.Contains(text, "in shop.reopen, `s.rates = r`") || strings.Contains(text, "reopened") || origin == "" && !strings.Contains(text, "```go\nfunc (s *shop) shut()") { // an origin's function is shown with the values
			t.Errorf("origin %q:\n%s", origin, text)
		}
	}
}
