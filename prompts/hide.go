package prompts

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
)

// Case returns a case in which the values that the configuration names, and those
// that go by the name of a secret, are hidden: those it holds, and those that its
// inspector reads.
func (s *Screen) Case(c evidence.Case) evidence.Case {
	if s.redactor.HidesNothing() {
		return c
	}
	c.Stop = s.Stop(c.Stop)
	if c.Diagnosis.Value != "" {
		if _, ok := s.hides(c.Diagnosis.Expr); ok {
			c.Diagnosis.Value = ""
		}
	}
	if c.Inspect != nil {
		c.Inspect = screened{c.Inspect, s}
	}
	return c
}

// Stop returns a stop in which the values are hidden that Case hides.
func (s *Screen) Stop(stop debugger.Stop) debugger.Stop {
	if s.redactor.HidesNothing() {
		return stop
	}
	if p := stop.Panic; p != nil {
		shown := *p
		shown.Value = s.variable(p.Value, "")
		shown.Chain = slices.Clone(p.Chain)
		for i := range shown.Chain {
			shown.Chain[i].Value = s.variable(shown.Chain[i].Value, "")
		}
		stop.Panic = &shown
	}
	if t := stop.Test; t != nil {
		shown := *t
		shown.Case, shown.Compared = s.variables(t.Case, ""), s.variables(t.Compared, "")
		stop.Test = &shown
	}
	if w := stop.Watched; w != nil && s.ofKey(w.Expr) {
		stop.Watched = &debugger.Watched{Expr: w.Expr, Was: ofSecret, Now: ofSecret, Gone: w.Gone}
	}
	stop.Printed, stop.Returned = s.variables(stop.Printed, ""), s.variables(stop.Returned, "")
	stop.Frames = slices.Clone(stop.Frames)
	for i, f := range stop.Frames {
		stop.Frames[i] = s.frame(f)
	}
	return stop
}

func (s *Screen) frame(f debugger.Frame) debugger.Frame {
	f.Args, f.Locals = s.variables(f.Args, ""), s.variables(f.Locals, "")
	return f
}

func (s *Screen) variables(vars []debugger.Variable, of string) []debugger.Variable {
	if vars == nil {
		return nil
	}
	out := make([]debugger.Variable, len(vars))
	for i, v := range vars {
		out[i] = s.variable(v, of)
		if i > 0 && out[i].Value == v.Value {
			out[i] = s.afterName(vars[i-1], out[i], len(vars) == 2)
		}
	}
	return s.named(out)
}

// nameFields and valueFields are what structs call a name and what goes by it, as
// http.Cookie, flag.Flag and the values of a context do.
var (
	nameFields  = []string{"name", "key", "k", "field", "header"}
	valueFields = []string{"value", "val", "v", "defvalue", "default", "data"}
)

// named hides the texts in the fields of a struct where another one holds the name of a
// secret, wherever the two stand.
func (s *Screen) named(fields []debugger.Variable) []debugger.Variable {
	if !slices.ContainsFunc(fields, func(f debugger.Variable) bool {
		return slices.Contains(nameFields, strings.ToLower(f.Name)) && namesSecret(f)
	}) {
		return fields
	}
	out := slices.Clone(fields)
	for i, f := range out {
		if slices.Contains(valueFields, strings.ToLower(f.Name)) {
			out[i], _ = s.byName("password", f)
		}
	}
	return out
}

// afterName hides a text in a list, or in a struct, that follows the name of a secret;
// in a pair, also one that may be a word.
func (s *Screen) afterName(before, v debugger.Variable, pair bool) debugger.Variable {
	name, ok := textOf(before)
	text, isText := textOf(v)
	if !ok || !isText || !redact.NamesSecret(name) {
		return v
	}
	end := ","
	if pair {
		end = "}"
	}
	if _, found := s.secretless(fmt.Sprintf("{%q, %q%s", name, text, end)); len(found) > 0 {
		v, _ = s.byName("password", v)
	}
	return v
}

