package value

import (
	"go/types"
	"math/big"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

// readBig reads a number of package math/big.
func (r *Reader) readBig(at site, v debugger.Variable) (*big.Int, error) {
	neg, err := r.field(at, v, "neg")
	if err != nil {
		return nil, err
	}
	abs, err := r.field(at, v, "abs")
	if err != nil {
		return nil, err
	}
	words, err := r.children(at, abs)
	if err != nil {
		return nil, err
	}
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		word, err := strconv.ParseUint(debugger.Number(words[i].Value), 10, strconv.IntSize)
		if err != nil {
			return nil, at.refuse("is a big.Int that cannot be read")
		}
		n.Lsh(n, strconv.IntSize)
		n.Or(n, new(big.Int).SetUint64(word))
	}
	if neg.Value == "true" {
		n.Neg(n)
	}
	return n, nil
}

func newBigInt(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	n, err := r.readBig(at, v)
	switch {
	case err != nil:
		return nil, err
	case n.IsInt64():
		return made(t, std("math/big", "NewInt"), "("+n.String()+")"), nil
	}
	return &Value{Type: t, Form: Declared, Code: Code{Self{}, ", _ := new(", std("math/big", "Int"), ").SetString(", strconv.Quote(n.String()), ", 10)"}}, nil
}

func bigInt(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	n, err := r.readBig(at, v)
	switch {
	case err != nil || n.Sign() == 0:
		return zero(t), err
	case n.IsInt64():
		return withAfter(t, Self{}, ".SetInt64("+n.String()+")"), nil
	}
	return withAfter(t, Self{}, ".SetString(", strconv.Quote(n.String()), ", 10)"), nil
}
