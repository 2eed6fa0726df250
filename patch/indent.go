package patch

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// keepIndent writes the code of a file that gofmt would change as the file is
// written: lines that only look different stay as they were, and new ones are
// indented as their neighbors are. What it writes has no carriage returns.
func keepIndent(before, proposed string) string {
	before, after := strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(proposed, "\r\n", "\n")
	clean, err := Gofmt(before)
	if err != nil || clean == before {
		return proposed
	}
	now, err := Gofmt(after)
	if err != nil {
		return proposed
	}
	d := &indenter{old: newLayout(before, clean), now: newLayout(after, now)}
	d.unit = d.old.unit()
	out := d.write()
	if !slices.Equal(scanTokens(out, 0), scanTokens(after, 0)) {
		return proposed // it would say something else
	}
	return out
}

// layout is the lines of a file, and how deep gofmt would indent each.
type layout struct {
	lines []string // without their ends
	keys  []string // equal for lines that only look different
	depth []int    // in tabs; -1 where gofmt breaks lines in other places, and within raw strings and comments
}

func newLayout(src, formatted string) layout {
	l := layout{lines: strings.Split(src, "\n")}
	inside := withinTokens(src)
	clean := strings.Split(formatted, "\n")
	within := withinTokens(formatted)
	cleanKeys := keysOf(clean, within)
	l.keys = keysOf(l.lines, inside)
	for i, j := range align(l.keys, cleanKeys) {
		l.depth = append(l.depth, -1)
		if j >= 0 && !inside[i] && l.keys[i] != "" {
			l.depth[i] = len(clean[j]) - len(strings.TrimLeft(clean[j], "\t"))
		}
	}
	return l
}

// withinTokens tells of each line whether it begins within a raw string or a
// comment: white space is text there.
func withinTokens(src string) map[int]bool {
	within := map[int]bool{}
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return within
		}
		if tok == token.STRING || tok == token.COMMENT {
			line := file.PositionFor(pos, false).Line - 1
			for i := range strings.Count(text, "\n") {
				within[line+1+i] = true
			}
		}
	}
}

func keysOf(lines []string, inside map[int]bool) []string {
	keys := make([]string, len(lines))
	for i, line := range lines {
		keys[i] = tokensOf(line)
		if inside[i] {
			keys[i] = "\x00" + line
		}
	}
	return keys
}

// tokensOf is the tokens of a line, comments among them.
func tokensOf(line string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(line)), []byte(line), func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = tok.String()
		}
		b.WriteString(text + "\x00")
	}
}

// unit is what the file indents by: the most frequent step from a line to the
// next.
func (l layout) unit() string {
	count := map[string]int{}
	best := "\t"
	last, depth := "", -1
	for i, line := range l.lines {
		if l.depth[i] < 0 {
			continue
		}
		indent := indentOf(line)
		if step, ok := strings.CutPrefix(indent, last); ok && depth >= 0 && l.depth[i] == depth+1 && step != "" {
			count[step]++
			if count[step] > count[best] {
				best = step
			}
		}
		last, depth = indent, l.depth[i]
	}
	return best
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// indenter writes the lines of now with the indentation of old.
type indenter struct {
	old, now layout
	unit     string
	out      []string
	kept     []bool // the line stands as it was
}

func (d *indenter) write() string {
	n := len(d.now.lines)
	d.out, d.kept = slices.Clone(d.now.lines), make([]bool, n)
	for i, j := range align(d.old.keys, d.now.keys) {
		if j < 0 {
			continue
		}
		d.out[j] = d.old.lines[i]
		d.kept[j] = d.old.depth[i] == d.now.depth[j]
	}
	for j := range d.out {
		if !d.kept[j] && d.now.depth[j] >= 0 {
			d.out[j] = d.indent(j) + strings.TrimLeft(d.out[j], " \t")
		}
	}
	return strings.Join(d.out, "\n")
}

// indent is that of the line before which is as deep, or of the one after; else
// one step more than the line that the block belongs to.
func (d *indenter) indent(j int) string {
	depth := d.now.depth[j]
	above := j - 1
	for above >= 0 && (d.now.depth[above] < 0 || d.now.depth[above] > depth) {
		above--
	}
	if above >= 0 && d.now.depth[above] == depth {
		return indentOf(d.out[above])
	}
	for below := j + 1; below < len(d.out); below++ {
		if at := d.now.depth[below]; at < depth && at >= 0 {
			break
		} else if at == depth && d.kept[below] {
			return indentOf(d.out[below])
		}
	}
	if above < 0 {
		return strings.Repeat(d.unit, depth)
	}
	return indentOf(d.out[above]) + strings.Repeat(d.unit, depth-d.now.depth[above])
}
