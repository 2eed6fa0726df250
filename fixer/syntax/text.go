package syntax

import (
	"go/ast"
	"strconv"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

const (
	// MaxCode bounds an expression in a title or a sentence, in characters.
	MaxCode = 60
	// maxInside bounds what stays between the brackets of code that is shortened.
	maxInside = 24
)

// Brief writes an expression in short: what its literals and, where that is not
// enough, its calls hold is left out before anything is cut off.
func Brief(code string) string {
	code = Folded(strings.Join(strings.Fields(code), " "))
	if len([]rune(code)) > MaxCode {
		code = fold(code, '(', ')')
	}
	return Short(code)
}

// Folded leaves out what long literals and function bodies in a text hold:
// T{a: 1, …} becomes T{…}.
func Folded(text string) string { return fold(text, '{', '}') }

// fold puts … in place of what is between brackets, where that is long. Quoted
// text stays as it is, and so does a text whose brackets do not match.
func fold(text string, open, end rune) string {
	var out strings.Builder
	var quote, before rune
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote && (before != '\\' || quote == '`') {
				quote = 0
			}
			if before == '\\' {
				r = 0 // of an escaped backslash: it escapes nothing
			}
		case r == '"' || r == '`':
			quote = r
		case r == open:
			if depth++; depth == 1 {
				out.WriteString(text[from : i+1])
				from = i + 1
			}
		case r == end && depth > 0:
			if depth--; depth == 0 {
				if i-from > maxInside {
					out.WriteString("…")
					from = i
				}
				out.WriteString(text[from:i])
				from = i
			}
		}
		before = r
	}
	if depth > 0 || quote != 0 {
		return text
	}
	return out.String() + text[from:]
}

// UpperFirst makes the first letter of a text upper case.
func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// FirstLine returns the first line of a text.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Percent makes source text safe inside a format.
func Percent(s string) string { return strings.ReplaceAll(Short(s), "%", "%%") }

// Join joins two texts with a comma; the first may be empty.
func Join(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}

// Mentions reports whether a text holds a name as a word; none holds the empty name.
func Mentions(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// LowerFirst makes a name out of a type's name: "ServerConfig" becomes "serverConfig".
func LowerFirst(s string) string {
	runes := []rune(s)
	for i := range runes {
		if !unicode.IsUpper(runes[i]) || (i > 0 && i+1 < len(runes) && !unicode.IsUpper(runes[i+1])) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// Short cuts the text of an expression for a title.
func Short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > MaxCode {
		return string(runes[:MaxCode-3]) + "…"
	}
	return s
}

// Indented moves the lines of a block one level in.
func Indented(lines string) string { return strings.ReplaceAll(lines, "\n", "\n\t") }

// ParseInt reads an integer as debuggers print them: "5", "104", "97 'a'", "Name (3)".
func ParseInt(text string) (int64, bool) {
	text = debugger.Number(strings.TrimSpace(text))
	if space := strings.IndexByte(text, ' '); space > 0 {
		text = text[:space]
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseUint(text, 0, 64)
	return int64(n), err == nil
}

var ClosureName = lazyregexp.New(`\.(func|deferwrap)\d+(\.\d+)*$`)

// LastNameOnly returns the name that an identifier or a selector ends with; empty for
// other expressions.
func LastNameOnly(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// Spaced writes camel case as words.
func Spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
