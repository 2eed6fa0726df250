package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
)

// typeText writes a type as the file would; false when it names a package that
// the file does not import.
func typeText(p place, t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == p.pkg.PkgPath || (p.pkg.Types != nil && pkg == p.pkg.Types) {
			return ""
		}
		name, found := importName(p.file, pkg)
		ok = ok && found
		if name == "." {
			return ""
		}
		return name
	})
	return text, ok
}

// importName returns the name under which a file knows a package.
func importName(file *ast.File, pkg *types.Package) (string, bool) {
	for _, s := range file.Imports {
		if path, _ := strconv.Unquote(s.Path.Value); path == pkg.Path() {
			if s.Name != nil {
				return s.Name.Name, s.Name.Name != "_"
			}
			return pkg.Name(), true
		}
	}
	return pkg.Name(), false
}

// zero writes the zero value of a type.
func zero(p place, t types.Type) (string, bool) {
	if _, ok := t.(*types.TypeParam); ok {
		text, fits := typeText(p, t)
		return "*new(" + text + ")", fits
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", true
	case *types.Struct, *types.Array:
		text, fits := typeText(p, t)
		return text + "{}", fits
	}
	return "nil", true
}

// pkgName returns how the file names an imported package of the standard
// library, its base name if it is to be imported.
func pkgName(file *ast.File, path string) string {
	for _, s := range file.Imports {
		if have, _ := strconv.Unquote(s.Path.Value); have == path && s.Name != nil && s.Name.Name != "_" && s.Name.Name != "." {
			return s.Name.Name
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// fresh returns the first of the names that nothing in the function uses; a
// numbered one when all are used.
func fresh(p place, names ...string) string {
	used := map[string]bool{}
	var root ast.Node = p.file
	if d := p.declaration(); d != nil {
		root = d
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, name := range names {
		if !used[name] && !token.IsKeyword(name) && types.Universe.Lookup(name) == nil && (p.pkg.Types == nil || p.pkg.Types.Scope().Lookup(name) == nil) && !importsName(p.file, name) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := names[0] + strconv.Itoa(i); !used[name] {
			return name
		}
	}
}

func importsName(file *ast.File, name string) bool {
	for _, s := range file.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		if path[strings.LastIndexByte(path, '/')+1:] == name || (s.Name != nil && s.Name.Name == name) {
			return true
		}
	}
	return false
}

// fresh is fixer.fresh, without the names that the change has given already.
func (ch *change) fresh(p place, names ...string) string {
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
	name := fresh(p, left...)
	ch.names[name] = true
	return name
}

// flag returns a name for a comma-ok result: "ok", unless an ok is visible
// there already. To assign to that one, or to hide it from the statement
// that follows, would change what the code after it sees.
func (f channelRules) flag(p place) string {
	pos := p.node().Pos()
	if scope := p.pkg.Types.Scope().Innermost(pos); scope != nil {
		if _, obj := scope.LookupParent("ok", pos); obj == nil {
			return "ok"
		}
	}
	return fresh(p, "found", "present", "holds")
}

// sentence makes a text a sentence: it ends with a full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// capital begins a sentence with a capital letter, unless it begins with code: names
// are written as they are.
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if first != "a" && len(first) == 1 || strings.ContainsAny(first, "._([*&") {
		return s
	}
	return upperFirst(s)
}

// lowerFirst makes a name out of a type's name: "ServerConfig" becomes "serverConfig".
func lowerFirst(s string) string {
	runes := []rune(s)
	for i := range runes {
		if !unicode.IsUpper(runes[i]) || (i > 0 && i+1 < len(runes) && !unicode.IsUpper(runes[i+1])) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// short cuts the text of an expression for a title.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxCode {
		return string(runes[:maxCode-3]) + "…"
	}
	return s
}

// named returns the named type under pointers; nil without one.
func named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

var errorType = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool { return t != nil && types.Identical(t, errorType) }

// implementsError reports whether a type can be returned as an error.
func implementsError(t types.Type) bool {
	return t != nil && types.Implements(t, errorType.Underlying().(*types.Interface))
}

// replaceOnce puts where in place of the first %s.
func replaceOnce(text, where string) string { return strings.Replace(text, "%s", where, 1) }

// indented moves the lines of a block one level in.
func indented(lines string) string { return strings.ReplaceAll(lines, "\n", "\n\t") }
