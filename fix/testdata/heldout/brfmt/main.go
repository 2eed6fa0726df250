package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"example.org/brfmt/internal/lex"
)

type printer struct {
	out   strings.Builder
	depth int
	bol   bool
	warns []string
}

func (p *printer) indent() {
	if !p.bol {
		p.out.WriteByte(' ')
		return
	}
	p.out.WriteString(strings.Repeat("    ", p.depth))
	p.bol = false
}

func (p *printer) text(s string) {
	p.indent()
	p.out.WriteString(s)
}

func (p *printer) newline() {
	if !p.bol {
		p.out.WriteByte('\n')
	}
	p.bol = true
}

func (p *printer) warn(t lex.Tok, msg string) {
	p.warns = append(p.warns, fmt.Sprintf("line %d: %s", t.Line, msg))
}

func (p *printer) token(t lex.Tok) {
	switch t.Kind {
	case lex.Open:
		p.text("{")
		p.depth++
		p.newline()
	case lex.Close:
		if !p.bol {
			p.warn(t, "missing ';' before '}'")
			p.out.WriteByte(';')
		}
		p.newline()
		p.depth--
		p.text("}")
		p.newline()
	case lex.End:
		if p.bol {
			p.warn(t, "stray ';'")
			return
		}
		p.out.WriteByte(';')
		p.newline()
	default:
		p.text(t.Text)
	}
}

func main() {
	src, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "brfmt:", err)
		os.Exit(1)
	}
	p := &printer{bol: true}
	for _, t := range lex.Scan(string(src)) {
		p.token(t)
	}
	p.newline()
	fmt.Print(p.out.String())
	if p.depth > 0 {
		p.warns = append(p.warns, fmt.Sprintf("%d block(s) left open", p.depth))
	}
	for _, w := range p.warns {
		fmt.Fprintln(os.Stderr, w)
	}
}
