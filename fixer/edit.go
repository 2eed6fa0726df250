package fixer

import (
	"go/ast"
	"go/token"
	"sort"

	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
)

// change collects splices of source text. Everything outside of them keeps
// its bytes; a file that was gofmt'ed stays gofmt'ed.
type change struct {
	f       *code
	splices map[string][]splice       // by absolute file name
	imports map[string][]patch.Import // by absolute file name
	broken  bool
	names   map[string]bool // given to new variables
}

// splice replaces bytes [start, end) of a file.
type splice struct {
	start, end int
	text       string
	order      int
}

func (f *code) change() *change {
	return &change{f: f, splices: map[string][]splice{}, imports: map[string][]patch.Import{}, names: map[string]bool{}}
}

func (ch *change) file(pos token.Pos) (name string, offset int) {
	p := ch.f.c.Code.Fset.PositionFor(pos, false)
	return p.Filename, p.Offset
}

// replace puts text in place of the source from one position to another.
func (ch *change) replace(from, to token.Pos, text string) *change {
	name, start := ch.file(from)
	_, end := ch.file(to)
	ch.splices[name] = append(ch.splices[name], splice{start, end, text, len(ch.splices[name])})
	return ch
}

func (ch *change) insert(at token.Pos, text string) *change { return ch.replace(at, at, text) }

// need imports a package into the file, unless it is there.
func (ch *change) need(file *ast.File, paths ...string) *change {
	name, _ := ch.file(file.Package)
	for _, path := range paths {
		if path != "" && !syntax.ImportsPath(file, path) {
			ch.imports[name] = append(ch.imports[name], patch.Import{Path: path})
		}
	}
	return ch
}

// before puts lines before a statement, above the comment that belongs to it.
// Lines are indented relative to the statement.
func (ch *change) before(s ast.Node, lines string) *change {
	name, start := ch.file(s.Pos())
	src := ch.f.source(name)
	if start > len(src) {
		ch.broken = true
		return ch
	}
	indent, first := indentAt(src, start)
	if !first {
		ch.splices[name] = append(ch.splices[name], splice{start, start, "\n" + lines + "\n", len(ch.splices[name])})
		return ch
	}
	at := aboveComments(src, start-len(indent)) + len(indent)
	text := strings.ReplaceAll(lines, "\n", "\n"+indent) + "\n" + indent
	ch.splices[name] = append(ch.splices[name], splice{at, at, text, len(ch.splices[name])})
	return ch
}

// after puts lines after a statement and the comment on its last line.
func (ch *change) after(s ast.Node, lines string) *change {
	name, start := ch.file(s.Pos())
	_, end := ch.file(s.End())
	src := ch.f.source(name)
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
		ch.splices[name] = append(ch.splices[name], splice{end, end, "\n" + lines + "\n", len(ch.splices[name])})
		return ch
	}
	text := "\n" + indent + strings.ReplaceAll(lines, "\n", "\n"+indent)
	ch.splices[name] = append(ch.splices[name], splice{end + eol, end + eol, text, len(ch.splices[name])})
	return ch
}

// first puts lines at the beginning of a block.
func (ch *change) first(block *ast.BlockStmt, lines string) *change {
	if len(block.List) > 0 && ch.f.line(block.List[0].Pos()) != ch.f.line(block.Lbrace) {
		return ch.before(block.List[0], lines)
	}
	name, open := ch.file(block.Lbrace)
	indent := lineIndent(ch.f.source(name), open)
	text := "\n" + indent + "\t" + strings.ReplaceAll(lines, "\n", "\n"+indent+"\t") + "\n" + indent
	return ch.insert(block.Lbrace+1, text)
}

// last puts lines at the end of a block.
func (ch *change) last(block *ast.BlockStmt, lines string) *change {
	if n := len(block.List); n > 0 && ch.f.line(block.Rbrace) != ch.f.line(block.List[n-1].End()) {
		return ch.after(block.List[n-1], lines)
	}
	return ch.insert(block.Rbrace, "\n"+lines+"\n")
}

// remove takes a statement out, with its line when nothing else is on it.
func (ch *change) remove(s ast.Node) *change {
	name, start := ch.file(s.Pos())
	_, end := ch.file(s.End())
	src := ch.f.source(name)
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
	ch.splices[name] = append(ch.splices[name], splice{start, end, "", len(ch.splices[name])})
	return ch
}

// indentAt returns the white space before an offset, and whether nothing else
// is before it on its line.
func indentAt(src string, offset int) (string, bool) {
	begin := strings.LastIndexByte(src[:offset], '\n') + 1
	lead := src[begin:offset]
	return lead, strings.TrimSpace(lead) == ""
}

func lineIndent(src string, offset int) string {
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

// source returns a file's text, as it is on disk now.
func (f *code) source(file string) string {
	if text, ok := f.sources[file]; ok {
		return text
	}
	data, err := regular.Read(file)
	text := string(data)
	if err != nil {
		text = ""
	}
	f.sources[file] = text
	return text
}

// text returns the source of a node.
func (f *code) text(n ast.Node) string {
	from, to := f.c.Code.Fset.PositionFor(n.Pos(), false), f.c.Code.Fset.PositionFor(n.End(), false)
	src := f.source(from.Filename)
	if from.Offset > to.Offset || to.Offset > len(src) {
		return ""
	}
	return src[from.Offset:to.Offset]
}

// edits applies the splices; false when they overlap, change nothing or touch
// a file that may not be changed.
func (ch *change) edits() ([]patch.Edit, bool) {
	if ch.broken || len(ch.splices) == 0 {
		return nil, false
	}
	var edits []patch.Edit
	for name, list := range ch.splices {
		rel := ch.f.c.Workspace.Rel(name)
		if _, err := ch.f.c.Workspace.Editable(rel); err != nil {
			return nil, false
		}
		before := ch.f.source(name)
		after, ok := splicedText(before, list)
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

func splicedText(src string, list []splice) (string, bool) {
	sorted := append([]splice(nil), list...)
	sort.SliceStable(sorted, func(i, j int) bool {
		if sorted[i].start != sorted[j].start {
			return sorted[i].start < sorted[j].start
		}
		// Insertions come before a replacement at the same place.
		if (sorted[i].end == sorted[i].start) != (sorted[j].end == sorted[j].start) {
			return sorted[i].end == sorted[i].start
		}
		return sorted[i].order < sorted[j].order
	})
	var b strings.Builder
	at := 0
	for _, s := range sorted {
		if s.start < at || s.end > len(src) || s.end < s.start {
			return "", false
		}
		b.WriteString(src[at:s.start])
		b.WriteString(s.text)
		at = s.end
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
