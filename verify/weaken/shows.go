package weaken

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// showing are the methods by which a value says itself what it looks like.
var showing = []string{"String", "GoString", "Format", "Error", "MarshalJSON", "MarshalJSONTo", "MarshalText", "MarshalXML", "MarshalXMLAttr", "MarshalYAML", "MarshalBinary", "GobEncode", "IsZero"}

// Shows names a method that an edit of a package adds to a type that was there, and by which
// a library shows a value of it to the test in the place of what it holds. A test that is named
// after the method is about it. before and after are the files of the package, text is that of
// the test, and own tells whether an import path is of the person's modules.
func Shows(test, text string, before, after map[string]string, own func(path string) bool) string {
	s := syntax.Parse(text)
	if s == nil {
		return ""
	}
	asks := map[string]bool{}
	for _, from := range s.Imports() {
		names := asked[from]
		if host, _, _ := strings.Cut(from, "/"); strings.Contains(host, ".") && !own(from) {
			names = askedByOthers
		}
		for _, name := range names {
			asks[name] = slices.Contains(showing, name) && !strings.Contains(test, name)
		}
	}
	had, types := methodsOf(before)
	now, _ := methodsOf(after)
	for _, m := range slices.Sorted(maps.Keys(now)) {
		if of, name, _ := strings.Cut(m, "."); !had[m] && asks[name] && types[of] {
			return m
		}
	}
	return ""
}

// methodsOf are the methods of a package, as "T.Name", and its types that hold anything.
func methodsOf(files map[string]string) (methods, types map[string]bool) {
	methods, types = map[string]bool{}, map[string]bool{}
	for _, text := range files {
		s := syntax.Parse(text)
		if s == nil {
			continue
		}
		for _, fn := range s.Declared() {
			methods[syntax.Key(fn)] = true
		}
		for spec := range syntax.All[*ast.TypeSpec](s.AST) {
			fields, ok := spec.Type.(*ast.StructType)
			types[spec.Name.Name] = !ok || fields.Fields.NumFields() > 0
		}
	}
	return methods, types
}
