// Package literal writes graphs of values (package value) as Go statements and
// expressions.
package literal

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/regress/value"
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

// frame is a variable whose declaration is being written.
type frame struct {
	name  string
	depth int      // how many were being written already
	done  bool     // it is declared
	post  []string // statements that follow the declaration
}

// variable is what a value can be referred to by.
type variable struct {
	name    string
	pointer bool // it holds a pointer to the value
}

func (v variable) value() string {
	if v.pointer {
		return "*" + v.name
	}
	return v.name
}

func (v variable) address() string {
	if v.pointer {
		return v.name
	}
	return "&" + v.name
}

// operand is the value where something is selected from it.
func (v variable) operand() string {
	if v.pointer {
		return "(*" + v.name + ")"
	}
	return v.name
}

// place is where an expression will stand.
type place struct {
	path   string // what it can be assigned to by; empty when it cannot
	assert string // ".(*T)", to get inside of an interface at path
	frame  *frame // the variable at the root of path
	hint   string // a name for the variable that it may need
	typed  bool   // the type is known from where it stands
	elide  bool   // the literal may leave its type out
	inCode bool   // within a piece of code
	entry  bool   // path is an entry of a map: its parts cannot be assigned to
	// addressed: & stands before it.
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

// Variable writes a value as a variable and returns its name, which is the one
// given if it is free.
func (w *Writer) Variable(name string, v *value.Value) (string, error) {
	target := v
	for target.Form == value.Interface {
		target = target.To
	}
	if target.Form == value.Pointer {
		return w.pointee(target, name)
	}
	if have, ok := w.vars[target]; ok {
		return have.value(), nil
	}
	return w.declare(target, name)
}

// declare writes the declaration of a variable that holds v.
func (w *Writer) declare(v *value.Value, hint string) (string, error) {
	f := w.frame(v, hint)
	outer := w.late
	w.late = nil
	text, err := w.initial(v, f)
	if err == nil && w.late != nil {
		// It cannot be made before another variable, or itself, is there.
		assign := append([]string{strings.Replace(text, " := ", " = ", 1)}, f.post...)
		f.post = nil
		w.late.post = append(w.late.post, assign...)
		text = "var " + f.name + " " + w.Imports.Type(v.Type)
	}
	w.late = outer
	if err != nil {
		return "", err
	}
	w.vars[v] = variable{f.name, v.ByPointer}
	return f.name, w.declared(v, f, text)
}

// frame begins the declaration of a variable for v.
func (w *Writer) frame(v *value.Value, hint string) *frame {
	f := &frame{name: w.fresh(hint), depth: len(w.active)}
	w.active[v] = f
	return f
}

// declared adds a declaration with all that has to follow it.
func (w *Writer) declared(v *value.Value, f *frame, text string) error {
	delete(w.active, v)
	f.done = true
	if err := w.add(text); err != nil {
		return err
	}
	for _, line := range f.post {
		if err := w.add(line); err != nil {
			return err
		}
	}
	return nil
}

// initial writes the statement that declares a variable with a value.
func (w *Writer) initial(v *value.Value, f *frame) (string, error) {
	at := place{path: f.name, frame: f}
	switch {
	case v.Form == value.Declared:
		text, err := w.code(v.Code, f.name)
		if err != nil {
			return "", err
		}
		return text, w.after(v, at)
	case v.Form == value.Zero:
		return "var " + f.name + " " + w.Imports.Type(v.Type), w.after(v, at)
	case v.Form == value.Interface:
		text, err := w.plain(v, at)
		return "var " + f.name + " " + w.Imports.Type(v.Type) + " = " + text, err
	}
	text, err := w.plain(v, at)
	if text == "" { // it is assigned later
		return "var " + f.name + " " + w.Imports.Type(v.Type), err
	}
	return f.name + " := " + text, err
}

// pointee writes a variable for what a pointer points at, and returns the
// expression for the pointer.
func (w *Writer) pointee(p *value.Value, hint string) (string, error) {
	to := p.To
	if have, ok := w.vars[to]; ok {
		return have.address(), nil
	}
	if !addressable(to) {
		_, err := w.declare(to, hint)
		return w.vars[to].address(), err
	}
	f := w.frame(to, hint)
	text, err := w.plain(to, place{path: f.name, frame: f, addressed: true})
	if err != nil {
		return "", err
	}
	w.vars[to] = variable{f.name, true}
	return f.name, w.declared(to, f, f.name+" := &"+text)
}

// addressable tells whether & may stand before the expression for a value.
func addressable(v *value.Value) bool {
	switch v.Form {
	case value.Struct, value.List, value.Map:
		return true
	case value.Zero:
		switch v.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return true
		}
	}
	return false
}

// hasAfter tells whether statements have to follow for a value or its parts.
func hasAfter(v *value.Value) bool {
	if len(v.After) > 0 || v.Form == value.Declared || v.Form == value.Made && len(v.Fields) > 0 {
		return true
	}
	for _, f := range v.Fields {
		if hasAfter(f.Value) {
			return true
		}
	}
	if v.Form == value.List {
		for _, e := range v.Elems {
			if hasAfter(e) {
				return true
			}
		}
	}
	return false
}

