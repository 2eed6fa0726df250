//go:build go1.21

package replay

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Source writes a value as Go source in a package, as far as that can be: what has no
// literal is written as a person would describe it, and whole is false.
func Source(n Node, pkg string) (text string, whole bool) {
	w := writer{pkg: pkg, whole: true}
	return w.value(n, false), w.whole
}

// writer writes nodes as Go source.
type writer struct {
	pkg   string
	whole bool
}

var qualified = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w.~/-]+\.(\w+)`) })

// ShortType writes the name of a type as source of a package has it.
func ShortType(name, pkg string) string {
	name = strings.NewReplacer("interface {}", "any", "[]uint8", "[]byte").Replace(name)
	return qualified().ReplaceAllStringFunc(name, func(s string) string {
		i := strings.LastIndexByte(s, '.')
		if s[:i] == pkg {
			return s[i+1:]
		}
		return path.Base(s[:i]) + s[i:]
	})
}

func (w *writer) typed(n Node) string { return ShortType(n.Type, w.pkg) }

// name is the type before the braces of a literal, which a literal around it may imply.
func (w *writer) name(n Node, elided bool) string {
	if elided {
		return ""
	}
	return w.typed(n)
}

// basic are the types that a literal has by itself.
var basic = map[string]bool{"bool": true, "int": true, "float64": true, "string": true, "complex128": true}

// value writes a node; elided leaves its type out where the context has it.
func (w *writer) value(n Node, elided bool) string {
	switch n.Kind {
	case Nil:
		return "nil"
	case Bool, Int, Uint, Complex, String, Float:
		text := n.Text
		if n.Kind == String {
			text = unescaped(text)
		}
		if elided || basic[n.Type] || n.Kind == Int && n.Type == "int" {
			return text
		}
		return w.typed(n) + "(" + text + ")"
	case Bytes:
		return w.typed(n) + "(" + unescaped(n.Text) + ")"
	case Slice, Array:
		return w.name(n, elided) + w.braces(n.Nodes, true)
	case Map:
		var pairs []string
		for i := 0; i+1 < len(n.Nodes); i += 2 {
			pairs = append(pairs, w.value(n.Nodes[i], true)+": "+w.value(n.Nodes[i+1], true))
		}
		return w.name(n, elided) + "{" + strings.Join(pairs, ", ") + "}"
	case Struct:
		return w.structure(n, elided)
	case Pointer:
		in := n.Nodes[0]
		if in.Kind == Struct && elided {
			return w.structure(in, true)
		}
		if in.Kind == Struct {
			return "&" + w.structure(in, false)
		}
		w.whole = false
		return "&" + w.value(in, false)
	case Interface:
		if n.Text != "" && (len(n.Nodes) == 0 || w.hidden(n.Type)) {
			return "errors.New(" + unescaped(n.Text) + ")"
		}
		return w.value(n.Nodes[0], false)
	}
	return w.other(n)
}

// hidden reports whether another package has a type for itself.
func (w *writer) hidden(name string) bool {
	name = strings.TrimLeft(name, "*")
	i := strings.LastIndexByte(name, '.')
	return i >= 0 && name[:i] != w.pkg && name[i+1:] != "" && name[i+1] >= 'a' && name[i+1] <= 'z'
}

// other writes what has no literal.
func (w *writer) other(n Node) string {
	switch n.Kind {
	case Context:
		return "context.Background()"
	case File:
		return "os." + n.Text
	case Time:
		w.whole = false
		return n.Text
	case Func:
		w.whole = false
		return "func " + path.Base(n.Text)
	case Chan:
		return "make(" + w.typed(n) + ", " + n.Text + ")"
	}
	w.whole = false
	if n.Kind == Same {
		return "&…"
	}
	return w.typed(n) + "{…}"
}

func (w *writer) structure(n Node, elided bool) string {
	var fields []string
	for i, c := range n.Nodes {
		if !isZero(c) {
			fields = append(fields, n.Names[i]+": "+w.value(c, false))
		}
	}
	return w.name(n, elided) + "{" + strings.Join(fields, ", ") + "}"
}

func (w *writer) braces(nodes []Node, elided bool) string {
	parts := make([]string, len(nodes))
	for i, c := range nodes {
		parts[i] = w.value(c, elided)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// isZero reports whether a field can be left out of a literal.
func isZero(n Node) bool {
	switch n.Kind {
	case Nil:
		return true
	case Bool:
		return n.Text == "false"
	case Int, Uint, Float:
		return n.Text == "0"
	case Complex:
		return n.Text == "(0+0i)"
	case String:
		return n.Text == `""`
	case Time:
		return n.Text == "0001-01-01T00:00:00Z"
	case Struct, Array:
		for _, c := range n.Nodes {
			if !isZero(c) {
				return false
			}
		}
		return true
	}
	return false
}

// unescaped writes a quoted text with its letters, not with their numbers.
func unescaped(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		return text
	}
	return strconv.Quote(s)
}
