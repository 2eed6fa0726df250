package console

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// memoryCall is a call of a command about memory and registers.
type memoryCall struct{ *Call }

func memoryCommands() []Command {
	return []Command{
		{Name: "regs", Group: GroupData, Usage: []string{"[-a]"}, Options: []Option{{Name: "-a", Help: "those of floating-point numbers and vectors too"}},
			Help: "the registers of the processor", Run: as(memoryCall.regs)},
		{Name: "examinemem", Aliases: []string{"x"}, Group: GroupData, Needs: true, Args: []Kind{Expression},
			Usage: []string{"[-fmt <format>] [-count <n>] [-size <bytes>] <address>", "[-fmt <format>] [-count <n>] [-size <bytes>] -x <expression>"},
			Help:  "raw memory at an address",
			Options: []Option{
				{Name: "-fmt", Value: "<format>", Words: []string{"hex", "dec", "oct", "bin", "raw"}, Help: "hex (the default), dec, oct, bin, or raw: the bytes as text"},
				{Name: "-count", Value: "<n>", Help: "how many values; 1 if not given"}, {Name: "-len", Value: "<n>", Help: "the same, as in older versions of dlv"},
				{Name: "-size", Value: "<bytes>", Words: []string{"1", "2", "4", "8"}, Help: "of a value, 1 to 8; 1 if not given"},
				{Name: "-x", Takes: Expression, Help: "the address is that of a pointer, or an integer expression"}},
			Run: as(memoryCall.examine)},
	}
}

func (c memoryCall) regs() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	list, err := t.Registers(c, c.At, g.has("-a"))
	if err != nil {
		return err
	}
	width := 0
	for _, r := range list {
		width = max(width, len(r.Name))
	}
	for _, r := range list {
		c.Out.Say("%*s = %s", width, r.Name, strings.ReplaceAll(r.Value, "\t", "  "))
	}
	return nil
}

// examined is what examinemem was asked for.
type examined struct {
	format      string
	count, size int
	operand     string
	expression  bool
}

// maxExamined bounds the bytes of one answer.
const maxExamined = 1 << 20

func (c memoryCall) examineArgs() (examined, error) {
	text, expr, found := strings.Cut(c.Args+" ", "-x ")
	sub := *c.Call
	if found {
		sub.Args = text
	}
	g, err := sub.options(false)
	if err != nil {
		return examined{}, err
	}
	e := examined{format: "hex", operand: g.text(), expression: found}
	if found {
		e.operand = strings.TrimSpace(expr)
	}
	if g.has("-fmt") {
		e.format = g.value("-fmt")
	}
	if names := map[string]string{"hexadecimal": "hex", "binary": "bin", "octal": "oct", "decimal": "dec"}; names[e.format] != "" {
		e.format = names[e.format]
	}
	if !slices.Contains([]string{"hex", "dec", "oct", "bin", "raw"}, e.format) {
		return e, fmt.Errorf("%w: the format is hex, dec, oct, bin or raw, not %q", ErrUsage, e.format)
	}
	length, err := g.number("-len", 1)
	if err == nil {
		e.count, err = g.number("-count", length)
	}
	if err == nil {
		e.size, err = g.number("-size", 1)
	}
	switch {
	case err != nil:
		return e, err
	case e.size < 1 || e.size > 8:
		return e, fmt.Errorf("%w: a value has 1 to 8 bytes, not %d", ErrUsage, e.size)
	case e.count < 1 || e.count > maxExamined/e.size:
		return e, fmt.Errorf("%w: 1 to %d values can be shown", ErrUsage, maxExamined/e.size)
	case e.operand == "":
		return e, fmt.Errorf("%w: which address?", ErrUsage)
	}
	return e, nil
}

func (c memoryCall) examine() error {
	e, err := c.examineArgs()
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	address, err := strconv.ParseUint(e.operand, 0, 64)
	if e.expression {
		address, err = c.addressOf(t, e.operand)
	} else if err != nil {
		err = advice.Add(fmt.Errorf("%q is not an address", e.operand), "-x takes an expression: x -x "+e.operand)
	}
	if err != nil {
		return err
	}
	m, err := t.Memory(c, address, e.count*e.size)
	if err != nil {
		return err
	}
	if e.format == "raw" {
		for line := range strings.Lines(string(m.Bytes)) {
			c.Out.Say("%s", strings.TrimRight(line, "\n"))
		}
	} else {
		c.memoryLines(m, e)
	}
	if got := len(m.Bytes); got < e.count*e.size {
		return fmt.Errorf("only %d bytes of %d can be read", got, e.count*e.size)
	}
	return nil
}

// addressOf evaluates an expression to an address.
func (c memoryCall) addressOf(t Target, expr string) (uint64, error) {
	v, err := t.Evaluate(c, c.At, expr)
	if err != nil {
		return 0, err
	}
	switch {
	case v.Kind == reflect.Pointer && v.Nil:
		return 0, fmt.Errorf("%s is nil", expr)
	case v.Kind == reflect.Pointer && len(v.Children) == 1:
		return v.Children[0].Addr, nil
	case v.Kind == reflect.Pointer:
		list, err := t.Children(c, c.At, v, debugger.Page{})
		if err != nil {
			return 0, err
		}
		if len(list) == 0 {
			return 0, fmt.Errorf("%s leads nowhere", expr)
		}
		return list[0].Addr, nil
	case v.Kind >= reflect.Int && v.Kind <= reflect.Uintptr:
		n, err := strconv.ParseUint(strings.TrimPrefix(v.Value, "+"), 0, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is not an address: %s", expr, v.Value)
		}
		return n, nil
	}
	return 0, fmt.Errorf("%s is not an address but a %s", expr, v.Type)
}

// memoryLines writes eight values a line, or four of the long ones.
func (c memoryCall) memoryLines(m debugger.Memory, e examined) {
	values := len(m.Bytes) / e.size
	a := 8
	if e.format == "bin" || e.size > 4 {
		a = 4
	}
	width := map[string]int{"hex": 2 * e.size, "oct": (8*e.size + 2) / 3, "bin": 8 * e.size, "dec": len(strconv.FormatUint(1<<(8*e.size)-1, 10))}[e.format]
	for i := 0; i < values; i += a {
		var b strings.Builder
		fmt.Fprintf(&b, "%#x:", m.Addr+uint64(i*e.size))
		for j := i; j < min(i+a, values); j++ {
			n := number(m.Bytes[j*e.size:(j+1)*e.size], m.LittleEndian)
			switch e.format {
			case "hex":
				fmt.Fprintf(&b, "  0x%0*x", width, n)
			case "oct":
				fmt.Fprintf(&b, "  0%0*o", width, n)
			case "bin":
				fmt.Fprintf(&b, "  %0*b", width, n)
			default:
				fmt.Fprintf(&b, "  %*d", width, n)
			}
		}
		if e.size == 1 && e.format == "hex" {
			b.WriteString("  " + characters(m.Bytes[i:min(i+a, values)]))
		}
		c.Out.Line(session.Line{Text: b.String()})
	}
}

func number(bytes []byte, little bool) uint64 {
	var full [8]byte
	if little {
		copy(full[:], bytes)
		return binary.LittleEndian.Uint64(full[:])
	}
	copy(full[8-len(bytes):], bytes)
	return binary.BigEndian.Uint64(full[:])
}

// characters shows bytes as text, a dot for what is none.
func characters(bytes []byte) string {
	out := make([]byte, len(bytes))
	for i, b := range bytes {
		if b < ' ' || b > '~' {
			b = '.'
		}
		out[i] = b
	}
	return "|" + string(out) + "|"
}
