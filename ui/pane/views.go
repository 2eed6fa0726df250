package pane

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// view is a way to show a value. The names are those that the configuration
// uses, see format.Words.
type view string

const (
	viewAuto   view = ""
	viewHex    view = "hex"
	viewBin    view = "bin"
	viewOct    view = "oct"
	viewDec    view = "dec"
	viewChar   view = "char"
	viewText   view = "text"
	viewDump   view = "dump"
	viewFields view = "fields" // how it is made, not what it means
	viewOn     view = "on"     // past a pointer that leads back
)

// viewWords say on the bottom line how a value is shown now.
var viewWords = map[view]string{
	viewHex: "hexadecimal", viewBin: "binary", viewOct: "octal", viewDec: "decimal", viewChar: "as a character", viewText: "as text",
	viewDump: "as a hexdump", viewFields: "by its fields", viewOn: "goes on",
}

// nextView shows the value in the next of its ways.
func (p *Locals) nextView(n *node) Effect {
	if n.kind == isBytes {
		if owner, _ := p.tree.find(n.parent); owner != nil {
			n = owner
		}
	}
	ways := p.ways(n)
	if n.kind == isNote || len(ways) < 2 {
		return Say{"there is one way to show this"}
	}
	next := ways[(slices.Index(ways, n.view)+1)%len(ways)]
	p.views[n.path] = next
	if next == viewAuto {
		delete(p.views, n.path)
	}
	p.leaveSearch()
	p.rebuild()
	words := viewWords[next]
	if words == "" {
		words = "as usual"
	}
	return Say{text.Line(n.v.Name) + ": " + words}
}

// ways are the views that a value has, the usual one first.
func (p *Locals) ways(n *node) []view {
	v := n.v.Deref()
	ways := []view{viewAuto}
	if n.view != viewAuto && p.views[n.path] == viewAuto {
		ways[0] = n.view // of the collection, or of the configuration
	}
	switch {
	case p.c == nil || v.Unreadable != "":
	case isInteger(v.Kind) && v.Len == 0 || integers(v) && !byteList(v):
		if p.means(n) {
			ways = append(ways, viewDec)
		}
		ways = append(ways, viewHex, viewBin, viewOct)
		if isInteger(v.Kind) {
			ways = append(ways, viewChar)
		}
	case byteList(v):
		ways = append(ways, viewText, viewDump, viewHex)
		if p.means(n) {
			ways = append(ways, viewFields)
		}
	case v.Kind == reflect.String:
		ways = append(ways, viewDump)
		if p.means(n) {
			ways = append(ways, viewFields)
		}
	case p.means(n):
		ways = append(ways, viewFields)
	case n.v.Kind == reflect.Pointer:
		if n.open {
			ways = append(ways, viewOn)
		}
	}
	return ways
}

// viewOf is how a value is shown: as was asked for it, as its collection is, or
// as the configuration wants it.
func (p *Locals) viewOf(v debugger.Variable, at place) view {
	if own := p.views[at.path]; own != viewAuto {
		return own
	}
	inner := v.Deref()
	switch at.view {
	case viewHex, viewBin, viewOct:
		if isInteger(inner.Kind) {
			return at.view
		}
	}
	if way := p.c.Store.Formats.Word(v); way != "" && way != "hide" {
		return view(way)
	}
	return viewAuto
}

// means reports whether a value has a meaning besides what it shows.
func (p *Locals) means(n *node) bool {
	v := n.v
	if format.Means(v.QualifiedType()) || format.Means(v.Deref().QualifiedType()) {
		return true
	}
	_, err := p.c.Store.Formats.Describe(context.Background(), nil, v)
	return err == nil || errors.Is(err, format.ErrMore)
}

// meaning says what a node's value means, and notes what has to be read for it.
func (p *Locals) meaning(n *node) format.Value {
	if n.raw || n.view != viewAuto {
		return format.Value{}
	}
	if known, ok := p.c.Store.Described(n.frame, n.v); ok {
		if known.Known {
			n.shown = known.Value.Text
		}
		return known.Value
	}
	value, err := p.c.Store.Formats.Describe(context.Background(), nil, n.v) // reads nothing
	switch {
	case err == nil:
		n.shown = value.Text
	case errors.Is(err, format.ErrMore):
		n.need = func() []inspect.Need { return p.c.Store.NeedDescribed(n.frame, n.v) }
	}
	return value
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// byteList tells slices and arrays of bytes.
func byteList(v debugger.Variable) bool {
	if v.Kind != reflect.Slice && v.Kind != reflect.Array {
		return false
	}
	if len(v.Children) > 0 {
		return v.Children[0].Kind == reflect.Uint8
	}
	return strings.HasSuffix(v.Type, "]uint8") || strings.HasSuffix(v.Type, "]byte")
}

// integers tells collections of numbers.
func integers(v debugger.Variable) bool {
	return collection(v.Kind) && len(v.Children) > 0 && isInteger(v.Children[0].Kind)
}

// display is a value in one line of about w cells, as its view wants it. Of an open
// one, the contents follow.
func (n *node) display(w int) string {
	v := n.v
	if v.Unreadable == "" && !v.Nil {
		inner := v.Deref()
		switch {
		case isInteger(inner.Kind) && n.view != viewAuto:
			if s := inBase(inner, n.view); s != "" {
				return s
			}
		case byteList(inner) && (n.view == viewText || n.view == viewDump || n.view == viewHex):
			return fmt.Sprintf("len %d  %s", inner.Len, preview(inner, n.view))
		case n.shown != "":
			return text.Line(n.shown)
		}
	}
	if n.open || n.raw {
		return brief(v)
	}
	return contents(v, w)
}

// inBase writes a number to a base, or as a character; empty where it has none.
func inBase(v debugger.Variable, way view) string {
	number := debugger.Number(v.Value)
	negative := strings.HasPrefix(number, "-")
	n, err := strconv.ParseUint(strings.TrimPrefix(number, "-"), 10, 64)
	if err != nil {
		return ""
	}
	sign := ""
	if negative {
		sign = "-"
	}
	switch way {
	case viewDec, viewFields:
		return number
	case viewHex:
		return sign + "0x" + strconv.FormatUint(n, 16)
	case viewOct:
		return sign + "0o" + strconv.FormatUint(n, 8)
	case viewBin:
		return sign + "0b" + grouped(strconv.FormatUint(n, 2))
	case viewChar:
		if r := rune(n); !negative && n <= unicode.MaxRune && utf8.ValidRune(r) {
			return text.Line(strconv.QuoteRune(r)) + " " + number
		}
	}
	return number
}

// grouped separates the digits of a binary number by fours, as Go's source may.
func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%4 == 0 {
			b.WriteByte('_')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// preview is the first bytes of a list that are loaded.
func preview(v debugger.Variable, way view) string {
	data := make([]byte, 0, 64)
	for _, c := range v.Children {
		n, err := strconv.ParseUint(debugger.Number(c.Value), 10, 8)
		if err != nil || len(data) == 64 {
			break
		}
		data = append(data, byte(n))
	}
	if way == viewText {
		return text.Line(strconv.Quote(string(data)))
	}
	return fmt.Sprintf("% x", data)
}
