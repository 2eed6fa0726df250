package literal

import (
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/verify/regress/value"
)

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
	switch v.Form {
	case value.Declared:
		text, err := w.code(v.Code, f.name)
		if err != nil {
			return "", err
		}
		return text, w.after(v, at)
	case value.Zero:
		return "var " + f.name + " " + w.Imports.Type(v.Type), w.after(v, at)
	case value.Interface:
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

// addressable reports whether & may be before the expression for a value.
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

// hasAfter reports whether statements have to follow for a value or its parts.
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

// needsVariable reports whether a value, other than a pointer, is referred to by
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
