package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/patch"
)

// Change collects splices of source text. Everything outside of them keeps
// its bytes; a file that was gofmt'ed stays gofmt'ed.
type Change struct {
	f       *Code
	splices map[string][]Splice       // by absolute file name
	imports map[string][]patch.Import // by absolute file name
	broken  bool
	names   map[string]bool // given to new variables
}

// Splice replaces bytes [start, end) of a file.
type Splice struct {
	Start, End int
	Text       string
	Order      int
}

// LineIndentAt returns the white space before the line that a node begins on.
func (f *Code) LineIndentAt(n ast.Node) string {
	pos := f.Case.Code.Fset.Position(n.Pos())
	return LineIndent(f.Source(pos.Filename), pos.Offset)
}

// SetField writes "field: value" into a building.
func (ch *Change) SetField(b Building, pairs []FieldInit) bool {
	f := ch.f
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = p.Name + ": " + p.Value
	}
	all := strings.Join(texts, ", ")
	switch {
	case b.alloc != nil:
		ch.Replace(b.alloc.Pos(), b.alloc.End(), "&"+f.Text(b.alloc.Args[0])+"{"+all+"}")
	case b.spec != nil:
		return ch.setSpec(b, all)
	default:
		return ch.setLiteral(b, pairs, texts)
	}
	return true
}

func (ch *Change) setSpec(b Building, all string) bool {
	f := ch.f
	typ := f.Text(b.spec.Type)
	if len(b.Path) > 2 {
		if _, inFunc := b.Path[2].(*ast.DeclStmt); inFunc {
			if g, ok := b.Path[1].(*ast.GenDecl); ok && !g.Lparen.IsValid() {
				ch.Replace(g.Pos(), g.End(), b.spec.Names[0].Name+" := "+typ+"{"+all+"}")
				return true
			}
		}
	}
	ch.Replace(b.spec.Type.Pos(), b.spec.Type.End(), "= "+typ+"{"+all+"}")
	return true
}

func (ch *Change) setLiteral(b Building, pairs []FieldInit, texts []string) bool {
	lit, f := b.literal, ch.f
	var missing []string
	for i, p := range pairs {
		if v, present := b.FieldValue(p.Field); present {
			ch.Replace(v.Pos(), v.End(), p.Value)
		} else {
			missing = append(missing, texts[i])
		}
	}
	if len(missing) == 0 {
		return true
	}
	if len(lit.Elts) == 0 {
		ch.Replace(lit.Lbrace+1, lit.Rbrace, strings.Join(missing, ", "))
		return true
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
		return false
	}
	name, close := ch.file(lit.Rbrace)
	lead, alone := indentAt(f.Source(name), close)
	if alone {
		text := ""
		for _, m := range missing {
			text += lead + "\t" + m + ",\n"
		}
		at := close - len(lead)
		ch.splices[name] = append(ch.splices[name], Splice{at, at, text, len(ch.splices[name])})
		return true
	}
	ch.Insert(lit.Elts[len(lit.Elts)-1].End(), ", "+strings.Join(missing, ", "))
	return true
}

// FieldInit is a field and the text of the value it is to get.
type FieldInit struct {
	Field *types.Var
	Name  string
	Value string
}

// Change begins a change of the source.
func (f *Code) Change() *Change {
	return &Change{f: f, splices: map[string][]Splice{}, imports: map[string][]patch.Import{}, names: map[string]bool{}}
}

func (ch *Change) file(pos token.Pos) (name string, offset int) {
	p := ch.f.Case.Code.Fset.PositionFor(pos, false)
	return p.Filename, p.Offset
}

// Replace puts text in place of the source from one position to another.
func (ch *Change) Replace(from, to token.Pos, text string) *Change {
	name, start := ch.file(from)
	_, end := ch.file(to)
	ch.splices[name] = append(ch.splices[name], Splice{start, end, text, len(ch.splices[name])})
	return ch
}

// Insert puts text at a position.
func (ch *Change) Insert(at token.Pos, text string) *Change { return ch.Replace(at, at, text) }

