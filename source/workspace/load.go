package workspace

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/internal/regular"
)

// LoadSpec says what to load.
type LoadSpec struct {
	Dir      string   // where the go command runs
	Patterns []string // packages as the go command takes them
	Tags     string
	// Flags are the build's own (-gcflags=…): with the same flags, the export
	// data it has left in the cache are used and nothing is compiled again.
	Flags   []string
	Env     []string // nil means this process's
	Overlay map[string]string
	Tests   bool
	// Awaited is closed when something waits for what is loaded; until then the go
	// command takes the processor when it is idle.
	Awaited <-chan struct{}
}

// Load loads syntax and types of the user's packages among the patterns and
// their dependencies; other packages come from export data. Type errors do not
// fail it: Code holds what could be made out.
//
// It is packages.Load cut to one run of the go command, because a stop may
// come before two have ended.
func (w Workspace) Load(ctx context.Context, spec LoadSpec) (*Code, error) {
	metas, err := listPackages(ctx, spec)
	if err != nil {
		return nil, err
	}
	l := &loader{w: w, spec: spec, code: &Code{Fset: token.NewFileSet(), Dirs: map[string]string{}}, order: metas, metas: map[string]*meta{},
		source: map[string]*types.Package{}, exported: map[string]*types.Package{}}
	for _, m := range metas {
		l.metas[m.ImportPath] = m
		if m.Dir != "" {
			l.code.Dirs[plainPath(m.ImportPath)] = m.Dir
		}
	}
	for _, m := range metas { // dependencies come first
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l.user(m) {
			l.check(m)
		}
	}
	l.code.loader = l
	return l.code, nil
}

// loader makes one Code.
type loader struct {
	w        Workspace
	spec     LoadSpec
	code     *Code
	order    []*meta // dependencies first
	metas    map[string]*meta
	source   map[string]*types.Package // the user's, by import path
	exported map[string]*types.Package // the others, as gcexportdata shares them
}

func (l *loader) user(m *meta) bool {
	return len(m.GoFiles)+len(m.CgoFiles) > 0 && l.w.Owns(m.Dir) && !strings.HasSuffix(m.ImportPath, ".test")
}

// check parses and type-checks a package of the user's.
func (l *loader) check(m *meta) {
	pkg := &packages.Package{ID: m.ImportPath, Name: m.Name, PkgPath: plainPath(m.ImportPath), Dir: m.Dir, Fset: l.code.Fset,
		GoFiles: m.files(), EmbedFiles: m.absolute(m.EmbedFiles)}
	for _, file := range pkg.GoFiles {
		syntax, err := l.parse(file)
		if err != nil {
			pkg.Errors = append(pkg.Errors, syntaxErrors(err)...)
		}
		if syntax != nil {
			pkg.Syntax = append(pkg.Syntax, syntax)
		}
	}
	pkg.TypesInfo = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{}}
	pkg.TypesSizes = types.SizesFor("gc", runtime.GOARCH)
	config := &types.Config{Importer: importerOf{l, m}, Sizes: pkg.TypesSizes, FakeImportC: true, Error: func(err error) {
		pkg.Errors = append(pkg.Errors, packages.Error{Msg: err.Error(), Kind: packages.TypeError})
	}}
	if m.Module != nil {
		pkg.Module = &packages.Module{Path: m.Module.Path, Version: m.Module.Version, Dir: m.Module.Dir, GoVersion: m.Module.GoVersion}
		if m.Module.GoVersion != "" {
			config.GoVersion = "go" + m.Module.GoVersion
		}
	}
	pkg.Types, _ = config.Check(pkg.PkgPath, l.code.Fset, pkg.Syntax, pkg.TypesInfo) // its errors are in pkg.Errors
	l.source[m.ImportPath] = pkg.Types
	l.code.Packages = append(l.code.Packages, pkg)
}

func (l *loader) parse(file string) (*ast.File, error) {
	const mode = parser.ParseComments | parser.SkipObjectResolution
	if text, ok := l.spec.Overlay[file]; ok {
		return parser.ParseFile(l.code.Fset, file, text, mode)
	}
	return regular.Parse(l.code.Fset, file, mode)
}

func syntaxErrors(err error) []packages.Error {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []packages.Error{{Msg: err.Error(), Kind: packages.ParseError}}
	}
	var out []packages.Error
	for _, e := range list {
		out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
	}
	return out
}

// importerOf resolves the imports of one package.
type importerOf struct {
	*loader
	from *meta
}

// Import implements types.Importer.
func (i importerOf) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if mapped, ok := i.from.ImportMap[path]; ok {
		path = mapped
	}
	if pkg := i.source[path]; pkg != nil {
		return pkg, nil
	}
	m := i.metas[path]
	if m == nil || m.Export == "" {
		return nil, fmt.Errorf("no export data of %q", path)
	}
	return i.readExport(m)
}

func (l *loader) readExport(m *meta) (*types.Package, error) {
	path := plainPath(m.ImportPath)
	if pkg := l.exported[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	file, err := os.Open(m.Export)
	if err != nil {
		return nil, fmt.Errorf("export data of %q: %w", path, err)
	}
	defer file.Close()
	//nolint:staticcheck // Go 1.26's export files are archives; Read alone takes those of 1.29
	r, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("export data of %q: %w", path, err)
	}
	return gcexportdata.Read(r, l.code.Fset, l.exported, path)
}

// plainPath drops the mark of a test variant: "a/b [a/b.test]".
func plainPath(path string) string {
	plain, _, _ := strings.Cut(path, " ")
	return plain
}

func (m *meta) files() []string { return m.absolute(m.GoFiles, m.CgoFiles) }

func (m *meta) absolute(lists ...[]string) []string {
	var files []string
	for _, list := range lists {
		for _, f := range list {
			if !filepath.IsAbs(f) {
				f = filepath.Join(m.Dir, f)
			}
			files = append(files, f)
		}
	}
	return files
}
