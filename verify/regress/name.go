package regress

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/workspace"
)

// style is how a package names its tests.
type style struct {
	underscores bool // TestIndex_Add, else TestIndexAdd
	bare        bool // methods without their type: TestAdd
	lower       bool // Test_add for unexported functions
}

// testName names the test of a function, and what it asserts, in the style of its package.
func (m *maker) testName(file *testFile, fn workspace.Func, asserts string) string {
	used := testNames(file.dir)
	s := styleOf(used, fn.Package.Types.Scope())
	var parts []string
	if base := receiverName(fn); base != "" && !s.bare {
		parts = append(parts, base)
	}
	name := fn.Decl.Name.Name
	parts = append(parts, name)
	return m.unique(s.join(parts, asserts), used, file.fn.Package.Types.Scope())
}

func (s style) join(parts []string, asserts string) string {
	if s.lower && !ast.IsExported(parts[0]) {
		return "Test_" + strings.Join(parts, "_") + "_" + asserts
	}
	for i := range parts {
		parts[i] = upper(parts[i])
	}
	if s.underscores {
		return "Test" + strings.Join(append(parts, asserts), "_")
	}
	return "Test" + strings.Join(append(parts, asserts), "")
}

func upper(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// unique adds a number to a name that is taken.
func (m *maker) unique(name string, used map[string]bool, scope *types.Scope) string {
	free := name
	for n := 2; used[free] || m.names[free] || scope.Lookup(free) != nil || free == "TestMain"; n++ {
		free = fmt.Sprint(name, n)
	}
	return free
}

// styleOf learns from the names of the tests that are there.
func styleOf(names map[string]bool, scope *types.Scope) style {
	var s style
	total, under, typed, bare := 0, 0, 0, 0
	for name := range names {
		rest := strings.TrimPrefix(name, "Test")
		total++
		if strings.HasPrefix(rest, "_") {
			s.lower = true
			rest = rest[1:]
		}
		if strings.Contains(rest, "_") {
			under++
		}
		first, _, _ := strings.Cut(rest, "_")
		switch subject(first, scope) {
		case "type":
			typed++
		case "method":
			bare++
		}
	}
	s.underscores = under > 0 && under*2 >= total
	s.bare = bare > typed
	return s
}

// subject reports whether a test's name begins with a type's or a method's.
func subject(name string, scope *types.Scope) string {
	found := ""
	for _, n := range scope.Names() {
		object, ok := scope.Lookup(n).(*types.TypeName)
		if !ok {
			continue
		}
		if strings.HasPrefix(name, upper(n)) {
			return "type"
		}
		named, ok := object.Type().(*types.Named)
		if !ok {
			continue
		}
		for method := range named.Methods() {
			if strings.HasPrefix(name, upper(method.Name())) {
				found = "method"
			}
		}
	}
	return found
}

// testNames lists the functions that a folder's test files declare.
func testNames(dir string) map[string]bool {
	names := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		syntax, _ := regular.Parse(token.NewFileSet(), file, parser.SkipObjectResolution)
		if syntax == nil {
			continue
		}
		for _, d := range syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