// Need imports a package into the file, unless it is there.
func (ch *Change) Need(file *ast.File, paths ...string) *Change {
	name, _ := ch.file(file.Package)
	for _, path := range paths {
		if path != "" && !syntax.ImportsPath(file, path) {
			ch.imports[name] = append(ch.imports[name], patch.Import{Path: path})
		}
	}
	return ch
}

// Before puts lines before a statement, above the comment that belongs to it.
// Lines are indented relative to the statement.
func (ch *Change) Before(s ast.Node, lines string) *Change {
	name, start := ch.file(s.Pos())
	src := ch.f.Source(name)
	if start > len(src) {
		ch.broken = true
		return ch
	}
	indent, first := indentAt(src, start)
	if !first {
		ch.splices[name] = append(ch.splices[name], Splice{start, start, "\n" + lines + "\n", len(ch.splices[name])})
		return ch
	}
	at := aboveComments(src, start-len(indent)) + len(indent)
	text := strings.ReplaceAll(lines, "\n", "\n"+indent) + "\n" + indent
	ch.splices[name] = append(ch.splices[name], Splice{at, at, text, len(ch.splices[name])})
	return ch
}

// After puts lines after a statement and the comment on its last line.
func (ch *Change) After(s ast.Node, lines string) *Change {
	name, start := ch.file(s.Pos())
	_, end := ch.file(s.End())
	src := ch.f.Source(name)
	if end > len(src) {
		ch.broken = true
		return ch
	}
	indent, first := indentAt(src, start)
	rest := src[end:]
	eol := strings.IndexByte(rest, '\n')
	tail := ""
	if eol >= 0 {
		tail = strings.TrimSpace(rest[:eol])
	}
	if !first || eol < 0 || (tail != "" && !strings.HasPrefix(tail, "//")) {
		ch.splices[name] = append(ch.splices[name], Splice{end, end, "\n" + lines + "\n", len(ch.splices[name])})
		return ch
	}
	text := "\n" + indent + strings.ReplaceAll(lines, "\n", "\n"+indent)
	ch.splices[name] = append(ch.splices[name], Splice{end + eol, end + eol, text, len(ch.splices[name])})
	return ch
}

// First puts lines at the beginning of a block.
func (ch *Change) First(block *ast.BlockStmt, lines string) *Change {
	if len(block.List) > 0 && ch.f.Line(block.List[0].Pos()) != ch.f.Line(block.Lbrace) {
		return ch.Before(block.List[0], lines)
	}
	name, open := ch.file(block.Lbrace)
	indent := LineIndent(ch.f.Source(name), open)
	text := "\n" + indent + "\t" + strings.ReplaceAll(lines, "\n", "\n"+indent+"\t") + "\n" + indent
	return ch.Insert(block.Lbrace+1, text)
}

// Last puts lines at the end of a block.
func (ch *Change) Last(block *ast.BlockStmt, lines string) *Change {
	if n := len(block.List); n > 0 && ch.f.Line(block.Rbrace) != ch.f.Line(block.List[n-1].End()) {
		return ch.After(block.List[n-1], lines)
	}
	return ch.Insert(block.Rbrace, "\n"+lines+"\n")
}

// Remove takes a statement out, with its line when nothing else is on it.
func (ch *Change) Remove(s ast.Node) *Change {
	name, start := ch.file(s.Pos())
	_, end := ch.file(s.End())
	src := ch.f.Source(name)
	if end > len(src) {
		ch.broken = true
		return ch
	}
	indent, first := indentAt(src, start)
	rest := src[end:]
	eol := strings.IndexByte(rest, '\n')
	if first && eol >= 0 {
		tail := strings.TrimSpace(rest[:eol])
		if tail == "" || strings.HasPrefix(tail, "//") {
			start, end = start-len(indent), end+eol+1
		}
	}
	ch.splices[name] = append(ch.splices[name], Splice{start, end, "", len(ch.splices[name])})
	return ch
}

// indentAt returns the white space before an offset, and whether nothing else
// is before it on its line.
func indentAt(src string, offset int) (string, bool) {
	begin := strings.LastIndexByte(src[:offset], '\n') + 1
	lead := src[begin:offset]
	return lead, strings.TrimSpace(lead) == ""
}

