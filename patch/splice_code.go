package patch

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// goFile is parsed Go source. Positions are byte offsets into src.
type goFile struct {
	src  string
	fset *token.FileSet
	ast  *ast.File
}

func parseGo(name, src string) (*goFile, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &goFile{src: src, fset: fset, ast: f}, nil
}

func (g *goFile) offset(p token.Pos) int { return g.fset.PositionFor(p, false).Offset }

func (g *goFile) text(n ast.Node) string { return g.src[g.offset(n.Pos()):g.offset(n.End())] }

// wrapper makes a file of declarations that come without a package clause. It
// is a line of its own: a comment next to it would not count as a doc comment.
const wrapper = "package p\n"

// code is the Go code of one fence.
type code struct {
	*goFile
	pkg  string // of the package clause; empty when the reply gave none
	hint string // a file name given with the fence; may be empty
}

var fileComment = lazyregexp.New(`^//\s*` + namedFile + `(?::\d+)?\s*$`)

// parseCode parses a fence: a whole file or only declarations.
func parseCode(f fence) (code, error) {
	src, wrapped := f.text, false
	g, err := parseGo("reply.go", src)
	if err != nil && !hasPackageClause(src) {
		wrapped = true
		g, err = parseGo("reply.go", wrapper+src)
	}
	if err != nil {
		return code{}, syntaxError(err, wrapped)
	}
	c := code{goFile: g}
	if !wrapped {
		c.pkg = g.ast.Name.Name
	}
	if strings.HasSuffix(f.info, ".go") {
		c.hint = f.info
	} else if first, _, _ := strings.Cut(strings.TrimSpace(f.text), "\n"); fileComment.MatchString(first) {
		c.hint = fileComment.FindStringSubmatch(first)[1]
	}
	return c, nil
}

// formatted returns the code as gofmt writes it.
func (c code) formatted() code {
	out, err := Gofmt(c.src)
	if err != nil {
		return c
	}
	if g, err := parseGo("reply.go", out); err == nil {
		c.goFile = g
	}
	return c
}

// hasPackageClause reports whether the first token is the keyword package.
func hasPackageClause(src string) bool {
	toks := scanTokens(src, 1)
	return len(toks) > 0 && toks[0] == "package"
}

// syntaxError turns the parser's first complaint into a ReplyError.
func syntaxError(err error, wrapped bool) error {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return refuse(ErrSyntax, 0, "%v", err)
	}
	line := list[0].Pos.Line
	if wrapped {
		line--
	}
	return refuse(ErrSyntax, max(line, 1), "%s", list[0].Msg)
}

// scanTokens returns up to limit tokens of Go source as text, without comments
// and automatic semicolons; limit ≤ 0 returns all.
func scanTokens(src string, limit int) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), []byte(src), func(token.Position, string) {}, 0)
	var toks []string
	for limit <= 0 || len(toks) < limit {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		toks = append(toks, lit)
	}
	return toks
}

// sameCode reports whether two texts differ at most in white space and comments.
// Trailing commas before a closing bracket do not count either.
func sameCode(a, b string) bool {
	ta, tb := scanTokens(a, 0), scanTokens(b, 0)
	return strings.Join(dropTrailing(ta), "\x00") == strings.Join(dropTrailing(tb), "\x00")
}

func dropTrailing(toks []string) []string {
	out := toks[:0:0]
	for i, t := range toks {
		if t == "," && i+1 < len(toks) && (toks[i+1] == ")" || toks[i+1] == "}") {
			continue
		}
		out = append(out, t)
	}
	return out
}

var elisions = []*lazyregexp.Regexp{
	lazyregexp.New(`^(\.\.\.|…)`),
	lazyregexp.New(`\b(rest|remainder) of (the |this |your |my )?(existing |original )?(function|method|code|file|body|implementation|logic|loop|program|type|struct)\b`),
	lazyregexp.New(`^\W*(the )?(existing|remaining|previous|original|other|your|unchanged) (code|logic|implementation|functions?|methods?|fields?|cases?|statements?|body|lines?)( (here|above|below|unchanged|remains?|stays?|as before|goes|omitted|is|are|follows|continues|unmodified)\b.*)?\W*$`),
	lazyregexp.New(`\b(code|function|method|body|logic|implementation|rest|remaining|lines?|fields?|cases?)\b.*\b(unchanged|omitted|same as before|as before|remains? the same|stays? the same|elided)\b`),
	lazyregexp.New(`\b(omitted|elided|truncated|shortened) for (brevity|clarity)\b`),
	lazyregexp.New(`^\W*(unchanged|same as before|as before|omitted|snip|no changes?( here)?)\W*$`),
	lazyregexp.New(`^\W*(your|add|put|insert|keep)( your| the)? .*\b(code|logic) .*here\b`),
	lazyregexp.New(`\b(existing|remaining|original|previous|rest|other|unchanged|same)\b.*(\.\.\.|…)\W*$`),
}

// findElision looks for a comment that stands for code left out and is not
// known from the sources. The line is that in src; 0 when there is none. Only
// within braces and parentheses does a comment leave something out: between
// declarations, "// other functions unchanged" says what is so anyway.
func findElision(src string, known func(comment string) bool) (line int, text string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	depth := 0
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.LBRACE, token.LPAREN:
			depth++
		case token.RBRACE, token.RPAREN:
			depth--
		}
		if tok == token.EOF {
			break
		}
		if depth > 0 && tok == token.COMMENT && elides(lit) && !known(commentText(lit)) {
			return file.Line(pos), lit
		}
	}
	return 0, ""
}

// findDots looks for a line of nothing but dots, which no Go file holds
// outside of a raw string: worth asking only of code that does not parse.
func findDots(src string) (line int, text string) {
	for i, l := range strings.Split(src, "\n") {
		if t := strings.TrimSpace(l); t == "..." || t == "…" {
			return i + 1, t
		}
	}
	return 0, ""
}

func elides(comment string) bool {
	text := strings.ToLower(commentText(comment))
	for _, e := range elisions {
		if e.MatchString(text) {
			return true
		}
	}
	return false
}

// commentText returns a comment's words.
func commentText(comment string) string {
	comment = strings.TrimSuffix(strings.TrimPrefix(comment, "/*"), "*/")
	return strings.Join(strings.Fields(strings.TrimPrefix(comment, "//")), " ")
}
