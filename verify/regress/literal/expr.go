package literal

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/regress/value"
)

// plain writes a value in place, without a variable for itself.
func (w *Writer) plain(v *value.Value, at place) (string, error) {
	w.noteZeros(v, at)
	if err := w.after(v, at); err != nil {
		return "", err
	}
	switch v.Form {
	case value.Zero:
		if len(v.Code) > 0 {
			return w.code(v.Code, "")
		}
		return w.zero(v.Type, at), nil
	case value.Literal:
		return w.literal(v, at), nil
	case value.Struct:
		return w.structure(v, at)
	case value.List:
		return w.list(v, at)
	case value.Map:
		return w.mapping(v, at)
	case value.Interface:
		return w.dynamic(v, at)
	case value.Chan:
		return w.channel(v, at)
	case value.Pointer:
		return w.pointer(v, at)
	}
	return w.made(v, at)
}

// after adds the statements that have to follow to the variable that the value
// is part of.
func (w *Writer) after(v *value.Value, at place) error {
	var assigned []value.Field
	if v.Form == value.Made || v.Form == value.Declared {
		assigned = v.Fields
	}
	if len(v.After)+len(assigned) == 0 {
		return nil
	}
	if at.frame == nil || at.path == "" || at.entry {
		return ErrCycle
	}
	if err := w.assign(assigned, at); err != nil {
		return err
	}
	for _, c := range v.After {
		outer := w.late
		w.late = nil
		text, err := w.code(c, at.path)
		late := w.late
		w.late = outer
		if err != nil {
			return err
		}
		if late == nil || late.depth > at.frame.depth {
			late = at.frame
		}
		late.post = append(late.post, text)
	}
	return nil
}

// assign adds assignments to fields.
func (w *Writer) assign(fields []value.Field, at place) error {
	for _, f := range fields {
		inner := place{path: at.path + at.assert + "." + f.Name, frame: at.frame, hint: f.Name[strings.LastIndexByte(f.Name, '.')+1:], typed: true}
		if f.Value.Form == value.Zero && len(f.Value.After) > 0 {
			if err := w.after(f.Value, inner); err != nil {
				return err
			}
			continue
		}
		text, err := w.expr(f.Value, inner)
		if err != nil {
			return err
		}
		if text != "" {
			at.frame.post = append(at.frame.post, inner.path+" = "+text)
		}
	}
	return nil
}

// zero writes a zero value.
func (w *Writer) zero(t types.Type, at place) string {
	name := func() string { return w.Imports.Type(t) }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		text := "0"
		switch {
		case u.Info()&types.IsString != 0:
			text = `""`
		case u.Info()&types.IsBoolean != 0:
			text = "false"
		case u.Kind() == types.UnsafePointer:
			return "nil"
		}
		return w.convert(t, text, at.typed)
	case *types.Struct, *types.Array:
		if at.elide {
			return "{}"
		}
		return name() + "{}"
	case *types.Interface:
		return "nil"
	}
	if at.typed {
		return "nil"
	}
	return conversion(name()) + "(nil)"
}

// conversion puts a type into parentheses where a conversion to it needs them.
func conversion(name string) string {
	if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "func") || strings.HasPrefix(name, "<-") || strings.HasPrefix(name, "chan") {
		return "(" + name + ")"
	}
	return name
}

func (w *Writer) literal(v *value.Value, at place) string { return w.convert(v.Type, v.Text, at.typed) }

// convert writes a constant with its type, where that is not plain.
func (w *Writer) convert(t types.Type, text string, typed bool) string {
	if typed {
		return text
	}
	if b, ok := t.(*types.Basic); ok {
		switch b.Kind() {
		case types.Int, types.String, types.Bool:
			return text
		case types.Float64:
			if strings.ContainsAny(text, ".e") {
				return text
			}
			return text + ".0"
		}
	}
	return w.Imports.Type(t) + "(" + text + ")"
}

// noName is where nothing is assigned to.
func noName(at place) place { return place{hint: at.hint, typed: true, inCode: at.inCode} }

func (w *Writer) structure(v *value.Value, at place) (string, error) {
	var items []string
	for _, f := range v.Fields {
		inner := noName(at)
		inner.hint = f.Name
		if at.path != "" && !at.entry {
			inner.path, inner.frame = at.path+at.assert+"."+f.Name, at.frame
		}
		if f.Value.Form == value.Zero { // what is not zero about it, statements make
			w.note(f.Value, inner)
			w.noteZeros(f.Value, inner)
			if err := w.after(f.Value, inner); err != nil {
				return "", err
			}
			continue
		}
		text, err := w.expr(f.Value, inner)
		if err != nil {
			return "", err
		}
		if text != "" {
			items = append(items, f.Name+": "+text)
		}
	}
	return block(w.open(v.Type, at), items, false), nil
}

