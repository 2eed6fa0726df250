package redact

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	gotoken "go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Texts that are Go source, or hold some: a file, declarations or statements, a fenced
// block, lines with their numbers, the two sides of a diff. What goes by the name of a
// secret there is known by the syntax; the rules for other texts apply as well.

// maxGo bounds the texts in which Go source is looked for, in bytes.
const maxGo = 4 << 20

// region is a part of a text that may be Go source.
type region struct {
	text  strings.Builder
	lines []regionLine
	known bool // it is Go, though some of it may be missing
}

// regionLine says where a line of a region is in the text.
type regionLine struct{ from, at int }

// add adds a line that is at a place of the text.
func (r *region) add(line string, at int) {
	r.lines = append(r.lines, regionLine{r.text.Len(), at})
	r.text.WriteString(line)
}

// place is where a byte of the region is in the text.
func (r *region) place(offset int) int {
	i, found := slices.BinarySearchFunc(r.lines, offset, func(l regionLine, offset int) int { return l.from - offset })
	if !found {
		i--
	}
	return r.lines[i].at + offset - r.lines[i].from
}

var (
	packageClause = lazyregexp.New(`(?m)^package \w+`)
	goFence       = lazyregexp.New("^\\s{0,3}(```+|~~~+)go\\b")
	lineNumber    = lazyregexp.New(`^\s{0,8}\d+\t`)
)

// goSource finds what goes by the names of secrets in the Go source of the text.
func (s *scan) goSource() {
	for _, src := range s.sources() {
		ast.Walk(under{src: src, scan: s}, src.file)
	}
}

// codeLine is a line of the text, or all of it, that is Go source.
type codeLine struct {
	from, to int
	src      *goSource
	offset   int // of the line in its region
}

// codeLines are the lines of Go source, in order.
func codeLines(sources []*goSource) (list []codeLine) {
	for _, src := range sources {
		for i, l := range src.lines {
			end := src.text.Len()
			if i+1 < len(src.lines) {
				end = src.lines[i+1].from
			}
			list = append(list, codeLine{l.at, l.at + end - l.from, src, l.from})
		}
	}
	slices.SortFunc(list, func(a, b codeLine) int { return a.from - b.from })
	return list
}

// inCode reports whether a place of the text is one of Go source, and in no literal or comment of
// it, and whether that is sure: a line that is an assignment there may be one of another language.
func (s *scan) inCode(at int) (code, sure bool) {
	lines := s.code()
	i, found := slices.BinarySearchFunc(lines, at, func(l codeLine, at int) int { return l.from - at })
	if !found {
		i--
	}
	if i < 0 || at >= lines[i].to {
		return false, false
	}
	l := lines[i]
	return !l.src.inLiteral(l.offset + at - l.from), l.src.known
}

// goSources are the parts of a text that are Go source: all of it, or those that are marked
// as such.
func goSources(text string) (found []*goSource) {
	if len(text) > maxGo {
		return nil
	}
	whole := &region{known: packageClause.MatchString(text)}
	whole.add(text, 0)
	if src, ok := whole.parse(); ok {
		return []*goSource{src}
	}
	list := regions(text)
	if whole.known {
		list = append(list, whole)
	}
	for _, r := range list {
		if src, ok := r.parse(); src != nil && (ok || r.known) {
			found = append(found, src)
		}
	}
	return found
}

// regions are the parts of a text that are marked as Go source, or may be some.
func regions(text string) (found []*region) {
	var fenced, numbered, before, after *region
	fence, diff, at := "", false, 0
	into := func(r **region, line string, without int) {
		if *r == nil {
			*r = &region{known: true}
			found = append(found, *r)
		}
		(*r).add(line[without:], at+without)
	}
	for line := range strings.Lines(text) {
		if fence != "" && strings.HasPrefix(strings.TrimSpace(line), fence) {
			fence, fenced = "", nil
		} else if fence != "" {
			into(&fenced, line, 0)
		} else if m := goFence.FindStringSubmatch(line); m != nil {
			fence = m[1]
		}
		number := len(lineNumber.FindString(line))
		if number > 0 {
			into(&numbered, line, number)
		} else {
			numbered = nil
		}
		switch {
		case strings.HasPrefix(line, "@@ "):
			diff, before, after = true, nil, nil
		case diff && line[0] != '+' && line[0] != '-' && line[0] != ' ' && line != "\n":
			diff = false
		case diff:
			if line[0] != '+' {
				into(&before, line, min(1, len(line)-1))
			}
			if line[0] != '-' {
				into(&after, line, min(1, len(line)-1))
			}
		}
		at += len(line)
	}
	return found
}

