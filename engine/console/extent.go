package console

import (
	"context"
	"reflect"

	"github.com/pausetui/pausetui/debugger"
)

// Extent is how much of a value is written out in lines. A value can be opened
// as a whole whatever it says.
type Extent struct {
	Text     int // bytes of a text
	Elements int // of a slice, array or map
	Depth    int // levels
}

// The bounds of an Extent, and of what is read for one value.
const (
	maxWrittenText     = 1 << 20
	maxWrittenElements = 10_000
	maxWrittenDepth    = 20
	maxWrittenReads    = 500
)

func (e Extent) withDefaults() Extent {
	if e.Text <= 0 {
		e.Text = 2048
	}
	if e.Elements <= 0 {
		e.Elements = 64
	}
	if e.Depth <= 0 {
		e.Depth = 3
	}
	return Extent{min(e.Text, maxWrittenText), min(e.Elements, maxWrittenElements), min(e.Depth, maxWrittenDepth)}
}

// lines is how many lines a value may take.
func (e Extent) lines() int { return max(120, e.Elements*2) }

// to is the same to another depth.
func (e Extent) to(depth int) Extent {
	e.Depth = depth
	return e
}

// stringReader reads texts beyond what was loaded of them.
type stringReader interface {
	String(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (string, error)
}

// fill loads what an extent that a person has chosen wants of a value and was
// not loaded with it, and takes away what it does not want. What cannot be read
// stays as it is.
func (c dataCall) fill(t Target, v *debugger.Variable, e Extent) {
	if e == (Extent{}).withDefaults() {
		return
	}
	reads := maxWrittenReads
	c.fillOne(t, v, e, e.Depth, &reads)
}

func (c dataCall) fillOne(t Target, v *debugger.Variable, e Extent, depth int, reads *int) {
	if c.Err() != nil {
		return
	}
	switch v.Kind {
	case reflect.String:
		c.fillText(t, v, e.Text, reads)
		return
	case reflect.Slice, reflect.Array, reflect.Map:
		c.fillElements(t, v, e.Elements, depth, reads)
	default:
		if depth > 0 && len(v.Children) == 0 && v.Unloaded > 0 {
			c.read(t, v, int(min(v.Unloaded, maxWrittenElements)), reads)
		}
	}
	below := depth - 1
	if v.Kind == reflect.Pointer || v.Kind == reflect.Interface { // what they hold is written in their place
		below = depth
	}
	if below < 0 {
		return
	}
	for i := range v.Children {
		c.fillOne(t, &v.Children[i], e, below, reads)
	}
}

func (c dataCall) fillText(t Target, v *debugger.Variable, most int, reads *int) {
	reader, ok := t.(stringReader)
	if !ok || int64(len(v.Value)) >= min(v.Len, int64(most)) || v.Expr == "" || *reads <= 0 {
		return
	}
	*reads--
	if text, err := reader.String(c, c.At, *v, debugger.Page{Count: most}); err == nil {
		v.Value = text
	}
}

func (c dataCall) fillElements(t Target, v *debugger.Variable, most, depth int, reads *int) {
	if int64(len(v.Children)) < min(v.Len, int64(most)) && depth > 0 {
		c.read(t, v, most, reads)
	}
	if len(v.Children) > most {
		v.Children = v.Children[:most]
		v.Unloaded = v.Len - int64(most)
	}
}

// read loads the first children of a value.
func (c dataCall) read(t Target, v *debugger.Variable, count int, reads *int) {
	if v.Expr == "" || *reads <= 0 {
		return
	}
	*reads--
	children, err := t.Children(c, c.At, *v, debugger.Page{Count: count})
	if err != nil || len(children) <= len(v.Children) {
		return
	}
	v.Unloaded = max(v.Unloaded-int64(len(children)-len(v.Children)), 0)
	v.Children = children
}