func (w *Writer) open(t types.Type, at place) string {
	if at.elide {
		return ""
	}
	return w.Imports.Type(t)
}

// sparse lists have more than this many elements, most of them zero.
const sparse = 8

func (w *Writer) list(v *value.Value, at place) (string, error) {
	elem := elemOf(v.Type)
	zeros := 0
	for _, e := range v.Elems {
		if e.Form == value.Zero {
			zeros++
		}
	}
	_, isSlice := v.Type.Underlying().(*types.Slice)
	if isSlice && zeros == len(v.Elems) && zeros > sparse && !at.addressed && !at.elide && !hasAfter(v) {
		return fmt.Sprintf("make(%s, %d)", w.Imports.Type(v.Type), zeros), nil
	}
	keyed := len(v.Elems) > sparse && zeros*4 > len(v.Elems)*3
	var items []string
	for i, e := range v.Elems {
		inner := place{typed: true, inCode: at.inCode, elide: canElide(e, elem)}
		if at.path != "" && (isSlice || !at.entry) {
			inner.path, inner.frame = fmt.Sprintf("%s%s[%d]", at.path, at.assert, i), at.frame
		}
		if keyed && e.Form == value.Zero && (i+1 < len(v.Elems) || !isSlice) {
			w.note(e, inner)
			w.noteZeros(e, inner)
			if err := w.after(e, inner); err != nil {
				return "", err
			}
			continue
		}
		text, err := w.expr(e, inner)
		if err != nil {
			return "", err
		}
		if text == "" {
			text = "nil"
		}
		if keyed {
			text = strconv.Itoa(i) + ": " + text
		}
		items = append(items, text)
	}
	return block(w.open(v.Type, at), items, true), nil
}

func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return t
}

// canElide reports whether an element's literal may leave its type out.
func canElide(v *value.Value, elem types.Type) bool {
	switch elem.Underlying().(type) {
	case *types.Interface:
		return false
	}
	target := v
	if v.Form == value.Pointer {
		if _, named := elem.(*types.Named); named {
			return false
		}
		target = v.To
	}
	switch target.Form {
	case value.Struct, value.List, value.Map:
		return true
	case value.Zero:
		switch target.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return true
		}
	}
	return false
}

func (w *Writer) mapping(v *value.Value, at place) (string, error) {
	m := v.Type.Underlying().(*types.Map)
	var items []string
	for _, e := range v.Entries {
		key, err := w.expr(e.Key, place{typed: true, elide: canElide(e.Key, m.Key())})
		if err != nil {
			return "", err
		}
		inner := place{typed: true, inCode: at.inCode, elide: canElide(e.Value, m.Elem())}
		if at.path != "" && !strings.Contains(key, "\n") && !strings.HasPrefix(key, "{") {
			inner.path, inner.frame, inner.entry = at.path+at.assert+"["+key+"]", at.frame, true
		}
		text, err := w.expr(e.Value, inner)
		if err != nil {
			return "", err
		}
		if text != "" {
			items = append(items, key+": "+text)
		}
	}
	return block(w.open(v.Type, at), items, false), nil
}

func (w *Writer) dynamic(v *value.Value, at place) (string, error) {
	inner := at
	inner.typed, inner.elide, inner.assert = false, false, ""
	if v.To.Form == value.Pointer && at.path != "" {
		inner.path = at.path + at.assert
		inner.assert = ".(" + w.Imports.Type(v.To.Type) + ")"
	} else if v.To.Form != value.Pointer {
		inner.path, inner.frame = "", nil
	}
	return w.expr(v.To, inner)
}

func (w *Writer) channel(v *value.Value, at place) (string, error) {
	for _, e := range v.Elems {
		item, err := w.expr(e, place{typed: true})
		if err != nil {
			return "", err
		}
		at.frame.post = append(at.frame.post, at.path+" <- "+item)
	}
	if v.Closed {
		at.frame.post = append(at.frame.post, "close("+at.path+")")
	}
	t := v.Type
	if _, named := t.(*types.Named); !named {
		t = types.NewChan(types.SendRecv, t.Underlying().(*types.Chan).Elem())
	}
	if v.Cap > 0 {
		return fmt.Sprintf("make(%s, %d)", w.Imports.Type(t), v.Cap), nil
	}
	return "make(" + w.Imports.Type(t) + ")", nil
}

// Widths of a literal, in bytes: on one line, and of a row of short elements.
const (
	lineWidth = 72
	rowWidth  = 96
)
