// Package literal writes graphs of values (package value) as Go statements and
// expressions. What it writes compiles and makes the same value, or it refuses: it
// never leaves a part out. It must not know where a value is from or what is tested.
package literal

import (
	"errors"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/verify/regress/value"
)

// MaxText bounds the source that is written for one test, in bytes.
const MaxText = 64 << 10

var (
	// ErrTooLong is returned when the values need more source than MaxText.
	ErrTooLong = errors.New("its values need too much source text")
	// ErrCycle is returned for values that refer to themselves through what
	// nothing can be assigned to.
	ErrCycle = errors.New("a value refers back to itself in a way that cannot be rebuilt")
)

// Writer writes the values of one function body. Count all of them first: what
// several refer to becomes a variable.
type Writer struct {
	Imports *Imports

	lines  []string
	refs   map[*value.Value]int
	vars   map[*value.Value]variable
	active map[*value.Value]*frame
	parts  map[*value.Value]place // values that stand within a variable
	names  map[string]bool
	size   int
	late   *frame // the outermost variable that a piece of code refers to too early
}

// place is where an expression will stand.
type place struct {
	path   string // what it can be assigned to by; empty when it cannot
	assert string // ".(*T)", to get inside of an interface at path
	frame  *frame // the variable at the root of path
	hint   string // a name for the variable that it may need
	typed  bool   // the type is known from where it is
	elide  bool   // the literal may leave its type out
	inCode bool   // within a piece of code
	entry  bool   // path is an entry of a map: its parts cannot be assigned to
	// addressed: & is before it.
	addressed bool
}

// NewWriter begins a function body. The names are those it must not use.
func NewWriter(imports *Imports, names ...string) *Writer {
	w := &Writer{Imports: imports, refs: map[*value.Value]int{}, vars: map[*value.Value]variable{},
		active: map[*value.Value]*frame{}, parts: map[*value.Value]place{}, names: map[string]bool{}}
	for _, name := range names {
		w.names[name] = true
	}
	return w
}

// Lines are the statements written so far.
func (w *Writer) Lines() []string { return w.lines }

// Count notes that a value will be written.
func (w *Writer) Count(v *value.Value) {
	if v == nil {
		return
	}
	if w.refs[v]++; w.refs[v] > 1 {
		return
	}
	w.Count(v.To)
	for _, fields := range [][]value.Field{v.Fields, v.Zeros} {
		for _, f := range fields {
			w.Count(f.Value)
		}
	}
	for _, e := range v.Elems {
		w.Count(e)
	}
	for _, e := range v.Entries {
		w.Count(e.Key)
		w.Count(e.Value)
	}
	w.countCode(v.Code)
	for _, c := range v.After {
		w.countCode(c)
	}
}

func (w *Writer) countCode(c value.Code) {
	seen := map[*value.Value]bool{}
	for _, part := range c {
		switch part := part.(type) {
		case *value.Value:
			w.Count(part)
		case value.Variable:
			if !seen[part.Value] {
				seen[part.Value] = true
				w.Count(part.Value)
			}
		case value.Code:
			w.countCode(part)
		}
	}
}

// longArgument is the length from which an argument gets a variable.
const longArgument = 40

// Argument writes a value as the argument of a call, by a variable of that name
// when it is long.
func (w *Writer) Argument(name string, v *value.Value) (string, error) {
	if hasAfter(v) {
		return w.Variable(name, v)
	}
	text, err := w.expr(v, place{hint: name, typed: true})
	if err != nil || len(text) <= longArgument && !strings.Contains(text, "\n") {
		return text, err
	}
	name = w.fresh(name)
	if text, err = w.expr(v, place{hint: name}); err != nil {
		return "", err
	}
	return name, w.add(name + " := " + text)
}

// Cell writes a value as an element of a composite literal, by a variable where statements
// have to make it.
func (w *Writer) Cell(name string, v *value.Value) (string, error) {
	if hasAfter(v) {
		return w.Variable(name, v)
	}
	text, err := w.expr(v, place{hint: name, typed: true})
	if err == nil && text == "" {
		err = ErrCycle
	}
	return text, err
}

// expr writes an expression for a value. It is empty for a value that is still
// being declared: then it is assigned to the place later.
func (w *Writer) expr(v *value.Value, at place) (string, error) {
	if have, ok := w.vars[v]; ok && v.Form != value.Pointer {
		return have.value(), nil
	}
	if f, ok := w.active[v]; ok {
		return w.later(at, f, f.name)
	}
	w.note(v, at)
	if w.needsVariable(v) {
		return w.declare(v, w.hint(v, at))
	}
	if v.Form == value.Pointer {
		return w.pointer(v, at)
	}
	return w.plain(v, at)
}

func (w *Writer) pointer(v *value.Value, at place) (string, error) {
	to := v.To
	if have, ok := w.vars[to]; ok {
		return have.address(), nil
	}
	if in, ok := w.parts[to]; ok {
		return w.partOf(in, at)
	}
	if f, ok := w.active[to]; ok {
		text := f.name
		if !addressable(to) && !to.ByPointer {
			text = "&" + text
		}
		return w.later(at, f, text)
	}
	if to.ByPointer && w.refs[to] == 1 && !hasAfter(to) {
		return w.code(to.Code, "")
	}
	if w.refs[to] > 1 || hasAfter(to) || !addressable(to) {
		if to.Form == value.Zero && w.refs[to] == 1 {
			return "new(" + w.Imports.Type(to.Type) + ")", nil
		}
		return w.pointee(v, w.hint(v, at))
	}
	inside := at
	inside.path += at.assert
	inside.assert, inside.entry, inside.typed, inside.addressed = "", false, false, !at.elide
	if _, isSlice := to.Type.Underlying().(*types.Slice); isSlice || at.path == "" {
		inside.path = ""
	}
	text, err := w.plain(to, inside)
	if at.elide {
		return text, err
	}
	return "&" + text, err
}

func (w *Writer) add(line string) error {
	if w.size += len(line); w.size > MaxText {
		return ErrTooLong
	}
	w.lines = append(w.lines, line)
	return nil
}
