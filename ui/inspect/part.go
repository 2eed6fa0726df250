package inspect

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Name is an identifier, or a chain of selections, as it occurs in a line.
type Name struct {
	Text   string // "doc", "x.terms"
	Assign bool   // it is declared or assigned to here
}

// part is what is known of some lines of a file: of a declared function, as gofmt writes it,
// or of the whole file. Large files would take longer than what is shown of them.
type part struct {
	span
	funcs []span
	names map[int][]Name
}

// span is lines, both included; zero: none.
type span struct{ start, end int }

func (s span) holds(line int) bool { return s.start <= line && line <= s.end }

// FuncStart is the first line of the innermost function around a line; the
// line itself when there is none.
func (s *Source) FuncStart(line int) int {
	start := line
	best := 1 << 30
	for _, f := range s.around(line).funcs {
		if f.holds(line) && f.end-f.start < best {
			start, best = f.start, f.end-f.start
		}
	}
	return start
}

// Names are those in a line of Go.
func (s *Source) Names(line int) []Name { return s.around(line).names[line] }

// around is the part that a line is in.
func (s *Source) around(line int) part {
	if s.part.holds(line) || !strings.HasSuffix(s.Path, ".go") {
		return s.part
	}
	of := s.declaration(line)
	funcs, ok := functions("package p\n"+s.text(of), of.start-2)
	if !ok { // not as gofmt writes it, or no function
		of = span{1, max(len(s.starts), line)}
		funcs, _ = functions(s.Text, 0)
	}
	s.part = part{of, funcs, names(s.text(of), of.start-1)}
	return s.part
}

// declaration are the lines from the one that begins the function around a line to the one
// that ends it.
func (s *Source) declaration(line int) span {
	of := span{line, line}
	for of.start > 1 && !strings.HasPrefix(s.Raw(of.start), "func ") {
		of.start--
	}
	for of.end < len(s.starts) && !strings.HasPrefix(s.Raw(of.end), "}") {
		of.end++
	}
	return of
}

// text are the lines of a span.
func (s *Source) text(of span) string {
	s.Raw(1)
	if of.start < 1 || of.start > len(s.starts) {
		return ""
	}
	from, to := s.starts[of.start-1], len(s.Text)
	if of.end < len(s.starts) {
		to = s.starts[of.end]
	}
	return s.Text[from:to]
}

// functions are those of a text whose first line has the number offset+1. Where it does not
// parse, ok is false, and the list is what was found.
func functions(src string, offset int) (out []span, ok bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if file == nil {
		return nil, false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			out = append(out, span{offset + set.PositionFor(n.Pos(), false).Line, offset + set.PositionFor(n.End(), false).Line})
		}
		return true
	})
	return out, err == nil
}

// names are those of a text whose first line has the number offset+1, by their lines.
func names(src string, offset int) map[int][]Name {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var sc scanner.Scanner
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	out := map[int][]Name{}
	chain, chainLine, afterDot := "", 0, false
	var line []string // names of the statement's left side so far
	flush := func() {
		if chain != "" {
			out[chainLine] = addName(out[chainLine], Name{Text: chain})
			line = append(line, chain)
		}
		chain, afterDot = "", false
	}
	for {
		pos, tok, lit := sc.Scan()
		switch {
		case tok == token.EOF:
			flush()
			return out
		case tok == token.IDENT && afterDot && chain != "":
			out[chainLine] = addName(out[chainLine], Name{Text: chain})
			chain, afterDot = chain+"."+lit, false
		case tok == token.IDENT:
			flush()
			chain, chainLine = lit, offset+file.Line(pos)
		case tok == token.PERIOD && chain != "":
			afterDot = true
		case assigns(tok):
			flush()
			markAssigned(out[chainLine], line)
		case tok == token.SEMICOLON || tok == token.LBRACE:
			flush()
			line = line[:0]
		default:
			flush()
		}
	}
}

func assigns(t token.Token) bool {
	return t == token.DEFINE || t == token.ASSIGN || t == token.INC || t == token.DEC ||
		(t >= token.ADD_ASSIGN && t <= token.AND_NOT_ASSIGN)
}

func markAssigned(list []Name, left []string) {
	for i := range list {
		if slices.Contains(left, list[i].Text) {
			list[i].Assign = true
		}
	}
}

func addName(list []Name, n Name) []Name {
	for i := range list {
		if list[i].Text == n.Text {
			return list
		}
	}
	return append(list, n)
}
