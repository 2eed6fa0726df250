package value

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
)

func (r *Reader) basic(at site, v debugger.Variable, t types.Type, u *types.Basic) (*Value, error) {
	if err := r.scope().nameable(at, t); err != nil {
		return nil, err
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return literal(t, v.Value, v.Value == "false"), nil
	case info&types.IsString != 0:
		text, err := r.text(at, v)
		return literal(t, Quote(text), text == ""), err
	case info&types.IsInteger != 0:
		return r.integer(at, v, t)
	case info&types.IsFloat != 0:
		return r.float(at, v, t)
	case info&types.IsComplex != 0:
		return complexValue(at, v, t)
	}
	if v.Nil {
		return zero(t), nil
	}
	return nil, at.refuse("is an %s: cannot be rebuilt", v.Type)
}

func literal(t types.Type, text string, isZero bool) *Value {
	if isZero {
		return zero(t)
	}
	return &Value{Type: t, Form: Literal, Text: text}
}

// integer writes a number, or the constant that its type has for it.
func (r *Reader) integer(at site, v debugger.Variable, t types.Type) (*Value, error) {
	text := debugger.Number(v.Value)
	n := constant.MakeFromLiteral(strings.TrimPrefix(text, "-"), token.INT, 0)
	if n.Kind() != constant.Int {
		return nil, at.refuse("cannot be read as a number: %q", v.Value)
	}
	if strings.HasPrefix(text, "-") {
		n = constant.UnaryOp(token.SUB, n, 0)
	}
	if typeName(t) == "time.Duration" {
		return duration(t, n), nil
	}
	if c := r.constant(t, n); c != nil {
		named := made(t, Ref{c.Pkg().Path(), c.Pkg().Name(), c.Name()})
		if constant.Sign(n) == 0 {
			named.Form = Zero
		}
		return named, nil
	}
	if t == types.Universe.Lookup("rune").Type() {
		if i, ok := constant.Int64Val(n); ok && i >= ' ' && utf8.ValidRune(rune(i)) && unicode.IsPrint(rune(i)) {
			return literal(t, strconv.QuoteRune(rune(i)), false), nil
		}
	}
	return literal(t, text, constant.Sign(n) == 0), nil
}

// constant returns the first constant of a named type that has a value.
func (r *Reader) constant(t types.Type, n constant.Value) types.Object {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	var found types.Object
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), t) || !r.scope().visible(c) || !constant.Compare(c.Val(), token.EQL, n) {
			continue
		}
		if found == nil || c.Pos() < found.Pos() {
			found = c
		}
	}
	return found
}

// units of durations, the largest first.
var units = []struct {
	name string
	size time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second},
	{"Millisecond", time.Millisecond}, {"Microsecond", time.Microsecond},
}

func duration(t types.Type, n constant.Value) *Value {
	d, _ := constant.Int64Val(n)
	for _, u := range units {
		if d != 0 && d%int64(u.size) == 0 {
			if d == int64(u.size) {
				return made(t, std("time", u.name))
			}
			return made(t, fmt.Sprintf("%d * ", d/int64(u.size)), std("time", u.name))
		}
	}
	return literal(t, strconv.FormatInt(d, 10), d == 0)
}

func (r *Reader) float(at site, v debugger.Variable, t types.Type) (*Value, error) {
	special := ""
	switch v.Value {
	case "NaN":
		return specialFloat(t, std("math", "NaN"), "()"), nil
	case "+Inf", "-Inf":
		return specialFloat(t, std("math", "Inf"), "("+v.Value[:1]+"1)"), nil
	case "0", "-0":
		if r.negativeZero(v) {
			return specialFloat(t, std("math", "Copysign"), "(0, -1)"), nil
		}
	default:
		special = v.Value
	}
	if special == "" {
		return zero(t), nil
	}
	f, err := strconv.ParseFloat(special, 64)
	if err != nil {
		return nil, at.refuse("cannot be read as a number: %q", v.Value)
	}
	return literal(t, floatText(f, v.Value), false), nil
}

// floatText is the shorter one of the ways to write a number.
func floatText(f float64, plain string) string {
	if len(plain) > 20 {
		plain = strconv.FormatFloat(f, 'g', -1, 64)
	}
	return plain
}

// specialFloat makes a float that has no literal.
func specialFloat(t types.Type, function Ref, args string) *Value {
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Float64 {
		return made(t, function, args)
	}
	return made(t, t, "(", function, args, ")")
}

// maxSigns bounds how many zeros are looked at for their sign, each with a
// question to the debugger, which drops it.
const maxSigns = 64

func (r *Reader) negativeZero(v debugger.Variable) bool {
	if r.signs++; r.signs > maxSigns || v.Addr == 0 {
		return false
	}
	name, sign := "uint64", uint64(1)<<63
	if strings.HasSuffix(v.Kind.String(), "32") {
		name, sign = "uint32", 1<<31
	}
	bits, err := r.Inspect.Evaluate(r.ctx, r.At, fmt.Sprintf("*(*%q)(%#x)", name, v.Addr))
	return err == nil && bits.Value == strconv.FormatUint(sign, 10)
}

func complexValue(at site, v debugger.Variable, t types.Type) (*Value, error) {
	text := strings.ReplaceAll(v.Value, " ", "")
	c, err := strconv.ParseComplex(strings.ReplaceAll(text, "+-", "-"), 128)
	if err != nil || math.IsNaN(real(c)) || math.IsInf(real(c), 0) || math.IsNaN(imag(c)) || math.IsInf(imag(c), 0) {
		return nil, at.refuse("cannot be read as a number: %q", v.Value)
	}
	return literal(t, strings.Trim(fmt.Sprint(c), "()"), c == 0), nil
}
