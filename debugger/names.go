package debugger

import (
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Unescaped returns the linker's name of a function or type with its packages
// as they are written: the linker escapes the dots in the last element of a
// path, "gopkg.in/yaml%2ev3.Unmarshal". Names are unescaped where they enter;
// only what Delve is asked for by name keeps the linker's.
func Unescaped(name string) string {
	if strings.IndexByte(name, '%') < 0 {
		return name
	}
	return escape.ReplaceAllStringFunc(name, func(code string) string {
		n, err := strconv.ParseUint(code[1:], 16, 8)
		if err != nil || n <= ' ' || n == 0x7f { // no control characters
			return code
		}
		return string([]byte{byte(n)})
	})
}

var escape = lazyregexp.New(`%[0-9a-fA-F]{2}`)

// CutFunction parts a function's name, unescaped, into its package's path and
// the rest: "gopkg.in/yaml.v3", "(*Decoder).Decode". Whether a dot belongs to
// the path cannot always be seen: it does before a pointer receiver, unless a
// closure of an inlined method is named ("main.run.(*Decoder).Decode.func1"),
// and where a version follows it.
func CutFunction(name string) (pkg, symbol string) {
	head, _, _ := strings.Cut(name, "[") // type arguments have paths of their own
	last := strings.LastIndexByte(head, '/') + 1
	if i := strings.Index(head[last:], ".("); i >= 0 && !inlined.MatchString(head[last+i:]) {
		return name[:last+i], name[last+i+1:]
	}
	dot := strings.IndexByte(head[last:], '.')
	if dot < 0 {
		return name, ""
	}
	if v := version.FindString(head[last+dot:]); v != "" && last > 0 {
		dot += len(v) - 1
	}
	return name[:last+dot], name[last+dot+1:]
}

// LiteralDepth is how many function literals the code of a function is in: two of
// "main.run.func1.2", none of "main.run".
func LiteralDepth(name string) int {
	_, symbol := CutFunction(loopBody.ReplaceAllString(WithoutTypeArguments(name), ""))
	return strings.Count(literals.FindString(symbol), ".")
}

// IsWrapper reports whether the compiler has made a function, around a deferred call or one
// in a go statement.
func IsWrapper(name string) bool { return callWrapper.MatchString(name) }

var callWrapper = lazyregexp.New(`\.(deferwrap|gowrap)\d+$`)

// literals is the end of the name of a function literal.
var literals = lazyregexp.New(`(?:\.func\d+(?:\.\d+)*)+$`)

// inlined is the end of the name of a closure in a method.
var inlined = lazyregexp.New(`^\.\(\*\w+\)\.\w+\.(func|gowrap|deferwrap)\d`)

// version is an element of a path like ".v3" with the dot after it.
var version = lazyregexp.New(`^\.v\d+\.`)

// WithoutTypeArguments leaves the type arguments out of a function's name:
// "main.(*Cache[string,[]int]).Get" is "main.(*Cache).Get". The linker, the
// debug information and the runtime's traces each write them their own way.
func WithoutTypeArguments(name string) string { return replaceArguments(name, "", nil) }

// longArguments is the length of the longest type arguments that are written out, in bytes.
const longArguments = 25

// ShortArguments writes the type arguments in a function's name for people: as "[...]", as
// the runtime's traces do, where they are long, or only their shapes, which are no types of
// the program: that of each pointer is "go.shape.*uint8", that of "type ID int" is "go.shape.int".
func ShortArguments(name string) string {
	if strings.IndexByte(name, '[') < 0 {
		return name
	}
	return replaceArguments(name, "[...]", func(arguments string) bool {
		return len(arguments) > longArguments || strings.Contains(arguments, "go.shape.")
	})
}

// ShortFunction shortens a function's name to the last part of its package's path
// and what follows: "example.com/a/store.(*Index[...]).Add" is "store.(*Index[...]).Add".
func ShortFunction(name string) string {
	name = WithoutVersions(ShortArguments(loopBody.ReplaceAllString(name, "")))
	head, _, _ := strings.Cut(name, "[") // type arguments have paths of their own
	return packageName(name[strings.LastIndexByte(head, '/')+1:])
}

// loopBody is in the names of the functions that the bodies of loops over functions
// are made into.
var loopBody = lazyregexp.New(`-range\d+`)

// replaceArguments puts with in the place of the type arguments, brackets and all, that are
// to be replaced, or of all. A bracket without its counterpart stays.
func replaceArguments(name, with string, replaced func(arguments string) bool) string {
	var b strings.Builder
	for {
		from := strings.IndexByte(name, '[')
		end := -1
		if from >= 0 {
			end = closing(name, from)
		}
		if end < 0 {
			b.WriteString(name)
			return b.String()
		}
		b.WriteString(name[:from])
		if replaced == nil || replaced(name[from:end+1]) {
			b.WriteString(with)
		} else {
			b.WriteString(name[from : end+1])
		}
		name = name[end+1:]
	}
}

// closing finds the bracket that closes the one at from; -1 when there is none.
// The tags of a struct's fields are strings, and may hold brackets.
func closing(name string, from int) int {
	depth, quoted := 0, false
	for i := from; i < len(name); i++ {
		switch c := name[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// majorVersion is the end of an import path that is no package's name.
var majorVersion = lazyregexp.New(`/v[0-9]+(_test)?\.`)

// WithoutVersions leaves major versions out of the import paths in a name, whose last
// element then is, as a rule, what the package is called: "example.com/tea/v2.Model"
// is "example.com/tea.Model".
func WithoutVersions(name string) string {
	if !strings.Contains(name, "/v") {
		return name
	}
	return majorVersion.ReplaceAllString(name, "${1}.")
}

// ShortType drops package paths from a type: "map[string]example.com/a/b.T" becomes
// "map[string]b.T", and main's own types lose "main.". What the debug information calls
// "interface {}" and "[]uint8" is any and []byte, as people write them.
func ShortType(t string) string {
	t = WithoutVersions(t)
	var b strings.Builder
	start := 0
	for i := 0; i <= len(t); i++ {
		if i < len(t) && !strings.ContainsRune("[]*(){} ,", rune(t[i])) {
			continue
		}
		word := t[start:i]
		word = packageName(word[strings.LastIndexByte(word, '/')+1:])
		if word == "uint8" && strings.HasSuffix(b.String(), "[]") {
			word = "byte"
		}
		b.WriteString(strings.TrimPrefix(word, "main."))
		if i < len(t) {
			b.WriteByte(t[i])
		}
		start = i + 1
	}
	return strings.ReplaceAll(b.String(), "interface {}", "any")
}

// packageName makes the last element of an import path before a name what its package
// is called as a rule, where the element is no identifier: "go-util.T" is "util.T".
func packageName(name string) string {
	element, rest, qualified := strings.Cut(name, ".")
	if !qualified || !strings.Contains(element, "-") {
		return name
	}
	return PackageName(element) + "." + rest
}

// PackageName is what the package with that last element of its import path is called as a rule.
func PackageName(element string) string {
	for _, added := range []string{"go-", "golang-", "gopher-"} {
		element = strings.TrimPrefix(element, added)
	}
	return strings.TrimSuffix(element, "-go")
}

// hyphenated is the last element of an import path, before a name, that is no identifier.
var hyphenated = lazyregexp.New(`\w+(-\w+)+\.`)

// PackageNames makes such elements in a type what their packages are called as a rule:
// "map[string]*go-util.T" is "map[string]*util.T".
func PackageNames(t string) string {
	if !strings.Contains(t, "-") {
		return t
	}
	return hyphenated.ReplaceAllStringFunc(t, packageName)
}

// WrittenFile reports whether a file that debug information names may be one that a
// person wrote: the go command's ("_cgo_gotypes.go") and the compiler's
// ("<autogenerated>") are not.
func WrittenFile(file string) bool { return file != "" && !strings.ContainsAny(file[:1], "_<") }
