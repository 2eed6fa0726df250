package literal

import (
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"strconv"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Import is an import that a file needs and does not have.
type Import struct {
	Name string // empty when the package's own name does
	Path string
}

// Imports chooses the names by which one file knows packages.
type Imports struct {
	// Added are the imports that the file does not have yet.
	Added []Import
	// Language is the version of the language that the file is compiled as,
	// "go1.17"; empty for the newest.
	Language string

	from  string          // the package of the file
	have  map[string]bool // paths imported under the package's own name
	names map[string]string
	taken map[string]bool
}

// NewImports begins with the imports that a file has. taken are the names that
// the package declares, which no import may have.
func NewImports(from string, specs []*ast.ImportSpec, taken func(yield func(string) bool)) *Imports {
	i := &Imports{from: from, have: map[string]bool{}, names: map[string]string{}, taken: map[string]bool{}}
	for name := range taken {
		i.taken[name] = true
	}
	for _, s := range specs {
		path, err := strconv.Unquote(s.Path.Value)
		switch {
		case err != nil:
		case s.Name == nil:
			i.have[path] = true
		case s.Name.Name != "_" && s.Name.Name != ".":
			i.names[path] = s.Name.Name
			i.taken[s.Name.Name] = true
		}
	}
	return i
}

// Use returns the name of a package in the file, importing it if need be; empty
// for the file's own package.
func (i *Imports) Use(path, name string) string {
	if path == i.from {
		return ""
	}
	if known, ok := i.names[path]; ok {
		return known
	}
	if i.have[path] {
		i.names[path] = name
		i.taken[name] = true
		return name
	}
	chosen := name
	for n := 2; i.taken[chosen]; n++ {
		chosen = fmt.Sprint(name, n)
	}
	i.names[path], i.taken[chosen] = chosen, true
	added := Import{Path: path}
	if chosen != name {
		added.Name = chosen
	}
	i.Added = append(i.Added, added)
	return chosen
}

// Taken reports whether the file or its package uses a name for something.
func (i *Imports) Taken(name string) bool { return i.taken[name] }

// Type writes a type as the file names it.
func (i *Imports) Type(t types.Type) string {
	text := types.TypeString(t, func(p *types.Package) string { return i.Use(p.Path(), p.Name()) })
	if i.Lacks("go1.18") && !i.taken["any"] {
		text = predeclaredAny.ReplaceAllString(text, "interface{}")
	}
	return text
}

// predeclaredAny matches the type by the name that it has since Go 1.18.
var predeclaredAny = lazyregexp.New(`\bany\b`)

// Lacks reports whether the file's version of the language is older than another.
func (i *Imports) Lacks(than string) bool {
	return i.Language != "" && version.Compare(i.Language, than) < 0
}

// FileMode writes the mode of a file that nobody else reads.
func (i *Imports) FileMode() string {
	if i.Lacks("go1.13") {
		return "0600"
	}
	return "0o600"
}