// variable hides a value, or the hidden ones within it. of is the name of what holds
// it, by which its elements go. That a pointer, map or interface is nil stays to be
// seen: it is what most crashes are about.
func (s *Screen) variable(v debugger.Variable, of string) debugger.Variable {
	v = s.withoutKey(of, v)
	name := strings.Trim(v.Name, `[]"*`)
	if _, err := strconv.Atoi(name); err == nil || name == "" {
		name = of
	}
	if v.Key != nil && (len(v.Key.Children) > 0 && namesSecret(*v.Key) || redact.NamesSecretKey(v.Key.Deref().Type)) {
		name = "password"
	}
	instead, hidden := s.redactor.Hides(name, typeOf(v))
	if !hidden && v.Key != nil {
		instead, hidden = s.redactor.Hides("", v.Key.Type)
	}
	if !hidden && isRaw(v) {
		instead, hidden = s.redactor.HidesBytes(name)
	}
	if !hidden && (s.ofKey(v.Name) || keyParts.MatchString(v.Name) && bigNumber.MatchString(v.Type)) {
		instead, hidden = ofSecret, true
	}
	if hidden && !v.Nil && v.Unreadable == "" {
		return s.hide(v, instead)
	}
	by := goesBy(name, of, v)
	if shown, secret := s.byName(by, v); secret {
		return shown
	}
	if isNumbers(by, v) && v.Value != ofSecret {
		return s.byNumber(v)
	}
	children := s.variables(v.Children, by)
	if slices.EqualFunc(children, v.Children, func(a, b debugger.Variable) bool { return a.Value == b.Value && a.Name == b.Name }) {
		v.Children = children
		return v
	}
	if v.Children = children; v.Value != "" { // it tells of what is in it
		v.Value = v.Type + "{…}"
	}
	return v
}

// isRaw reports whether a value is bytes, or points to some, that are no text.
func isRaw(v debugger.Variable) bool {
	v = v.Deref()
	if v.Kind != reflect.Slice && v.Kind != reflect.Array || len(v.Children) == 0 || v.Children[0].Kind != reflect.Uint8 {
		return false
	}
	return slices.ContainsFunc(v.Children, func(c debugger.Variable) bool {
		b, err := strconv.ParseUint(c.Value, 10, 8)
		return err == nil && (b < ' ' && !unicode.IsSpace(rune(b)) || b >= utf8.RuneSelf)
	})
}

// byName takes the secrets out of a text that goes by a name. Where the value is
// written, its type may be between the two, or nothing that says whose value it is.
func (s *Screen) byName(name string, v debugger.Variable) (shown debugger.Variable, secret bool) {
	text, ok := textOf(v)
	if !ok {
		return v, false
	}
	without, found := s.secretless(name + " = " + strconv.Quote(text))
	switch {
	case len(found) > 0:
	case redact.IsPassword(name[strings.LastIndexByte(name, '.')+1:], text):
		s.rememberSecret(text)
		without = ofSecret
	default:
		return v, false
	}
	without = strings.TrimPrefix(without, name+" = ")
	if plain, err := strconv.Unquote(without); err == nil {
		without = plain
	}
	left := max(v.Len-int64(len(text)), 0) // that was not read
	return debugger.Variable{Name: v.Name, Type: v.Type, FullType: v.FullType, Kind: reflect.String, Value: without, Len: int64(len(without)) + left,
		Shadowed: v.Shadowed, DeclLine: v.DeclLine}, true
}

func typeOf(v debugger.Variable) string { return cmp.Or(v.FullType, v.Type) }

