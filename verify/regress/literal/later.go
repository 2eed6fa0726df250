package literal

import (
	"fmt"

	"github.com/pausetui/pausetui/verify/regress/value"
)

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

// partOf points at a part of a variable, as soon as that is declared.
func (w *Writer) partOf(in, at place) (string, error) {
	text := "&" + in.path
	if in.frame.done {
		return text, nil
	}
	return w.later(at, in.frame, text)
}
