// Package quits finds the places of a file that can end the program, or change what it is
// given or what counts in it, where no mark of ours sees it. It works on source text alone.
package quits

import (
	"go/ast"
	"path"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// quitting are the functions that end the program or one of its goroutines, by
// the packages that export them, those that can be made to, those that change
// what the program is given, and those that reach the memory in which the marks
// count.
var quitting = map[string][]string{
	"os":      {"Exit", "FindProcess", "NewFile", "Setenv", "Unsetenv", "Clearenv", "Chdir"},
	"log":     {"Fatal", "Fatalf", "Fatalln"},
	"flag":    {"CommandLine", "ExitOnError", "NewFlagSet", "FlagSet", "ErrorHandling", "Set", "Lookup", "Visit", "VisitAll"}, // which exit with 0 for -h, or choose the tests
	"testing": {"Main", "MainStart", "Init"},
	"plugin":  {"Open"},
	"runtime": {"Goexit"},
	"unsafe":  {"Pointer", "Add", "Slice", "SliceData", "String", "StringData"},
}

// system are the packages of system calls. All of their functions count as quitting, but
// for harmless ones: there are too many that end a program, pass on its files, or write to
// them (ForkExec, Sendfile).
var system = map[string]bool{"syscall": true, "golang.org/x/sys/unix": true}

var harmlessCalls = map[string]bool{"Errno": true, "Signal": true, "WaitStatus": true, "SysProcAttr": true, "Credential": true, "Rusage": true, "Rlimit": true, "Timeval": true, "Timespec": true,
	"Utsname": true, "Termios": true, "Winsize": true, "Conn": true, "RawConn": true, "Getpid": true, "Getppid": true, "Getuid": true, "Geteuid": true, "Getgid": true, "Getegid": true,
	"Getpagesize": true, "Getenv": true, "Environ": true, "Getrusage": true, "Getrlimit": true, "Gettimeofday": true, "ClockGettime": true, "Uname": true, "Sysinfo": true,
	"Stat": true, "Lstat": true, "Fstat": true, "Statfs": true, "Access": true, "Umask": true, "Flock": true, "Fsync": true, "SetsockoptInt": true,
	"IoctlGetTermios": true, "IoctlGetWinsize": true, "NsecToTimespec": true, "NsecToTimeval": true, "TimespecToNsec": true, "TimevalToNsec": true}

// isHarmless reports whether a name of a package of system calls is a constant, a type of
// data, or a function that only asks.
func isHarmless(name string) bool {
	return harmlessCalls[name] || strings.HasSuffix(name, "_t") || name == strings.ToUpper(name)
}

// Marking is what the names of our marks begin with: a candidate's own ones would take
// their place.
const Marking = "pausetui"

// Place is where a file names one of them.
type Place struct {
	Name   string // "os.Exit", however the file writes it
	Line   int
	Status string // of a call, which another status makes another one
}

// Find lists the places that name such a function, or one of the candidate's
// own that does nothing but end the program, or one that was there and may. In
// the candidate's own it has to stand. It also lists those that may set what the
// program is given, by one of its aliases, too.
func Find(s *syntax.File, own map[string]bool, there []Exiting, aliases Aliases) []Place {
	known := quittingNames(s)
	for _, p := range there {
		p.in(s, known)
	}
	for name := range own {
		known[name] = name
	}
	var found []Place
	for in, d := range aliases.scopes(s) {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && own[fn.Name.Name] {
			continue
		}
		found = append(append(found, named(s, d, known)...), in.changes(d)...)
	}
	return found
}

// named lists the places of a declaration that name one of the known, "os.Exit",
// "quit", or ".done" for a method.
func named(s *syntax.File, d ast.Node, known map[string]string) (found []Place) {
	members := map[*ast.Ident]bool{} // of something else, however they are named
	if fn, ok := d.(*ast.FuncDecl); ok {
		members[fn.Name] = true
	}
	statuses := map[ast.Node]string{} // by what is called
	note := func(n ast.Node, name string) {
		if name != "" {
			found = append(found, Place{name, s.Line(n.Pos()), statuses[n]})
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if syntax.Called(n) == "Exit" {
				statuses[n.Fun] = s.ExitStatus(n)
			}
		case *ast.SelectorExpr:
			members[n.Sel] = true
			name := known["."+n.Sel.Name]
			if from, ok := n.X.(*ast.Ident); ok {
				full := from.Name + "." + n.Sel.Name
				switch {
				case known[full] != "":
					name = known[full]
				case system[s.Imports()[from.Name]] && !isHarmless(n.Sel.Name):
					name = path.Base(s.Imports()[from.Name]) + "." + n.Sel.Name
				case strings.Contains(n.Sel.Name, "Exit") && foreign(s.Imports()[from.Name]):
					name = full // of a library, going by its name
				}
			}
			note(n, name)
		case *ast.Ident:
			switch {
			case members[n]:
			case strings.HasPrefix(n.Name, Marking):
				note(n, n.Name)
			default:
				note(n, known[n.Name])
			}
		case *ast.ImportSpec:
			for from := range system {
				if s.Imports()["."+from] != "" && strings.Contains(n.Path.Value, from) {
					note(n, from) // its names are not known
				}
			}
		}
		return true
	})
	return found
}

// foreign reports whether an import path is none of the standard library's.
func foreign(from string) bool {
	host, _, _ := strings.Cut(from, "/")
	return strings.Contains(host, ".")
}

// quittingNames are the names that the file has for them, "os.Exit" or "Exit",
// to what they are.
func quittingNames(s *syntax.File) map[string]string {
	known := map[string]string{".Setenv": "Setenv", ".Chdir": "Chdir"} // of a testing.T, which any code can make, or a file
	for name, from := range s.Imports() {
		prefix := name + "."
		if strings.HasPrefix(name, ".") {
			prefix = "" // imported with a dot
		}
		for _, f := range quitting[from] {
			known[prefix+f] = path.Base(from) + "." + f
		}
	}
	return known
}
