package exits

import (
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Said is one sentence of a comment.
type Said struct {
	Text string
}

// SentencesOf splits a comment; a semicolon ends a sentence as well.
func SentencesOf(groups ...*ast.CommentGroup) []Said {
	var list []Said
	for _, g := range groups {
		if g == nil {
			continue
		}
		text := strings.Join(strings.Fields(g.Text()), " ")
		for _, part := range strings.Split(strings.NewReplacer(". ", ".\x00", "; ", ";\x00").Replace(text), "\x00") {
			if part = strings.TrimRight(strings.TrimSpace(part), ".;"); part != "" {
				list = append(list, Said{part})
			}
		}
	}
	return list
}

// saidOfFunction is what the comment on the declaration around a place says.
func saidOfFunction(p syntax.Place) []Said {
	d := p.Declaration()
	if d == nil {
		return nil
	}
	return SentencesOf(d.Doc)
}

// eachSpec visits the declared types, constants and variables of the user's packages.
func (f *Finder) eachSpec(visit func(*ast.GenDecl, ast.Spec, syntax.Place)) {
	f.Each(func(p syntax.Place) {
		for _, d := range p.File.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					visit(g, spec, p)
				}
			}
		}
	})
}

// stems are what people call the conditions under which a program stops.
var stems = map[string][]string{
	"empty":    {"empty", "no ", "none", "nothing", "nobody", "without", "there are none", "is left"},
	"missing":  {"not found", "unknown", "no such", "missing", "not exist", "absent", "nobody", "none", "nothing", "no ", "not in", "not there", "not known", "cannot be found", "nil", "undefined", "not present", "not sold", "is left"},
	"short":    {"short", "trunc", "incomplete", "few", "partial", "malformed", "bad ", "invalid", "unexpected", "not enough", "corrupt", "less than", "fewer", "cannot be read", "missing", "wrong number", "syntax"},
	"outside":  {"out of range", "outside", "beyond", "bounds", "range", "no such", "past", "too large", "too high", "too far", "not in", "invalid", "unknown", "off the", "negative"},
	"type":     {"type", "kind", "invalid", "unexpected", "malformed", "bad ", "wrong", "not a", "is no", "other"},
	"zero":     {"zero", " 0", "empty", "no ", "none", "nothing", "division", "divide", "without", "nobody"},
	"negative": {"negative", "invalid", "too small", "short", "too large", "not enough", "less than", "fewer", "size"},
}

var emptyIndex = lazyregexp.New(`with length 0$`)

// situation names the kinds of condition that the stop is one of, the likeliest first.
func (f *Finder) situation() []string {
	switch f.Panic.Class {
	case debugger.NilDereference:
		return []string{"missing", "empty"}
	case debugger.IndexOutOfRange:
		switch {
		case emptyIndex.MatchString(f.Panic.Message):
			return []string{"empty", "short", "outside"}
		case strings.Contains(f.Panic.Message, "[-"):
			return []string{"outside", "missing", "empty"}
		}
		return []string{"short", "outside"}
	case debugger.SliceBounds:
		return []string{"short", "outside", "empty", "missing"}
	case debugger.DivideByZero:
		return []string{"zero"}
	case debugger.TypeAssertion:
		if strings.Contains(f.Panic.Message, " is nil,") {
			return []string{"missing", "type"}
		}
		return []string{"type", "short"}
	case debugger.NegativeSize:
		return []string{"negative", "short"}
	}
	return nil
}

// speaksOf reports whether a text names the stop's kind of condition.
func (f *Finder) speaksOf(text string) bool {
	text = strings.ReplaceAll(" "+strings.ToLower(text)+" ", "no error", "")
	for _, kind := range f.situation() {
		for _, stem := range stems[kind] {
			if strings.Contains(text, stem) {
				return true
			}
		}
	}
	return false
}

// spoken splits a Go name into words: "errNotFound" gives "not found".
func spoken(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	words := strings.ToLower(strings.ReplaceAll(b.String(), "_", " "))
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(words, "error"), "err"))
}
