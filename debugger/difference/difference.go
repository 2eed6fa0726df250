// Package difference finds the differences between two values of a stopped program.
package difference

import (
	"context"
	"fmt"
	"reflect"

	"github.com/pausetui/pausetui/debugger"
)

// Bounds of one search: differences found, reads of the program, levels below the two
// values, and elements of one of them that are looked at.
const (
	mostFound    = 3
	mostReads    = 64
	mostLevels   = 12
	mostElements = 256
)

// Reader reads the children of a value.
type Reader interface {
	Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error)
}

// Between returns the first pairs of parts in which two values differ, each named by the
// path from its value: "got.Kids[0].Size". Nil where the values have different types, are
// the same object, or show no difference within the bounds. Functions, channels and what
// cannot be read are passed over.
func Between(ctx context.Context, r Reader, at debugger.FrameRef, a, b debugger.Variable) []debugger.Difference {
	s := search{ctx: ctx, reader: r, at: at, met: map[[2]uint64]bool{}}
	s.walk(a, b, mostLevels)
	return s.found
}

type search struct {
	ctx    context.Context
	reader Reader
	at     debugger.FrameRef
	met    map[[2]uint64]bool // pairs of pointers that were followed
	reads  int
	found  []debugger.Difference
}

func (s *search) walk(a, b debugger.Variable, levels int) {
	if len(s.found) >= mostFound || levels == 0 || a.Unreadable != "" || b.Unreadable != "" {
		return
	}
	if a.Type != b.Type || a.Kind != b.Kind {
		return
	}
	switch a.Kind {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return
	case reflect.Pointer, reflect.Interface:
		s.below(a, b, levels)
		return
	case reflect.Slice, reflect.Array, reflect.Map:
		if a.Len != b.Len {
			s.add(length(a), length(b))
			return
		}
		s.parts(a, b, levels)
	case reflect.Struct:
		s.parts(a, b, levels)
	default:
		if a.Value != b.Value || a.Len != b.Len {
			s.add(a, b)
		}
	}
}

// below compares what two pointers or interfaces hold.
func (s *search) below(a, b debugger.Variable, levels int) {
	if a.Nil != b.Nil {
		s.add(a, b)
	}
	if a.Nil || b.Nil {
		return
	}
	x, y := s.children(a), s.children(b)
	if len(x) != 1 || len(y) != 1 {
		return
	}
	if a.Kind == reflect.Pointer {
		pair := [2]uint64{x[0].Addr, y[0].Addr}
		if pair[0] != 0 && (pair[0] == pair[1] || s.met[pair]) {
			return
		}
		s.met[pair] = true
	}
	if x[0].Type != y[0].Type {
		s.add(a, b)
		return
	}
	x[0].Name, y[0].Name = a.Name, b.Name
	s.walk(x[0], y[0], levels-1)
}

// parts compares fields, elements and entries. An entry that only one of two maps
// has is a difference of that map.
func (s *search) parts(a, b debugger.Variable, levels int) {
	x, y := s.children(a), s.children(b)
	for i, p := range x {
		if i >= mostElements {
			return
		}
		q, ok := debugger.Variable{}, false
		if a.Kind == reflect.Map {
			q, ok = debugger.Variable{Children: y}.Child(p.Name)
		} else if i < len(y) {
			q, ok = y[i], true
		}
		name := p.Name
		if p.Name = path(a, name); !ok {
			if a.Kind == reflect.Map && int64(len(y)) == b.Len {
				s.add(p, debugger.Variable{Name: path(b, name), Value: "not there"})
			}
			continue
		}
		q.Name = path(b, name)
		s.walk(p, q, levels-1)
	}
}

// children are those that were read with the value, or all of them read now.
func (s *search) children(v debugger.Variable) []debugger.Variable {
	if v.Unloaded == 0 && (len(v.Children) > 0 || v.Len == 0 && v.Kind != reflect.Pointer) {
		return v.Children
	}
	if s.reads++; s.reads > mostReads {
		return v.Children
	}
	list, err := s.reader.Children(s.ctx, s.at, v, debugger.Page{Count: mostElements})
	if err != nil {
		return v.Children
	}
	return list
}

func (s *search) add(a, b debugger.Variable) {
	if len(s.found) >= mostFound {
		return
	}
	s.found = append(s.found, debugger.Difference{A: a, B: b})
}

func path(v debugger.Variable, part string) string {
	if v.Kind == reflect.Struct {
		return v.Name + "." + part
	}
	return v.Name + part // "[3]", `["go"]`
}

// length is the length of a value, as a value of its own.
func length(v debugger.Variable) debugger.Variable {
	return debugger.Variable{Name: "len(" + v.Name + ")", Kind: reflect.Int, Type: "int", Value: fmt.Sprint(v.Len)}
}