// goSource is a parsed region.
type goSource struct {
	*region
	lead      int // bytes before the region's in what was parsed
	file      *ast.File
	tokens    *gotoken.File
	types     map[string]ast.Expr // that it declares
	functions map[string][]string // that it declares: the names of their parameters
	literals  []span              // texts, characters and comments
}

// inLiteral reports whether a byte of the region is one of a literal with quotes, or a comment.
func (g *goSource) inLiteral(offset int) bool {
	if g.literals == nil {
		g.literals = []span{}
		var s scanner.Scanner
		file := gotoken.NewFileSet().AddFile("", -1, g.text.Len())
		s.Init(file, []byte(g.text.String()), nil, scanner.ScanComments)
		for pos, tok, lit := s.Scan(); tok != gotoken.EOF; pos, tok, lit = s.Scan() {
			if tok == gotoken.STRING || tok == gotoken.CHAR || tok == gotoken.COMMENT {
				g.literals = append(g.literals, span{from: file.Offset(pos), to: file.Offset(pos) + len(lit)})
			}
		}
	}
	i, found := slices.BinarySearchFunc(g.literals, offset, func(l span, offset int) int { return l.from - offset })
	return found || i > 0 && offset < g.literals[i-1].to
}

// at is where a position of the syntax is in the text of the region.
func (g *goSource) at(pos gotoken.Pos) int {
	return min(max(g.tokens.Offset(pos)-g.lead, 0), g.text.Len())
}

// parse reads a region as a file, as declarations or as statements. It reports whether the
// syntax is right; where it is not, the file is what could be read.
func (r *region) parse() (src *goSource, ok bool) {
	text := r.text.String()
	open, closing := brackets(text)
	if !r.known && (open > 0 || closing != "") {
		return nil, false
	}
	const decls, stmts = "package p;", "package p;func _(){"
	farthest := -1
	for _, around := range [][2]string{{"", closing}, {decls, closing}, {stmts + strings.Repeat("{", max(open-1, 0)), closing + "}"[:max(1-open, 0)]}} {
		if around[0] == "" && !packageClause.MatchString(text) {
			continue
		}
		fset := gotoken.NewFileSet()
		file, err := parser.ParseFile(fset, "", around[0]+text+"\n"+around[1], parser.SkipObjectResolution)
		if file == nil || file.FileStart == 0 {
			continue
		}
		found := &goSource{region: r, lead: len(around[0]), file: file, tokens: fset.File(file.FileStart)}
		if err == nil {
			return found, true
		}
		var list scanner.ErrorList
		if errors.As(err, &list) && list[0].Pos.Offset > farthest {
			farthest, src = list[0].Pos.Offset, found
		}
	}
	return src, false
}

// brackets counts the braces that a text closes without having opened them, and returns
// what closes those that it leaves open.
func brackets(text string) (open int, closing string) {
	var s scanner.Scanner
	s.Init(gotoken.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	var left []byte
	for {
		switch _, tok, _ := s.Scan(); tok {
		case gotoken.EOF:
			slices.Reverse(left)
			return open, string(left)
		case gotoken.LPAREN:
			left = append(left, ')')
		case gotoken.LBRACK:
			left = append(left, ']')
		case gotoken.LBRACE:
			left = append(left, '}')
		case gotoken.RPAREN, gotoken.RBRACK, gotoken.RBRACE:
			if len(left) > 0 {
				left = left[:len(left)-1]
			} else if tok == gotoken.RBRACE {
				open++
			}
		}
	}
}
