package effect

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"strconv"
)

// quitting are the functions that end the program or one of its goroutines, by
// the packages that export them, and those that can be made to, or that reach
// the files in which the marks count.
var quitting = map[string][]string{
	"os":                    {"Exit", "FindProcess", "NewFile"},
	"log":                   {"Fatal", "Fatalf", "Fatalln"},
	"runtime":               {"Goexit"},
	"syscall":               system,
	"golang.org/x/sys/unix": system,
}

var system = []string{"Exit", "Exec", "Kill", "Tgkill", "PtraceAttach", "Syscall", "Syscall6", "Syscall9", "SyscallN", "RawSyscall", "RawSyscall6", "SyscallNoError", "RawSyscallNoError",
	"Write", "Pwrite", "Pwritev", "Mmap", "Dup", "Dup2", "Dup3", "Ftruncate"}

// quit is a place that names one of them.
type quit struct {
	name string
	line int
}

// quits looks for what ends the program where no point has a mark: before main
// begins, in a goroutine or under another name. A program that comes to its end
// that way proves nothing.
func (c *comparison) quits(files []*fileComparison) {
	own := map[string]bool{}
	for _, f := range files {
		maps.Copy(own, f.after.enders())
	}
	delete(own, "main")
	delete(own, "init")
	for _, f := range files {
		left := map[string]int{}
		for _, q := range f.before.quits(own) {
			left[q.name]++
		}
		for _, q := range f.after.quits(own) {
			if c.marked(f.File, q.line) {
				continue
			}
			if left[q.name]--; left[q.name] < 0 && c.report.Hides == "" {
				c.report.Hides = fmt.Sprintf("can end the program, or change what is counted, unseen: %s (%s:%d)", q.name, f.File, q.line)
			}
		}
	}
}

// marked tells whether there is a point on the line.
func (c *comparison) marked(file string, line int) bool {
	for _, p := range c.report.Points {
		if p.File == file && p.Line == line {
			return true
		}
	}
	return false
}

// quits lists the places that name such a function, or one of the candidate's
// own that does nothing but end the program. In those it has to stand.
func (s source) quits(own map[string]bool) []quit {
	known := s.quittingNames()
	for name := range own {
		known[name] = name
	}
	var found []quit
	for _, d := range s.ast.Decls {
		members := map[*ast.Ident]bool{} // of something else, however they are named
		if fn, ok := d.(*ast.FuncDecl); ok {
			if fn.Recv == nil && own[fn.Name.Name] {
				continue
			}
			members[fn.Name] = true
		}
		ast.Inspect(d, func(n ast.Node) bool {
			name := ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				members[n.Sel] = true
				if from, ok := n.X.(*ast.Ident); ok {
					name = known[from.Name+"."+n.Sel.Name]
				}
			case *ast.Ident:
				if !members[n] {
					name = known[n.Name]
				}
			}
			if name != "" {
				found = append(found, quit{name, s.line(n)})
			}
			return true
		})
	}
	return found
}

// quittingNames are the names that the file has for them, "os.Exit" or "Exit",
// to what they are.
func (s source) quittingNames() map[string]string {
	known := map[string]string{}
	for _, i := range s.ast.Imports {
		from, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		prefix := path.Base(from) + "."
		if i.Name != nil {
			prefix = i.Name.Name + "."
		}
		if prefix == ".." {
			prefix = "" // imported with a dot
		}
		for _, name := range quitting[from] {
			known[prefix+name] = path.Base(from) + "." + name
		}
	}
	return known
}