// needsVariable tells whether a value, other than a pointer, is referred to by
// name.
func (w *Writer) needsVariable(v *value.Value) bool {
	switch v.Form {
	case value.Declared:
		return true
	case value.Chan:
		return w.refs[v] > 1 || len(v.Elems) > 0 || v.Closed
	case value.Map:
		return w.refs[v] > 1
	case value.Made:
		_, named := v.Code[0].(value.Ref)
		return w.refs[v] > 1 && !(named && len(v.Code) == 1) || hasAfter(v)
	}
	return false
}

// variable returns the name of the variable that holds a value, which pointers
// may point at.
func (w *Writer) variable(part value.Variable) (string, error) {
	v := part.Value
	if v.Form == value.Pointer && !part.Changed && w.refs[v] == 1 {
		if name, ok := w.pointerName(v.To); ok {
			return name, nil
		}
		if addressable(v.To) || v.To.ByPointer {
			return w.pointee(v, part.Name)
		}
	}
	if f, ok := w.active[v]; ok {
		w.tooEarly(f)
		return variable{f.name, addressable(v) || v.ByPointer}.operand(), nil
	}
	if _, ok := w.vars[v]; !ok {
		if _, err := w.declare(v, part.Name); err != nil {
			return "", err
		}
	}
	return w.vars[v].operand(), nil
}

// pointerName returns the variable that is a pointer to a value, if there is one.
func (w *Writer) pointerName(to *value.Value) (string, bool) {
	if have, ok := w.vars[to]; ok {
		return have.name, have.pointer
	}
	f, ok := w.active[to]
	if ok = ok && (addressable(to) || to.ByPointer); ok {
		w.tooEarly(f)
		return f.name, true
	}
	return "", false
}

// tooEarly notes that code refers to a variable that is not declared yet.
func (w *Writer) tooEarly(f *frame) {
	if w.late == nil || f.depth < w.late.depth {
		w.late = f
	}
}

// made writes a piece of code in its place, or has it assigned later where it
// refers to a variable that is still being declared.
func (w *Writer) made(v *value.Value, at place) (string, error) {
	outer := w.late
	w.late = nil
	text, err := w.code(v.Code, at.path)
	late := w.late
	w.late = outer
	if err != nil || late == nil {
		return text, err
	}
	if late == at.frame && at.path == late.name { // it refers to itself
		w.tooEarly(late)
		return text, nil
	}
	return w.later(at, late, text)
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

// note remembers where a value stands that pointers point at.
func (w *Writer) note(v *value.Value, at place) {
	if at.path != "" && at.frame != nil && !at.entry && w.refs[v] > 1 {
		w.parts[v] = at
	}
}

// noteZeros does it for the parts of a value that nothing is written for.
func (w *Writer) noteZeros(v *value.Value, at place) {
	if at.path == "" || at.frame == nil || at.entry {
		return
	}
	zero := func(part *value.Value, path string) {
		inner := place{path: at.path + at.assert + path, frame: at.frame}
		w.note(part, inner)
		w.noteZeros(part, inner)
	}
	for _, f := range v.Zeros {
		zero(f.Value, "."+f.Name)
	}
	if v.Form == value.Zero {
		for i, e := range v.Elems {
			zero(e, fmt.Sprintf("[%d]", i))
		}
	}
}

// later has a place assigned when the variable of f is there. Code that it is
// within comes later as a whole.
func (w *Writer) later(at place, f *frame, text string) (string, error) {
	switch {
	case at.inCode:
		w.tooEarly(f)
		return text, nil
	case at.path == "":
		return "", ErrCycle
	}
	f.post = append(f.post, at.path+" = "+text)
	return "", nil
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

// partOf points at a part of a variable, as soon as that is declared.
func (w *Writer) partOf(in, at place) (string, error) {
	text := "&" + in.path
	if in.frame.done {
		return text, nil
	}
	return w.later(at, in.frame, text)
}

// hint names a variable after its place or its type.
func (w *Writer) hint(v *value.Value, at place) string {
	if at.hint != "" {
		return at.hint
	}
	t := v.Type
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		name := named.Obj().Name()
		if first := strings.ToLower(name[:1]); w.Imports.Taken(first + name[1:]) {
			return first
		}
		return strings.ToLower(name[:1]) + name[1:]
	}
	switch v.Form {
	case value.Chan:
		return "ch"
	case value.Map:
		return "m"
	}
	return "v"
}

// fresh returns a name like hint that nothing else has.
func (w *Writer) fresh(hint string) string {
	name := identifier(hint)
	for n := 2; w.names[name] || w.Imports.Taken(name); n++ {
		name = fmt.Sprint(identifier(hint), n)
	}
	w.names[name] = true
	return name
}

// Fresh reserves a name like hint.
func (w *Writer) Fresh(hint string) string { return w.fresh(hint) }

func identifier(hint string) string {
	if hint == "" || hint == "_" || hint == "t" || token.IsKeyword(hint) || types.Universe.Lookup(hint) != nil {
		hint = "v" + strings.TrimPrefix(hint, "_")
	}
	if !unicode.IsLetter(rune(hint[0])) && hint[0] != '_' && hint[0] < 0x80 {
		hint = "v" + hint
	}
	return hint
}

func (w *Writer) add(line string) error {
	if w.size += len(line); w.size > MaxText {
		return ErrTooLong
	}
	w.lines = append(w.lines, line)
	return nil
}
