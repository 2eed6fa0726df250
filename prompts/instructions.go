package prompts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// Machine code has the texts of its source as numbers: a comparison with "wolfram7" is one with
// 0x376d6172666c6f77, and a shorter text is moved byte by byte.

// Instruction is a line of disassembled code: where it is from, its bytes in hexadecimal, its text.
type Instruction struct {
	File        string
	Line        int
	Bytes, Text string
}

// Instructions returns the instructions of one function for a model. Where the source of any has
// something hidden, or names a secret, the numbers of all are left out, and their bytes: what is
// inlined, or folded, may be at any of them.
func (s *Screen) Instructions(list []Instruction) []Instruction {
	if s.redactor.HidesNothing() {
		return list
	}
	code := sourceOfCode{screen: s, decls: map[string][]codeDecl{}, constants: map[string]map[string]bool{}}
	hidden := false
	for _, i := range list {
		hidden = hidden || code.hides(i.File, i.Line)
	}
	if !hidden {
		return list
	}
	out := make([]Instruction, len(list))
	for i, one := range list {
		one.Bytes, one.Text = "", withoutNumbers(one.Text)
		out[i] = one
	}
	return out
}

var (
	// leads are instructions whose number is the address that they lead to.
	leads   = lazyregexp.New(`(?i)^(?:j\w+|call\w*|bl?r?|b\.?(?:eq|ne|lt|le|gt|ge|hs|lo|hi|ls|mi|pl|cs|cc|vs|vc)|cbn?z)\s`)
	numeral = lazyregexp.New(`\b(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)\b`)
)

// withoutNumbers leaves the numbers of an instruction out.
func withoutNumbers(text string) string {
	if leads.MatchString(text) {
		return text
	}
	return numeral.ReplaceAllString(text, "…")
}

// sourceOfCode is the source of instructions, read once.
type sourceOfCode struct {
	screen    *Screen
	decls     map[string][]codeDecl      // by file
	constants map[string]map[string]bool // by directory: the names of those that are hidden
}

// codeDecl is a declaration, by its lines.
type codeDecl struct {
	from, to int
	text     string
	names    map[string]bool // that are used in it
	hidden   *bool           // once it is known
}

// maxCodeSource bounds a file that is read, in bytes.
const maxCodeSource = 8 << 20

// hides reports whether the declaration at a line has something hidden. One that cannot be read may.
func (c *sourceOfCode) hides(file string, line int) bool {
	if !filepath.IsAbs(file) || filepath.Ext(file) != ".go" { // a wrapper, or assembly
		return false
	}
	if _, known := c.decls[file]; !known {
		c.decls[file] = c.read(file)
	}
	for i := range c.decls[file] {
		if d := &c.decls[file][i]; d.from <= line && line <= d.to {
			if d.hidden == nil {
				hidden := c.declares(d, filepath.Dir(file))
				d.hidden = &hidden
			}
			return *d.hidden
		}
	}
	return true
}

func (c *sourceOfCode) declares(d *codeDecl, dir string) bool {
	if c.screen.Mentions(d.text) || len(c.screen.HiddenIn("package p\n\n"+d.text+"\n")) > 0 {
		return true
	}
	for name := range c.hiddenConstants(dir) {
		if d.names[name] {
			return true
		}
	}
	return false
}

// read returns the declarations of a file.
func (c *sourceOfCode) read(file string) (list []codeDecl) {
	text, err := regular.ReadUpTo(file, maxCodeSource)
	if err != nil {
		return nil
	}
	set := token.NewFileSet()
	parsed, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if parsed == nil {
		return nil
	}
	for _, d := range parsed.Decls {
		from, to := set.PositionFor(d.Pos(), false), set.PositionFor(d.End(), false)
		one := codeDecl{from: from.Line, to: to.Line, text: string(text[from.Offset:min(to.Offset, len(text))]), names: map[string]bool{}}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				one.names[id.Name] = true
			}
			return true
		})
		list = append(list, one)
	}
	return list
}

// hiddenConstants are the names of a package's constants whose values are hidden.
func (c *sourceOfCode) hiddenConstants(dir string) map[string]bool {
	if c.constants[dir] != nil {
		return c.constants[dir]
	}
	names := map[string]bool{}
	c.constants[dir] = names
	files, _ := filepath.Glob(filepath.Join(escapedGlob.Replace(dir), "*.go"))
	for _, file := range files {
		text, err := regular.ReadUpTo(file, maxCodeSource)
		if err != nil {
			continue
		}
		set := token.NewFileSet()
		parsed, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
		if parsed == nil {
			continue
		}
		for _, d := range parsed.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				c.addConstants(names, g, func(n ast.Node) string {
					return string(text[set.Position(n.Pos()).Offset:min(set.Position(n.End()).Offset, len(text))])
				})
			}
		}
	}
	return names
}

var escapedGlob = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

func (c *sourceOfCode) addConstants(names map[string]bool, d *ast.GenDecl, textOf func(ast.Node) string) {
	if len(c.screen.HiddenIn("package p\n\n"+textOf(d)+"\n")) == 0 {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(c.screen.HiddenIn("package p\n\nconst "+textOf(v)+"\n")) == 0 {
			continue
		}
		for _, name := range v.Names {
			names[name.Name] = true
		}
	}
}
