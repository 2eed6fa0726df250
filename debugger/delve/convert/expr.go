package convert

import (
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
)

// Operand puts parentheses around an expression that a selector, an index or
// a star cannot be added to. An expression that is not known stays empty.
func Operand(expr string) string {
	if expr == "" {
		return ""
	}
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return "(" + expr + ")"
	}
	switch parsed.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr,
		*ast.CallExpr, *ast.ParenExpr, *ast.BasicLit:
		return expr
	}
	return "(" + expr + ")"
}

// join concatenates the parts of an expression; empty where one is not known.
func join(parts ...string) string {
	for _, part := range parts {
		if part == "" {
			return ""
		}
	}
	return strings.Join(parts, "")
}

// ByAddress is an expression for what cannot be named: a shadowed variable, a
// blank field, the value of a key that has no literal. It holds until the
// target runs on.
func ByAddress(v *api.Variable) string {
	const registers = 1 << 63 // Delve makes addresses up above this for what is in registers
	if v.Addr == 0 || v.Addr >= registers || v.Type == "" || v.Flags&api.VariableFakeAddress != 0 {
		return ""
	}
	return fmt.Sprintf("*(*%s)(%#x)", strconv.Quote(v.Type), v.Addr)
}

// keyLiteral writes a map's key as Delve can read it back.
func keyLiteral(key *api.Variable) (string, bool) {
	switch key.Kind {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		number := BareNumber(key.Value)
		_, err := strconv.ParseFloat(number, 64)
		return number, err == nil
	case reflect.Bool:
		return key.Value, key.Value == "true" || key.Value == "false"
	case reflect.String:
		return strconv.Quote(key.Value), int64(len(key.Value)) == key.Len
	}
	return "", false
}

// BareNumber takes the number from Delve's "Name (1)" of a constant.
func BareNumber(value string) string {
	if open := strings.LastIndex(value, "("); open >= 0 {
		return strings.TrimSuffix(value[open+1:], ")")
	}
	return value
}
