package literal

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/verify/regress/value"
)

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
