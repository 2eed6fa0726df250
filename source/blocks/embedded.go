package blocks

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/internal/regular"
)

// embedding is a go:embed directive of a variable.
type embedding struct {
	directive string
	pkg       *packages.Package
}

const embedDirective = "//go:embed"

// embeds adds the variables of a file that have a go:embed directive. Only blank
// lines and comments may stand between a directive and its variable.
func (ix *index) embeds(pkg *packages.Package, file *ast.File) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, embedDirective) {
				continue
			}
			if spec := variableAfter(file, c.Pos()); spec != nil {
				for _, name := range spec.Names {
					v := pkg.TypesInfo.Defs[name]
					ix.embedded[v] = append(ix.embedded[v], embedding{c.Text, pkg})
				}
			}
		}
	}
}

// variableAfter returns the first specification of a variable that begins after
// a position; nil if there is none.
func variableAfter(file *ast.File, pos token.Pos) *ast.ValueSpec {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR || d.End() < pos {
			continue
		}
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.ValueSpec); ok && s.Pos() > pos {
				return s
			}
		}
	}
	return nil
}

// embeddedIn adds what is embedded in a variable: the directive, and the names and
// contents of all files that its package embeds.
func (d *dependencies) embeddedIn(v types.Object) {
	for _, e := range d.embedded[v] {
		d.parts = append(d.parts, part{e.pkg.PkgPath, e.directive})
		for _, file := range e.pkg.EmbedFiles {
			sum, err := d.sum(file)
			if err != nil {
				d.refuse("it depends on an embedded file that cannot be read: %v", err)
				return
			}
			name, err := filepath.Rel(e.pkg.Dir, file)
			if err != nil {
				name = file
			}
			d.parts = append(d.parts, part{e.pkg.PkgPath + "/" + filepath.ToSlash(name), sum})
		}
	}
}

// sum is the hash of a file, which is read once.
func (ix *index) sum(file string) (string, error) {
	if known, ok := ix.sums[file]; ok {
		return known, nil
	}
	f, err := regular.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	ix.sums[file] = fmt.Sprintf("%x", h.Sum(nil))
	return ix.sums[file], nil
}
