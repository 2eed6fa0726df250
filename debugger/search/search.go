// Package search decides which elements of a collection match a search: a text, or a
// comparison. It reads nothing: what it is asked about has been loaded.
//
//	needle              a key, a field or the value itself holds the text
//	> 100               the element compares so; also >= < <= == !=
//	== nil              it is nil
//	.Name == "x"        a field compares so; .A.B goes into fields of fields
//	key > 5             the key of a map's entry compares so
package search

import (
	"cmp"
	"go/constant"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Query is what is looked for. The zero Query matches everything.
type Query struct {
	text  string   // in small letters; empty for a comparison
	path  []string // the field that is compared; nil for the element itself
	key   bool     // the key is compared
	op    token.Token
	want  string // the literal, as it was written, without quotes
	num   constant.Value
	whole int64       // num, where small is set
	small bool        // num is an int64
	kind  token.Token // STRING where it was quoted
}

var comparison = lazyregexp.New(`^\s*(key|(?:\.[\pL_][\pL\pN_]*)+)?\s*(==|!=|>=|<=|>|<)\s*(.+?)\s*$`)

var operators = map[string]token.Token{"==": token.EQL, "!=": token.NEQ, ">=": token.GEQ, "<=": token.LEQ, ">": token.GTR, "<": token.LSS}

// Parse reads a query. Whatever is no comparison is a text.
func Parse(s string) Query {
	m := comparison.FindStringSubmatch(s)
	if m == nil {
		return Query{text: strings.ToLower(s)}
	}
	q := Query{op: operators[m[2]], want: m[3], key: m[1] == "key"}
	if strings.HasPrefix(m[1], ".") {
		q.path = strings.Split(m[1][1:], ".")
	}
	if text, err := strconv.Unquote(q.want); err == nil {
		q.want, q.kind = text, token.STRING
		if r := []rune(text); m[3][0] == '\'' && len(r) == 1 {
			q.kind, q.num = token.CHAR, constant.MakeInt64(int64(r[0]))
		}
		return q
	}
	q.num = parseNumber(q.want)
	if q.num != nil && q.num.Kind() == constant.Int {
		q.whole, q.small = constant.Int64Val(q.num)
	}
	return q
}

// Plain returns the text that is looked for, in small letters; false for a
// comparison.
func (q Query) Plain() (string, bool) { return q.text, q.op == token.ILLEGAL }

// Match reports whether an element is meant.
func (q Query) Match(v *debugger.Variable) bool {
	if q.op == token.ILLEGAL {
		return q.holds(v)
	}
	at := v
	switch {
	case q.key && v.Key == nil:
		return false
	case q.key:
		at = v.Key
	}
	at = pointee(at)
	for _, name := range q.path {
		if at = fieldOf(at, name); at == nil {
			return false
		}
	}
	return q.compare(at)
}

// holds looks for the text in the key and in whatever the element holds itself.
func (q Query) holds(v *debugger.Variable) bool {
	if v.Key != nil && q.inside(v.Key, 4) {
		return true
	}
	return q.inside(v, 4)
}

func (q Query) inside(v *debugger.Variable, depth int) bool {
	v = pointee(v)
	if len(v.Children) == 0 || v.Kind != reflect.Struct {
		return strings.Contains(strings.ToLower(v.Value), q.text)
	}
	for i := range v.Children {
		c := &v.Children[i]
		if depth > 0 && plainKind(c.Kind) && q.inside(c, depth-1) {
			return true
		}
	}
	return false
}

// plainKind tells the kinds that a value holds itself.
func plainKind(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr || k == reflect.String || k == reflect.Struct
}

// pointee follows pointers and interfaces, also those in a field, without
// copying.
func pointee(v *debugger.Variable) *debugger.Variable {
	for (v.Kind == reflect.Pointer || v.Kind == reflect.Interface) && len(v.Children) == 1 {
		v = &v.Children[0]
	}
	return v
}

// fieldOf finds a field, also one of an embedded struct.
func fieldOf(v *debugger.Variable, name string) *debugger.Variable {
	v = pointee(v)
	for i := range v.Children {
		if v.Children[i].Name == name {
			return &v.Children[i]
		}
	}
	for i := range v.Children {
		c := &v.Children[i]
		typ := c.Type[strings.LastIndexAny(c.Type, "./*")+1:]
		if c.Name != "" && c.Name == typ {
			if found := fieldOf(c, name); found != nil {
				return found
			}
		}
	}
	return nil
}

func (q Query) compare(v *debugger.Variable) bool {
	if q.want == "nil" && q.kind == token.ILLEGAL {
		return v.Nil == (q.op == token.EQL)
	}
	v = pointee(v)
	switch {
	case v.Unreadable != "" || v.Nil:
		return false
	case v.Kind == reflect.String:
		return ordered(strings.Compare(v.Value, q.want), q.op)
	case v.Kind == reflect.Bool:
		return ordered(strings.Compare(v.Value, q.want), q.op) && (q.op == token.EQL || q.op == token.NEQ)
	}
	if q.small { // most of ten million elements are compared here
		if n, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			return ordered(cmp.Compare(n, q.whole), q.op)
		}
	}
	have := parseNumber(debugger.Number(v.Value))
	if have == nil || q.num == nil {
		return q.op == token.EQL && strings.EqualFold(v.Value, q.want) || q.op == token.NEQ && have == nil && !strings.EqualFold(v.Value, q.want)
	}
	return constant.Compare(have, q.op, q.num)
}

func ordered(c int, op token.Token) bool {
	switch op {
	case token.EQL:
		return c == 0
	case token.NEQ:
		return c != 0
	case token.LSS:
		return c < 0
	case token.LEQ:
		return c <= 0
	case token.GTR:
		return c > 0
	}
	return c >= 0
}

// parseNumber reads a number or a duration; nil when it is neither.
func parseNumber(s string) constant.Value {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return constant.MakeInt64(n)
	}
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		return constant.MakeUint64(n)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if v := constant.MakeFloat64(f); v.Kind() != constant.Unknown {
			return v
		}
	}
	if d, err := time.ParseDuration(s); err == nil {
		return constant.MakeInt64(int64(d))
	}
	return nil
}
