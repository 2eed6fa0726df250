package inspect

import (
	"go/parser"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/ui/syntax"
)

// Word is an identifier in a line of source, or the path of an import.
type Word struct {
	Text   string
	Column int  // byte in the line as it is in the file, from 1
	Cell   int  // where it is drawn, from 0
	Width  int  // in cells
	Call   bool // a function is called: a parenthesis follows, and it is none of the language's own
}

// Words lists the identifiers of a line, from the left, without keywords and
// what is in comments and strings.
func (s *Source) Words(line int) []Word {
	if line < 1 || line > len(s.Lines) || s.Err != "" {
		return nil
	}
	raw := s.Raw(line)
	if path, ok := s.imports[line]; ok {
		return []Word{word(raw, path.start, path.text)}
	}
	kinds := s.Lines[line-1]
	var out []Word
	for at := 0; at < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[at:])
		if r != '_' && !unicode.IsLetter(r) {
			at += n
			continue
		}
		end := at + n
		for end < len(raw) {
			r, n := utf8.DecodeRuneInString(raw[end:])
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			end += n
		}
		w := word(raw, at, raw[at:end])
		kind := kindAt(kinds, w.Cell)
		w.Call = w.Call && kind == syntax.Function
		if named(kind) && !digitBefore(raw, at) {
			out = append(out, w)
		}
		at = end
	}
	return out
}

// digitBefore tells a letter that belongs to a number: 0x1f, 1e9.
func digitBefore(raw string, at int) bool { return at > 0 && raw[at-1] >= '0' && raw[at-1] <= '9' }

// named tells the kinds of spans that hold names.
func named(k syntax.Kind) bool {
	switch k {
	case syntax.Keyword, syntax.String, syntax.Number, syntax.Comment, syntax.Operator:
		return false
	}
	return true
}

// word places a piece of a line on the screen.
func word(raw string, start int, text string) Word {
	before, _ := syntax.Expand(raw[:start])
	return Word{Text: text, Column: start + 1, Cell: syntax.Width([]syntax.Span{{Text: before}}),
		Width: syntax.Width([]syntax.Span{{Text: text}}), Call: strings.HasPrefix(raw[start+len(text):], "(")}
}

func kindAt(line []syntax.Span, cell int) syntax.Kind {
	column := 0
	for _, s := range line {
		column += syntax.Width([]syntax.Span{s})
		if cell < column {
			return s.Kind
		}
	}
	return syntax.Plain
}

// Raw is a line as it is in the file, without its ending; empty where there is
// none.
func (s *Source) Raw(line int) string {
	if s.starts == nil {
		s.starts = append(s.starts, 0)
		for i := range len(s.Text) {
			if s.Text[i] == '\n' {
				s.starts = append(s.starts, i+1)
			}
		}
	}
	if line < 1 || line > len(s.starts) {
		return ""
	}
	end := len(s.Text)
	if line < len(s.starts) {
		end = s.starts[line] - 1
	}
	return strings.TrimSuffix(s.Text[s.starts[line-1]:max(end, s.starts[line-1])], "\r")
}

// Plain is a line as it is drawn, without its colors.
func (s *Source) Plain(line int) string {
	if line < 1 || line > len(s.Lines) {
		return ""
	}
	return syntax.Text(s.Lines[line-1])
}

// importPath is the path of an import in a line.
type importPath struct {
	start int // byte in the line
	text  string
}

// imports finds the paths of a file's imports by their line.
func imports(src string) map[int]importPath {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", src, parser.ImportsOnly|parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	out := map[int]importPath{}
	for _, i := range file.Imports {
		at := set.PositionFor(i.Path.Pos(), false)
		if text := strings.Trim(i.Path.Value, "\"`"); text != "" {
			out[at.Line] = importPath{at.Column, text} // after the quote
		}
	}
	return out
}
