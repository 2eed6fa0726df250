package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// TestPackage is a package and what its tests are built from.
type TestPackage struct {
	ImportPath string
	Dir        string // absolute
	Name       string // of the package clause: "main"
	HasTests   bool
	// Deps are the import paths of everything its test binary is built from,
	// the package itself among them; empty without tests.
	Deps []string
}

// TestPackages lists the packages that match the patterns, whether they have
// tests or not. Packages with errors are among them.
func TestPackages(ctx context.Context, s Spec, patterns []string) ([]TestPackage, error) {
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	var fixed []string
	if len(s.Overlay) > 0 {
		env, err := settings(ctx, s)
		if err != nil {
			return nil, err
		}
		fixed = fixedModules(s, env["GOFLAGS"])
	}
	args := slices.Concat([]string{"list", "-e", "-test", "-json=ImportPath,Dir,Name,ForTest,Deps,TestGoFiles,XTestGoFiles"},
		commonFlags(s), fixed, o.flags(), patterns)
	var out bytes.Buffer
	stderr, ok, err := run(ctx, s, &out, args...)
	if err != nil {
		return nil, err
	}
	pkgs, err := decodeList(&out)
	if err != nil {
		return nil, fmt.Errorf("list the tests of %q: %w", patterns, err)
	}
	if !ok && len(pkgs) == 0 {
		return nil, refused(s, stderr)
	}
	return testPackages(pkgs), nil
}

// testPackages joins each package with the main program that the go command
// makes up for its tests: that one depends on all that the tests are made of.
func testPackages(pkgs []listed) []TestPackage {
	deps := map[string][]string{}
	for _, p := range pkgs {
		if p.testMain() {
			deps[strings.TrimSuffix(p.ImportPath, ".test")] = plainPaths(p.Deps)
		}
	}
	var found []TestPackage
	for _, p := range roots(pkgs) {
		t := TestPackage{ImportPath: p.ImportPath, Dir: p.Dir, Name: p.Name, HasTests: len(p.TestGoFiles)+len(p.XTestGoFiles) > 0}
		if t.HasTests {
			t.Deps = deps[p.ImportPath]
		}
		found = append(found, t)
	}
	return found
}

// plainPaths cuts off for which tests a package was compiled: "a [b.test]".
func plainPaths(deps []string) []string {
	paths := make([]string, len(deps))
	for i, d := range deps {
		paths[i], _, _ = strings.Cut(d, " ")
	}
	return paths
}

// TestBinary is the test binary of one package.
type TestBinary struct {
	Package string // import path
	Path    string
	Err     error // *Error when the compiler refused; then there is no binary
}

// TestBinaries builds the test binaries of packages into dir, in one run of the
// go command as far as their names allow: optimized and without debugging
// information where DebugPatterns is empty, as `go test` builds them. The error
// tells that nothing could be built at all.
func TestBinaries(ctx context.Context, s Spec, packages []string, dir string) ([]TestBinary, error) {
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	var built []TestBinary
	for i, batch := range apart(packages) {
		into := filepath.Join(dir, fmt.Sprint(i))
		if err := os.MkdirAll(into, 0o700); err != nil {
			return nil, fmt.Errorf("make the directory of the test binaries: %w", err)
		}
		text, limit, err := buildTests(ctx, s, o, batch, into)
		if err != nil {
			return nil, err
		}
		for _, p := range batch {
			b := newTestBinary(s, p, filepath.Join(into, testName(p)), text)
			if limit != "" && b.Err != nil {
				b.Err = &Error{Package: p, Diagnostics: []Diagnostic{{Message: limit}}, Limit: limit}
			}
			built = append(built, b)
		}
	}
	return built, nil
}

// version is the last element of the path of a later major version.
var version = lazyregexp.New(`^v[0-9]+$`)

// testName is the file that `go test -c` makes of a package.
func testName(pkg string) string {
	dir, name := path.Split(pkg)
	if dir != "" && version.MatchString(name) {
		name = path.Base(dir)
	}
	return name + ".test"
}

// apart splits packages into batches whose binaries have different names.
func apart(packages []string) [][]string {
	var batches [][]string
	count := map[string]int{}
	for _, p := range packages {
		n := count[testName(p)]
		count[testName(p)]++
		if n == len(batches) {
			batches = append(batches, nil)
		}
		batches[n] = append(batches[n], p)
	}
	return batches
}

// buildTests runs the go command and returns its messages, and the limit that ended
// it, if any.
func buildTests(ctx context.Context, s Spec, o *overlay, packages []string, dir string) (text, limit string, err error) {
	args := slices.Concat([]string{"test", "-c", "-vet=off"}, compileFlags(s), bareLinkFlags(s), commonFlags(s),
		o.flags(), []string{"-o", dir + string(filepath.Separator)}, packages)
	var printed head
	ended, err := compileTo(ctx, s, o, &printed, dir, args...)
	return o.named(printed.String()), ended.Limit, err
}

// newTestBinary reports whether the package's binary was built, and why not.
func newTestBinary(s Spec, pkg, file, messages string) TestBinary {
	b := TestBinary{Package: pkg, Path: file}
	if _, err := os.Stat(file); err == nil {
		return b
	}
	own := messagesOf(pkg, messages)
	b.Err = &Error{Package: pkg, Diagnostics: ParseOutput(own, s.Dir), Output: strings.TrimSpace(own)}
	return b
}

// messagesOf picks the go command's messages about one package; all of them
// where none names it, because then a dependency is to blame.
func messagesOf(pkg, messages string) string {
	var own strings.Builder
	mine := false
	for line := range strings.Lines(messages) {
		if head, ok := strings.CutPrefix(line, "# "); ok {
			name := strings.Fields(head)
			mine = len(name) > 0 && (strings.TrimSuffix(name[0], "_test") == pkg || name[0] == pkg+".test")
			continue
		}
		if strings.HasPrefix(line, "FAIL") {
			continue
		}
		if mine {
			own.WriteString(line)
		}
	}
	if own.Len() == 0 {
		return messages
	}
	return own.String()
}
