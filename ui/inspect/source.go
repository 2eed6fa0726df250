package inspect

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/ui/syntax"
)

// maxSource bounds the size of a source file that is shown, in bytes.
const maxSource = 8 << 20

// Source is a source file ready to be drawn.
type Source struct {
	Path     string
	Modified time.Time
	Text     string
	Lines    [][]syntax.Span // safe to draw
	Names    map[int][]Name
	funcs    []span
	imports  map[int]importPath
	starts   []int  // where the lines begin in Text
	Now      bool   // an earlier stop is looked at, and this is the file as it is now
	Err      string // why there is no text
}

// Name is an identifier, or a chain of selections, as it occurs in a line.
type Name struct {
	Text   string // "doc", "x.terms"
	Assign bool   // it is declared or assigned to here
}

type span struct{ start, end int }

// ReadSource reads and scans a file. It does not fail: Err says what went wrong.
func ReadSource(path string) *Source {
	s := &Source{Path: path}
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxSource {
		err = fmt.Errorf("%s has %d MB", path, info.Size()>>20)
	}
	if err != nil {
		s.Err = err.Error()
		return s
	}
	data, err := regular.Read(path)
	if err != nil {
		s.Err = err.Error()
		return s
	}
	s.Modified, s.Text = info.ModTime(), string(data)
	s.scan()
	return s
}

// NewSource prepares source text that is at hand.
func NewSource(path, content string) *Source {
	s := &Source{Path: path, Text: content}
	s.scan()
	return s
}

func (s *Source) scan() {
	s.Lines = syntax.Lines(s.Text)
	s.Raw(1) // finds the lines in the background
	if strings.HasSuffix(s.Path, ".go") {
		s.Names = names(s.Text)
		s.funcs = functions(s.Text)
		s.imports = imports(s.Text)
	}
}

// FuncStart is the first line of the innermost function around a line; the
// line itself when there is none.
func (s *Source) FuncStart(line int) int {
	start := line
	best := 1 << 30
	for _, f := range s.funcs {
		if f.start <= line && line <= f.end && f.end-f.start < best {
			start, best = f.start, f.end-f.start
		}
	}
	return start
}

func functions(src string) []span {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var out []span
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			out = append(out, span{set.Position(n.Pos()).Line, set.Position(n.End()).Line})
		}
		return true
	})
	return out
}

// names finds the identifiers and selector chains of each line.
func names(src string) map[int][]Name {
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
			chain, chainLine = lit, file.Line(pos)
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
