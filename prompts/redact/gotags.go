package redact

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// tagPair is a key of a field's tag, and its value.
var tagPair = lazyregexp.New(`([^\s:"]+):"((?:[^"\\]|\\.)*)"`)

// tags hides what the tags of fields give to a secret, which the name of the field or another key
// of its tag tells: `env:"DB_PASSWORD" envDefault:"…"`.
func (u under) tags(n *ast.StructType) {
	for _, f := range n.Fields.List {
		u.fresh().walk(f.Type)
		if f.Tag == nil {
			continue
		}
		u.tag(f)
	}
}

func (u under) tag(f *ast.Field) {
	raw := f.Tag.Value
	text, err := strconv.Unquote(raw)
	if err != nil {
		return
	}
	in := u.fresh()
	for _, name := range f.Names {
		in = in.named(name.Name)
	}
	pairs := tagPair.FindAllStringSubmatchIndex(text, -1)
	for _, m := range pairs {
		if value, _, _ := strings.Cut(text[m[4]:m[5]], ","); goName.MatchString(value) {
			in = in.named(value)
		}
	}
	for _, m := range pairs {
		key, value := lower(text[m[2]:m[3]]), text[m[4]:m[5]]
		switch {
		case !strings.Contains(key, "default") && !strings.Contains(key, "value") || noValue(value) || !in.holds(value):
		case raw[0] == '`':
			from := u.src.place(u.src.at(f.Tag.Pos()) + 1 + m[4])
			u.scan.add(from, from+len(value), kindNamed)
		default:
			in.hide(f.Tag, 1)
		}
	}
}
