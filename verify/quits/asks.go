package quits

import (
	"fmt"
	"go/ast"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// harmless is what code may begin to use of the standard library: names of packages, or all
// of one. Nothing of it finds out what calls it, calls a method by its name, or listens. What
// changes files, and what sets the environment or the directory, is found by changing and
// setting; what ends the program, by Find.
var harmless = map[string][]string{
	"archive/tar": nil, "archive/zip": nil, "bufio": nil, "bytes": nil, "cmp": nil, "compress/bzip2": nil, "compress/flate": nil, "compress/gzip": nil, "compress/lzw": nil, "compress/zlib": nil,
	"container/heap": nil, "container/list": nil, "container/ring": nil, "context": nil, "embed": nil,
	"encoding": nil, "encoding/ascii85": nil, "encoding/asn1": nil, "encoding/base32": nil, "encoding/base64": nil, "encoding/binary": nil, "encoding/csv": nil, "encoding/gob": nil, "encoding/hex": nil,
	"encoding/json": nil, "encoding/json/jsontext": nil, "encoding/json/v2": nil, "encoding/pem": nil, "encoding/xml": nil, "errors": nil, "fmt": nil,
	"go/ast": nil, "go/constant": nil, "go/doc": nil, "go/format": nil, "go/parser": nil, "go/printer": nil, "go/scanner": nil, "go/token": nil, "go/types": nil, "go/version": nil,
	"flag": {"ContinueOnError", "ErrHelp", "ErrorHandling", "ExitOnError", "Flag", "FlagSet", "Getter", "PanicOnError", "Value"},
	"html": nil, "image": nil, "image/color": nil, "image/color/palette": nil, "image/draw": nil, "image/gif": nil, "image/jpeg": nil, "image/png": nil, "index/suffixarray": nil,
	"io": nil, "io/fs": nil, "io/ioutil": nil, "iter": nil, "log": nil, "log/slog": nil, "maps": nil, "math": nil, "math/big": nil, "math/bits": nil, "math/cmplx": nil, "math/rand": nil, "math/rand/v2": nil,
	"mime": nil, "mime/multipart": nil, "mime/quotedprintable": nil,
	"net": {"Addr", "AddrError", "CIDRMask", "Conn", "DNSError", "ErrClosed", "Error", "HardwareAddr", "IP", "IPAddr", "IPMask", "IPNet", "IPv4", "IPv4len", "IPv6len", "JoinHostPort", "Listener", "OpError", "ParseCIDR",
		"ParseError", "ParseIP", "ParseMAC", "SplitHostPort", "TCPAddr", "UDPAddr"},
	"net/http": nil, "net/http/httptrace": nil, "net/mail": nil, "net/netip": nil, "net/textproto": nil, "net/url": nil,
	"os": {"Args", "Chdir", "Chmod", "Chown", "Chtimes", "Clearenv", "CopyFS", "Create", "CreateTemp", "DevNull", "DirEntry", "DirFS", "Environ", "ErrClosed", "ErrDeadlineExceeded", "ErrExist", "ErrInvalid",
		"ErrNotExist", "ErrPermission", "ErrProcessDone", "Exit", "Expand", "ExpandEnv", "File", "FileInfo", "FileMode", "FindProcess", "Getenv", "Getegid", "Geteuid", "Getgid", "Getpagesize", "Getpid",
		"Getuid", "Getwd", "Hostname", "Interrupt", "IsExist", "IsNotExist", "IsPathSeparator", "IsPermission", "IsTimeout", "Kill", "Lchown", "Link", "LinkError", "LookupEnv", "Lstat", "Mkdir", "MkdirAll",
		"MkdirTemp", "ModeAppend", "ModeCharDevice", "ModeDevice", "ModeDir", "ModeNamedPipe", "ModePerm", "ModeSocket", "ModeSymlink", "ModeType", "NewFile", "NewSyscallError", "O_APPEND", "O_CREATE",
		"O_EXCL", "O_RDONLY", "O_RDWR", "O_SYNC", "O_TRUNC", "O_WRONLY", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "PathError", "PathListSeparator", "PathSeparator", "Pipe", "ReadDir", "ReadFile",
		"Readlink", "Remove", "RemoveAll", "Rename", "Root", "SameFile", "Setenv", "Signal", "Stat", "Stderr", "Stdin", "Stdout", "Symlink", "SyscallError", "TempDir", "Truncate", "Unsetenv",
		"UserCacheDir", "UserConfigDir", "UserHomeDir", "WriteFile"},
	"path": nil,
	"path/filepath": {"Abs", "Base", "Clean", "Dir", "ErrBadPattern", "Ext", "FromSlash", "IsAbs", "IsLocal", "Join", "ListSeparator", "Localize", "Match", "Rel", "Separator", "SkipAll", "SkipDir", "Split", "SplitList", "ToSlash",
		"VolumeName", "WalkDir"},
	"reflect": nil, "regexp": nil, "regexp/syntax": nil,
	"runtime": {"AddCleanup", "Cleanup", "Error", "GC", "GOARCH", "GOMAXPROCS", "GOOS", "Gosched", "KeepAlive", "LockOSThread", "NumCPU", "PanicNilError", "SetFinalizer", "TypeAssertionError",
		"UnlockOSThread", "Version"},
	"runtime/debug": {"FreeOSMemory", "SetGCPercent", "SetMemoryLimit"},
	"slices":        nil, "sort": nil, "strconv": nil, "strings": nil, "structs": nil, "sync": nil, "sync/atomic": nil,
	"testing":      {"B", "F", "M", "T", "TB"},
	"text/scanner": nil, "text/tabwriter": nil, "text/template/parse": nil, "time": nil, "unicode": nil, "unicode/utf16": nil, "unicode/utf8": nil,
	"unique": nil, "weak": nil,
}

// reaching are the names of packages which are harmless otherwise that listen, or reach other
// machines.
var reaching = map[string][]string{
	"net/http":   append([]string{"Get", "Head", "ListenAndServe", "ListenAndServeTLS", "Post", "PostForm", "Serve", "ServeTLS"}, holding...),
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer", "Listen", "NewListener"},
}

// holding are those of package net/http by whose methods that is done. A file that has some may
// make others: one that is nil is repaired so.
var holding = []string{"Client", "ClientConn", "DefaultClient", "DefaultTransport", "Server", "Transport"}

// sending are methods of these, with how many arguments they have.
var sending = map[string]int{"ListenAndServe": 0, "ListenAndServeTLS": 2, "Post": 3, "PostForm": 2}

// isKnown reports whether code may begin to use a name of a package: one of the person's
// own, of a library, or one that is harmless. Cryptography and hashes are.
func isKnown(from, name string, own func(path string) bool) bool {
	if slices.Contains(reaching[from], name) {
		return false
	}
	names, listed := harmless[from]
	of, _, _ := strings.Cut(from, "/")
	return listed && (names == nil || slices.Contains(names, name)) || of == "crypto" || of == "hash" || foreign(from) || own(from)
}

// ofTests are the names of the arguments of a test binary, which tell that it is one, and what
// reads files, of which a test may be one.
var ofTests = map[string][]string{
	"os":            {"Args", "DirFS", "Lstat", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadDir", "ReadFile", "Readlink", "Stat"},
	"io/ioutil":     {"ReadDir", "ReadFile"},
	"path/filepath": {"WalkDir"}, "archive/zip": {"OpenReader"}, "crypto/tls": {"LoadX509KeyPair"}, "go/parser": {"ParseDir", "ParseExprFrom", "ParseFile"},
	"net/http": {"Dir", "FS", "FileServer", "FileServerFS", "NewFileTransport", "NewFileTransportFS", "ServeFile", "ServeFileFS"},
}

// Asks says that an edit of code that is no test begins to use what may start programs, write
// files unseen or find out what runs it, such as a test, or to look for what tests compare
// with. A function that did so before may. own tells whether an import path is of the
// person's modules, and test whether a test tells that the edit is right.
func Asks(file, before, after string, own func(path string) bool, test bool) string {
	now := syntax.Parse(after)
	if now == nil {
		return ""
	}
	had, held := map[[2]string]bool{}, false
	if was := syntax.Parse(before); was != nil {
		for in, q := range questions(was, own, test) {
			had[[2]string{in, q.Name}] = true
			held = held || isHeld(q)
		}
	}
	for in, q := range questions(now, own, test) {
		if !had[[2]string{in, q.Name}] && !(held && isHeld(q)) {
			return fmt.Sprintf("begins to use what may start programs, write files, listen, send, find out what runs it or what a test expects: %s (%s:%d)", q.Name, file, q.Line)
		}
	}
	return ""
}

func isHeld(q Place) bool {
	name, of := strings.CutPrefix(q.Name, "net/http.")
	return of && slices.Contains(holding, name)
}

// questions are the places that use something which is not known to be harmless, or name
// test files, testdata or what the system says of processes, by their functions.
func questions(s *syntax.File, own func(path string) bool, test bool) iter.Seq2[string, Place] {
	imports, parts := s.Imports(), map[ast.Node]bool{}
	return func(yield func(string, Place) bool) {
		for _, d := range s.AST.Decls {
			in := ""
			if fn, ok := d.(*ast.FuncDecl); ok {
				in = syntax.Key(fn)
			}
			for n := range ast.Preorder(d) {
				name := question(n, imports, own, test)
				if e, ok := n.(ast.Expr); ok && name == "" {
					name = testName(constantText(e, parts))
				}
				if name != "" && !yield(in, Place{Name: name, Line: s.Line(n.Pos())}) {
					return
				}
			}
		}
	}
}

// question is what of the standard library a node uses that is not known to be harmless;
// empty where it uses nothing of that kind.
func question(n ast.Node, imports map[string]string, own func(path string) bool, test bool) string {
	switch n := n.(type) {
	case *ast.ImportSpec:
		from, err := strconv.Unquote(n.Path.Value)
		if err == nil && n.Name != nil && n.Name.Name == "." && !isKnown(from, "", own) {
			return from // its names are not known
		}
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] != "" {
			from := imports[id.Name]
			if !isKnown(from, n.Sel.Name, own) || test && slices.Contains(ofTests[from], n.Sel.Name) {
				return from + "." + n.Sel.Name
			}
		}
	case *ast.CallExpr:
		name := syntax.Called(n)
		switch arguments, sends := sending[name]; {
		case sends && arguments == len(n.Args) && imported(imports, "net/http"):
			return name
		case name == "Output" && len(n.Args) == 2, // of a logger it names a caller
			name == "MethodByName", name == "Method" && len(n.Args) == 1, name == "Methods" && len(n.Args) == 0, // by reflection it may be any
			(name == "Call" || name == "CallSlice") && len(n.Args) == 1 && imported(imports, "reflect"):
			return name
		}
	}
	return ""
}

func imported(imports map[string]string, path string) bool {
	return slices.Contains(slices.Collect(maps.Values(imports)), path)
}

// testName is what of the names of tests and of the system a text has; empty without one.
func testName(text string) string {
	for _, name := range []string{"_test.go", "testdata", "/proc/"} {
		if strings.Contains(text, name) {
			return strconv.Quote(name)
		}
	}
	if text == ".test" || strings.Trim(text, "/") == "proc" {
		return strconv.Quote(text)
	}
	return ""
}

// constantText is the text that an expression is, of several parts or one, and which is no
// part of another. Parts are noted.
func constantText(e ast.Expr, parts map[ast.Node]bool) string {
	if parts[e] {
		return ""
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind == token.STRING && err == nil {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			text := constantText(ast.Unparen(e.X), parts) + constantText(ast.Unparen(e.Y), parts)
			parts[ast.Unparen(e.X)], parts[ast.Unparen(e.Y)] = true, true
			return text
		}
	}
	return ""
}