// LineIndent returns the white space before the line of an offset.
func LineIndent(src string, offset int) string {
	begin := strings.LastIndexByte(src[:offset], '\n') + 1
	line := src[begin:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// aboveComments moves the start of a line up over whole-line comments.
func aboveComments(src string, lineStart int) int {
	for lineStart > 0 {
		prev := strings.LastIndexByte(src[:lineStart-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(src[prev:lineStart-1]), "//") {
			break
		}
		lineStart = prev
	}
	return lineStart
}

// Edits applies the splices; false when they overlap, change nothing or touch
// a file that may not be changed.
func (ch *Change) Edits() ([]patch.Edit, bool) {
	if ch.broken || len(ch.splices) == 0 {
		return nil, false
	}
	var edits []patch.Edit
	for name, list := range ch.splices {
		rel := ch.f.Case.Workspace.Rel(name)
		if _, err := ch.f.Case.Workspace.Editable(rel); err != nil {
			return nil, false
		}
		before := ch.f.Source(name)
		after, ok := SplicedText(before, list)
		if !ok || after == before {
			return nil, false
		}
		after, err := patch.AddImports(name, after, ch.imports[name])
		if err != nil {
			return nil, false
		}
		edits = append(edits, patch.Edit{File: rel, Before: before, After: formattedLike(before, after)})
	}
	sort.Slice(edits, func(i, j int) bool { return edits[i].File < edits[j].File })
	return edits, true
}

// SplicedText applies splices to a text; false where they overlap.
func SplicedText(src string, list []Splice) (string, bool) {
	sorted := append([]Splice(nil), list...)
	sort.SliceStable(sorted, func(i, j int) bool {
		if sorted[i].Start != sorted[j].Start {
			return sorted[i].Start < sorted[j].Start
		}
		// Insertions come before a replacement at the same place.
		if (sorted[i].End == sorted[i].Start) != (sorted[j].End == sorted[j].Start) {
			return sorted[i].End == sorted[i].Start
		}
		return sorted[i].Order < sorted[j].Order
	})
	var b strings.Builder
	at := 0
	for _, s := range sorted {
		if s.Start < at || s.End > len(src) || s.End < s.Start {
			return "", false
		}
		b.WriteString(src[at:s.Start])
		b.WriteString(s.Text)
		at = s.End
	}
	b.WriteString(src[at:])
	return b.String(), true
}

// formattedLike formats after if before was formatted.
func formattedLike(before, after string) string {
	if old, err := patch.Gofmt(before); err != nil || old != before {
		return after
	}
	if text, err := patch.Gofmt(after); err == nil {
		return text
	}
	return after
}

// Instead puts lines in place of a statement.
func (ch *Change) Instead(s ast.Node, lines string) *Change {
	return ch.Replace(s.Pos(), s.End(), strings.ReplaceAll(lines, "\n", "\n"+ch.f.LineIndentAt(s)))
}

// InsertAbove puts whole lines, with their line ends, above a statement and
// the comments that belong to it.
func (ch *Change) InsertAbove(s ast.Node, lines string) *Change {
	name, start := ch.file(s.Pos())
	src := ch.f.Source(name)
	indent, first := indentAt(src, start)
	if !first {
		ch.broken = true
		return ch
	}
	at := aboveComments(src, start-len(indent))
	ch.splices[name] = append(ch.splices[name], Splice{at, at, lines, len(ch.splices[name])})
	return ch
}

// Fresh returns the first of the names that is free at a place, also of those that the
// change has given already.
func (ch *Change) Fresh(p syntax.Place, names ...string) string {
	var left []string
	for _, n := range names {
		if !ch.names[n] {
			left = append(left, n)
		}
	}
	for i := 2; i < 10; i++ {
		if n := names[0] + strconv.Itoa(i); !ch.names[n] {
			left = append(left, n)
		}
	}
	name := syntax.Fresh(p, left...)
	ch.names[name] = true
	return name
}
