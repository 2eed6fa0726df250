package bench

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/patch"
)

// An Answer is what a scripted model replies to every question about a case.
type Answer struct {
	Text string
	Kind string // "right", "stored", or how a wrong one was made
}

// The names of stored answers below answers/ in an archive.
const (
	strongAnswer = "strong.md"
	sloppyAnswer = "sloppy.md"
)

func (c *Case) stored(name string) (Answer, bool) {
	for _, f := range c.answers {
		if f.Name == name {
			return Answer{string(f.Data), "stored"}, true
		}
	}
	return Answer{}, false
}

// Strong returns the right answer of a strong model: the one stored with the
// case, or else the reference fix as a model would give it. It fails for a
// case that cannot be fixed.
func (c *Case) Strong() (Answer, error) {
	if a, ok := c.stored(strongAnswer); ok {
		return a, nil
	}
	if !c.CanBeFixed() {
		return Answer{}, fmt.Errorf("%s: no local edit is right", c.Name)
	}
	text, err := c.reply("The fault lies in "+c.FixedIn()+".", c.fixedModule())
	return Answer{text, "right"}, err
}

// reply words a change of the module as prompts ask for it: a sentence, then
// the changed declarations whole. What that form cannot say, such as a removed
// function, is given as search/replace blocks of whole files.
func (c *Case) reply(sentence string, after []txtar.File) (string, error) {
	for _, named := range []bool{false, true} {
		text, err := c.functions(sentence, after, named)
		if err != nil {
			return "", err
		}
		s, err := patch.Splicer{Prefer: c.stopsInFile()}.Splice(c.sources(), text)
		if err == nil && gives(s.Edits, c.sources(), after) {
			return text, nil
		}
	}
	text := c.blocks(sentence, after)
	if _, err := patch.ReplaceAll(c.sources(), text); err != nil {
		return "", fmt.Errorf("%s: no reply says the change: %w", c.Name, err)
	}
	return text, nil
}

// functions gives the declarations that differ, a fence for each file; named
// begins each with a comment that names the file.
func (c *Case) functions(sentence string, after []txtar.File, named bool) (string, error) {
	var b strings.Builder
	b.WriteString(sentence + "\n")
	before, err := declarations(c.module)
	if err != nil {
		return "", err
	}
	for i, f := range after {
		if string(f.Data) == string(c.module[i].Data) || !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		changed, err := changedDecls(f, before)
		if err != nil {
			return "", err
		}
		b.WriteString("\n```go\n")
		if named {
			b.WriteString("// " + f.Name + "\n\n")
		}
		b.WriteString(strings.Join(changed, "\n\n") + "\n```\n")
	}
	return b.String(), nil
}

// changedDecls returns the source of the declarations of f that are not among
// those before, with their doc comments.
func changedDecls(f txtar.File, before map[string]string) ([]string, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	text := func(from, to token.Pos) string {
		return string(f.Data[fset.Position(from).Offset:fset.Position(to).Offset])
	}
	var changed []string
	for _, d := range parsed.Decls {
		differs := false
		for name, node := range named(d) {
			differs = differs || !strings.Contains(before[name], text(node.Pos(), node.End())+"\n")
		}
		if differs {
			changed = append(changed, text(begins(d), d.End()))
		}
	}
	return changed, nil
}

// begins is where a declaration begins, with its doc comment.
func begins(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}

// blocks replaces each changed file as a whole.
func (c *Case) blocks(sentence string, after []txtar.File) string {
	var b strings.Builder
	b.WriteString(sentence + "\n")
	for i, f := range after {
		if string(f.Data) != string(c.module[i].Data) {
			fmt.Fprintf(&b, "\n%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n", f.Name, c.module[i].Data, f.Data)
		}
	}
	return b.String()
}

// sources are the Go files that a fix may change, by name.
func (c *Case) sources() map[string]string {
	files := map[string]string{}
	for _, f := range c.module {
		if strings.HasSuffix(f.Name, ".go") {
			files[f.Name] = string(f.Data)
		}
	}
	return files
}

// stopsInFile is the file that declares the function where the case stops.
func (c *Case) stopsInFile() string {
	for _, f := range c.module {
		declared, err := declarations([]txtar.File{f})
		if _, ok := declared[Outermost(c.StopsIn)]; ok && err == nil {
			return f.Name
		}
	}
	return ""
}

// gives reports whether the edits turn the sources into the files after, apart
// from comments and white space.
func gives(edits []patch.Edit, sources map[string]string, after []txtar.File) bool {
	for _, f := range after {
		have, ok := sources[f.Name]
		if !ok {
			continue
		}
		if i := slices.IndexFunc(edits, func(e patch.Edit) bool { return e.File == f.Name }); i >= 0 {
			have = edits[i].After
		}
		if bare(have) != bare(string(f.Data)) {
			return false
		}
	}
	return true
}

// bare is a file's code without its comments, as gofmt writes it, with its
// declarations sorted: a new one may stand anywhere.
func bare(src string) string {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return src
	}
	var list []string
	for _, d := range parsed.Decls {
		var b strings.Builder
		if err := format.Node(&b, fset, d); err != nil {
			return src
		}
		list = append(list, strings.ReplaceAll(b.String(), "\n\n", "\n"))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}
