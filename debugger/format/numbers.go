package format

import (
	"math/big"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

var numbers = map[string]formatter{
	"math/big.Int": func(d *describer, v debugger.Variable) (Value, error) {
		n, err := d.bigInt(v)
		if err != nil {
			return Value{}, err
		}
		return Value{Text: long(n.String())}, nil
	},
	"math/big.Rat": func(d *describer, v debugger.Variable) (Value, error) {
		a, err := d.bigIntAt(v, "a")
		if err != nil {
			return Value{}, err
		}
		b, err := d.bigIntAt(v, "b")
		if err != nil {
			return Value{}, err
		}
		if b.Sign() == 0 {
			b.SetInt64(1) // as package math/big reads it
		}
		return Value{Text: long(new(big.Rat).SetFrac(a, b).RatString())}, nil
	},
	"math/big.Float": bigFloat,
}

// maxWords bounds how many machine words of a large number are read.
const maxWords = 512

// long cuts digits of a number that are too many to be read.
func long(digits string) string {
	const most = 400
	if len(digits) <= most {
		return digits
	}
	return digits[:most/2] + "…" + digits[len(digits)-most/4:] + " (" + strconv.Itoa(len(digits)) + " digits)"
}

func (d *describer) bigIntAt(v debugger.Variable, path string) (*big.Int, error) {
	f, err := d.field(v, path)
	if err != nil {
		return nil, err
	}
	return d.bigInt(f)
}

func (d *describer) bigInt(v debugger.Variable) (*big.Int, error) {
	abs, err := d.field(v, "abs")
	if err != nil {
		return nil, err
	}
	n, err := d.words(abs)
	if err != nil {
		return nil, err
	}
	neg, err := d.integer(v, "neg")
	if err != nil {
		return nil, err
	}
	if neg != 0 {
		n.Neg(n)
	}
	return n, nil
}

// words reads a number from its machine words, the least first.
func (d *describer) words(v debugger.Variable) (*big.Int, error) {
	if v.Len > maxWords {
		return nil, ErrPlain
	}
	list, err := d.children(v)
	if err != nil {
		return nil, err
	}
	n := new(big.Int)
	for i := len(list) - 1; i >= 0; i-- {
		word, err := strconv.ParseUint(debugger.Number(list[i].Value), 10, 64)
		if err != nil {
			return nil, ErrPlain
		}
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(word))
	}
	return n, nil
}

// bigFloat is 0.mantissa × 2**exp, the mantissa's highest bit being set.
func bigFloat(d *describer, v debugger.Variable) (Value, error) {
	form, err := d.integer(v, "form") // zero, finite, inf
	if err != nil {
		return Value{}, err
	}
	neg, err := d.integer(v, "neg")
	if err != nil {
		return Value{}, err
	}
	sign := ""
	if neg != 0 {
		sign = "-"
	}
	switch form {
	case 0:
		return Value{Text: sign + "0"}, nil
	case 2:
		return Value{Text: sign + "Inf"}, nil
	}
	prec, err := d.integer(v, "prec")
	if err != nil {
		return Value{}, err
	}
	exp, err := d.integer(v, "exp")
	if err != nil {
		return Value{}, err
	}
	mant, err := d.field(v, "mant")
	if err != nil {
		return Value{}, err
	}
	n, err := d.words(mant)
	if err != nil {
		return Value{}, err
	}
	f := new(big.Float).SetPrec(uint(max(prec, 1))).SetInt(n)
	f.SetMantExp(f, int(exp)-64*int(mant.Len))
	return Value{Text: sign + f.Text('g', int(float64(prec)*0.30103)+1)}, nil
}
