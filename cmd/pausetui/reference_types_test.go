package main

import (
	"encoding"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// typeDocs writes types as tables of their fields: names and types by
// reflection, the words from the comments in the source.
type typeDocs struct {
	t     *testing.T
	tag   string // "json", "toml"
	level string // of the headings
	queue []reflect.Type
	seen  []reflect.Type
}

// all documents a type, and after it the types that it is made of.
func (d *typeDocs) all(typ reflect.Type) string {
	d.seen = append(d.seen, typ)
	return d.table(typ) + d.rest()
}

// rest documents the types that were referred to and not written yet.
func (d *typeDocs) rest() string {
	var b strings.Builder
	for len(d.queue) > 0 {
		typ := d.queue[0]
		d.queue = d.queue[1:]
		if slices.Contains(d.seen, typ) {
			continue
		}
		d.seen = append(d.seen, typ)
		fmt.Fprintf(&b, "\n%s %s\n\n", d.level, typ.Name())
		if typ.Kind() == reflect.String {
			b.WriteString(d.values(typ))
		} else {
			b.WriteString(d.table(typ))
		}
	}
	return b.String()
}

func (d *typeDocs) table(typ reflect.Type) string {
	var b strings.Builder
	source := sourceOf(d.t, typ)
	if source.doc != "" {
		b.WriteString(source.doc + "\n\n")
	}
	rows := d.rows(typ)
	if len(rows) == 0 {
		return b.String()
	}
	b.WriteString("| field | type | what it holds |\n| --- | --- | --- |\n")
	return b.String() + strings.Join(rows, "")
}

func (d *typeDocs) rows(typ reflect.Type) (rows []string) {
	source := sourceOf(d.t, typ)
	for f := range typ.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get(d.tag), ",")
		switch {
		case name == "" && f.Anonymous:
			rows = append(rows, d.rows(f.Type)...)
			continue
		case name == "-" || !f.IsExported() || name == "" && d.tag == "toml":
			continue
		case name == "":
			name = f.Name
		}
		words := d.name(f.Type)
		if strings.HasPrefix(options, "omit") {
			words += ", optional"
		} else if f.Type.Kind() == reflect.Pointer {
			words += " or null"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, words, strings.ReplaceAll(source.fields[f.Name], "|", "\\|")))
	}
	return rows
}

// name names a type as JSON and TOML have it.
func (d *typeDocs) name(typ reflect.Type) string {
	switch {
	case typ == reflect.TypeFor[time.Time]():
		return "time, RFC 3339"
	case typ == reflect.TypeFor[time.Duration]():
		return "integer, nanoseconds"
	case typ.Name() != "" && typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "string"
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return d.name(typ.Elem())
	case reflect.Slice, reflect.Array:
		if typ.Elem().Kind() == reflect.Uint8 {
			return "string, base64"
		}
		return "array of " + d.name(typ.Elem())
	case reflect.Map:
		return "object of " + d.name(typ.Elem())
	case reflect.Struct:
		return d.link(typ)
	case reflect.String:
		if typ.PkgPath() != "" && len(enumOf(d.t, dirOf(typ), typ.Name())) > 0 {
			return d.link(typ)
		}
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Interface:
		return "any"
	}
	return "integer"
}

func (d *typeDocs) link(typ reflect.Type) string {
	d.queue = append(d.queue, typ)
	return fmt.Sprintf("[%s](#%s)", typ.Name(), strings.ToLower(typ.Name()))
}

// values lists what a string of a named type may be.
func (d *typeDocs) values(typ reflect.Type) string {
	var b strings.Builder
	if doc := sourceOf(d.t, typ).doc; doc != "" {
		b.WriteString(doc + "\n\n")
	}
	b.WriteString("| value | when |\n| --- | --- |\n")
	for _, c := range enumOf(d.t, dirOf(typ), typ.Name()) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.value, strings.ReplaceAll(c.doc, "|", "\\|"))
	}
	return b.String()
}

// typeSource is what the source says of a type.
type typeSource struct {
	doc    string
	fields map[string]string
}

type constant struct{ value, doc string }

// dirOf is the directory of a type's package, from the root of the module.
func dirOf(typ reflect.Type) string {
	if dir, ok := strings.CutPrefix(typ.PkgPath(), "github.com/pausetui/pausetui/"); ok {
		return dir
	}
	return "cmd/pausetui" // a package main may be called so
}

var parsedFiles = map[string][]*ast.File{}

func filesOf(t *testing.T, dir string) []*ast.File {
	if files, ok := parsedFiles[dir]; ok {
		return files
	}
	names, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsedFiles[dir] = append(parsedFiles[dir], file)
	}
	return parsedFiles[dir]
}

// specs calls yield with every specification of a package, and the comment above it.
func specs(t *testing.T, dir string, yield func(ast.Spec, *ast.CommentGroup)) {
	for _, file := range filesOf(t, dir) {
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					yield(s, g.Doc)
				}
			}
		}
	}
}

func sourceOf(t *testing.T, typ reflect.Type) typeSource {
	found := typeSource{fields: map[string]string{}}
	specs(t, dirOf(typ), func(s ast.Spec, above *ast.CommentGroup) {
		spec, ok := s.(*ast.TypeSpec)
		if !ok || spec.Name.Name != typ.Name() {
			return
		}
		if spec.Doc != nil {
			above = spec.Doc
		}
		found.doc = line(above)
		if st, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range st.Fields.List {
				for _, name := range f.Names {
					found.fields[name.Name] = strings.TrimSpace(line(f.Doc) + " " + line(f.Comment))
				}
			}
		}
	})
	return found
}

// enumOf are the constants of a string type.
func enumOf(t *testing.T, dir, name string) (list []constant) {
	specs(t, dir, func(s ast.Spec, _ *ast.CommentGroup) {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != name {
			return
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if value, err := strconv.Unquote(lit.Value); err == nil {
				list = append(list, constant{value, strings.TrimSpace(line(spec.Doc) + " " + line(spec.Comment))})
			}
		}
	})
	return list
}

// line is a comment in one line.
func line(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}
