package prompts

import (
	"cmp"
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/prompts/redact"
)

// What a struct or a map holds under the name of a secret is the secret, whatever its field
// or key is called: {String: "…", Valid: true} of a password.

// machineMade are texts that nobody would find in a source file that is parsed: parsers
// hold tokens, too.
var machineMade = lazyregexp.New(`^[\w+/=.~-]*[A-Za-z][\w+/=.~-]*\d[\w+/=.~-]*$|^[\w+/=.~-]*\d[\w+/=.~-]*[A-Za-z][\w+/=.~-]*$`)

// goesBy is the name that a value goes by: its own, or that of a secret that holds it.
func goesBy(name, of string, v debugger.Variable) string {
	own := name[strings.LastIndexByte(name, '.')+1:]
	if !redact.NamesSecret(of) || redact.NamesSecret(own) {
		return name
	}
	if text, ok := textOf(v); ok && redact.NamesToken(of) && !machineMade.MatchString(text) {
		return name
	}
	return of
}

// holderOf is the name of the secret that an expression selects a part of; empty without
// one.
func holderOf(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.CallExpr: // a conversion
			if len(x.Args) != 1 {
				return ""
			}
			e = x.Args[0]
		default:
			return ""
		}
		if name := nameOf(e); redact.NamesSecret(name) {
			return name
		}
	}
}

// nameIn is the name that the value of an expression goes by.
func nameIn(expr string, v debugger.Variable) string {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return ""
	}
	return nameFor(e, v)
}

func nameFor(e ast.Expr, v debugger.Variable) string { return goesBy(nameOf(e), holderOf(e), v) }

// heldName is the name of the secret that an expression selects a part of, or another one.
func heldName(expr, otherwise string) string {
	e, err := parser.ParseExpr(expr)
	if err != nil || redact.NamesSecret(otherwise) {
		return otherwise
	}
	return cmp.Or(holderOf(e), otherwise)
}

// leastDigits is the length of the shortest number that counts as a secret, leastParts that
// of the shortest list of numbers.
const (
	leastDigits = 4
	leastParts  = 3
)

// isNumbers reports whether a value is a number, of any type, or a list of numbers, under the name
// of a secret.
func isNumbers(name string, v debugger.Variable) bool {
	v = v.Deref()
	if !redact.NamesNumber(name) {
		return false
	}
	if bigNumber.MatchString(v.Type) && v.Kind == reflect.Struct {
		return true
	}
	if isList(v) && len(v.Children) > 0 && max(v.Len, int64(len(v.Children))) >= leastParts {
		return !slices.ContainsFunc(v.Children, func(c debugger.Variable) bool { return !isNumber(c) })
	}
	return isNumber(v) && len(v.Value)-strings.Count(v.Value, "-")-strings.Count(v.Value, ".") >= leastDigits
}

// isKnownNumber reports whether a value is a number that was hidden elsewhere, or a list of numbers
// that spells a secret.
func (s *Screen) isKnownNumber(v debugger.Variable) bool {
	v = v.Deref()
	switch {
	case isNumber(v):
		return len(v.Value) >= minLeaf && s.current().Knows(v.Value)
	case !isList(v) || len(v.Children) < leastParts:
		return false
	}
	list := make([]string, len(v.Children))
	for i, c := range v.Children {
		if !isNumber(c) {
			return false
		}
		list[i] = c.Value
	}
	return s.current().Knows(strings.Join(list, " "))
}

func isList(v debugger.Variable) bool { return v.Kind == reflect.Slice || v.Kind == reflect.Array }

func isNumber(v debugger.Variable) bool { return reflect.Int <= v.Kind && v.Kind <= reflect.Complex128 }

// withoutKey hides the key of a map's entry where it is the secret: the map goes by the name
// of one. Where the entry holds a text, the key may only say whose it is.
func (s *Screen) withoutKey(of string, entry debugger.Variable) debugger.Variable {
	key, ok := keyOf(entry)
	if !ok || !redact.NamesSecret(of) {
		return entry
	}
	name, isText := textOf(key)
	if _, holds := textOf(entry); isText && (redact.NamesSecret(name) || holds && !redact.IsCode(name)) || !s.isSecret(of, key) {
		return entry
	}
	s.rememberSecret(name)
	entry.Name, entry.Expr, entry.Key = "[…]", "", nil
	return entry
}

// keyOf is the key of a map's entry. Journals have only its text, which may also be that of a high
// index in a list.
func keyOf(entry debugger.Variable) (debugger.Variable, bool) {
	if entry.Key != nil {
		return *entry.Key, true
	}
	literal, ok := strings.CutPrefix(entry.Name, "[")
	literal = strings.TrimSuffix(literal, "]")
	if _, err := strconv.ParseInt(literal, 10, 64); ok && err == nil && len(literal) >= leastDigits {
		return debugger.Variable{Type: "int", Kind: reflect.Int, Value: literal}, true
	}
	text, err := strconv.Unquote(literal)
	return debugger.Variable{Type: "string", Kind: reflect.String, Value: text, Len: int64(len(text))}, ok && err == nil
}

// byNumber hides a number under the name of a secret. That name stays to be seen.
func (s *Screen) byNumber(v debugger.Variable) debugger.Variable {
	s.remember(&s.strings, leaves(v.Deref(), nil))
	return debugger.Variable{Name: v.Name, Type: v.Type, FullType: v.FullType, Value: ofSecret, Shadowed: v.Shadowed, DeclLine: v.DeclLine}
}