// hide replaces a value. A map's key of a hidden type is hidden with its value.
func (s *Screen) hide(v debugger.Variable, instead string) debugger.Variable {
	if v.Value == instead {
		return v // by an earlier look
	}
	if redact.IsKey(instead) {
		s.remember(&s.keys, []string{v.Expr})
		s.remember(&s.strings, numbersIn(v, nil))
	} else {
		s.remember(&s.strings, leaves(v, nil))
	}
	shown := debugger.Variable{Name: v.Name, Type: v.Type, FullType: v.FullType, Value: instead, Shadowed: v.Shadowed, DeclLine: v.DeclLine}
	if v.Key != nil {
		s.remember(&s.strings, leaves(*v.Key, nil))
		shown.Name = "[…]"
	}
	return shown
}

// leaves are the strings and numbers within a value.
func leaves(v debugger.Variable, list []string) []string {
	switch {
	case v.Kind == reflect.String, len(v.Children) == 0 && v.Kind != reflect.Bool && len(v.Value) >= minLeaf:
		list = append(list, v.Value)
	}
	for _, c := range v.Children {
		list = leaves(c, list)
	}
	return list
}

// minLeaf is the shortest number, as text, that is looked for elsewhere.
const minLeaf = 6

// numbersIn are the numbers that a key is made of, as they are written.
func numbersIn(v debugger.Variable, list []string) []string {
	if meant, err := format.Describe(context.Background(), nil, v); err == nil && len(meant.Text) >= minKeyNumber && strings.Trim(meant.Text, "0123456789") == "" {
		list = append(list, meant.Text)
	}
	if len(v.Children) == 0 && len(v.Value) >= minKeyNumber && strings.Trim(v.Value, "0123456789") == "" {
		list = append(list, v.Value)
	}
	for _, c := range v.Children {
		list = numbersIn(c, list)
	}
	return list
}

// minKeyNumber is the shortest number of a key, as text, that is looked for elsewhere.
const minKeyNumber = 12

// ofKey reports whether an expression takes a part of a key that was seen under an
// expression of its own.
func (s *Screen) ofKey(expr string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.keys, func(key string) bool {
		before, after, ok := strings.Cut(expr, key)
		return ok && !endsInName.MatchString(before) && strings.HasPrefix(strings.TrimLeft(after, ")"), ".")
	})
}

// keyParts are what only private keys have, where they are large numbers.
var (
	bigNumber  = lazyregexp.New(`\bbig\.`)
	keyParts   = lazyregexp.New(`\.(D|Primes|Precomputed|Dp|Dq|Qinv|CRTValues)\b`)
	endsInName = lazyregexp.New(`[\w.]$`)
)

// hides reports whether an expression names something hidden.
func (s *Screen) hides(expr string) (string, bool) {
	for _, name := range strings.FieldsFunc(expr, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	}) {
		if instead, ok := s.redactor.Hides(name, ""); ok {
			return instead, true
		}
	}
	return "", false
}

// Names returns a name in an expression by which it may be about something hidden.
func (s *Screen) Names(expr string) (name string, secret bool) {
	if s.redactor.HidesNothing() {
		return "", false
	}
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return expr, true
	}
	ast.Inspect(e, func(n ast.Node) bool {
		var text string
		switch n := n.(type) {
		case *ast.Ident:
			text = n.Name
		case *ast.BasicLit: // a key
			text = strings.Trim(n.Value, "\"`")
		default:
			return true
		}
		if s.secretName(text) {
			name, secret = text, true
		}
		return true
	})
	return name, secret
}

// Mentions reports whether a part of a program, which need not be whole, has a name by
// which it may be about something hidden.
func (s *Screen) Mentions(code string) bool {
	if s.redactor.HidesNothing() {
		return false
	}
	var words scanner.Scanner
	text := []byte(code)
	words.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for {
		switch _, kind, word := words.Scan(); kind {
		case token.EOF:
			return false
		case token.IDENT, token.STRING:
			if s.secretName(strings.Trim(word, "\"`")) {
				return true
			}
		}
	}
}

func (s *Screen) secretName(name string) bool {
	_, hidden := s.hides(name)
	return hidden || redact.NamesSecret(name) || keyParts.MatchString("."+name)
}
