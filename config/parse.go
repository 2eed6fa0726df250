package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// key is one key of a file.
type key struct {
	path  []string
	line  int
	kind  unstable.Kind // of the value; Table for the head of one
	value string        // of one that is no list and no table
	texts bool          // a list of nothing but texts
}

func (k key) name() string { return strings.Join(k.path, ".") }

// place says where the key stands, in a file.
func (k key) place(path string) string { return fmt.Sprintf("%s:%d", path, k.line) }

// parse reads one file. What it does not say keeps the value that base has;
// tables with names of their own and lists begin empty. A byte order mark, which
// some editors write, is passed over.
func parse(path string, data []byte, base Config) (Config, []key, error) {
	c := Config{Theme: Theme{Name: base.Theme.Name, Background: base.Theme.Background}, Notify: base.Notify, Models: Models{Auto: base.Models.Auto}, Redact: Redact{Local: base.Redact.Local, Entropy: base.Redact.Entropy}, Limits: base.Limits, Console: base.Console, Editors: base.Editors, Hooks: Hooks{Timeout: base.Hooks.Timeout}}
	c.Console.Aliases, c.Console.SubstitutePath = nil, nil
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if m, deep := tooDeep(data); deep {
		m.File = path
		return c, nil, Mistakes{m}
	}
	keys, err := walk(path, data)
	if err != nil {
		return c, nil, err
	}
	if err := checkKeys(path, keys); err != nil {
		return c, nil, err
	}
	err = toml.Unmarshal(data, &c)
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return c, nil, Mistakes{{File: path, Line: line, Key: strings.Join(wrong.Key(), "."), Text: strings.TrimPrefix(wrong.Error(), "toml: ")}}
	case err != nil:
		return c, nil, Mistakes{{File: path, Line: 1, Text: strings.TrimPrefix(err.Error(), "toml: ")}}
	}
	return c, keys, nil
}

// Bounds of a file that came with another person's repository: the deepest key of
// Config has five parts, and of a hundred mistakes a few are enough to name.
const (
	maxDepth    = 16
	maxMistakes = 20
)

// code is TOML without its texts and comments, which are in the alternatives
// that are not brackets; it reads them as the parser does up to the first mistake.
var code = lazyregexp.New(`(?s)"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]`)

// tooDeep finds brackets within brackets: the parser would call itself for each.
func tooDeep(data []byte) (Mistake, bool) {
	depth := 0
	for _, at := range code.FindAllIndex(data, -1) {
		switch data[at[0]] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxDepth {
			return Mistake{Line: 1 + bytes.Count(data[:at[0]], []byte{'\n'}), Text: fmt.Sprintf("more than %d brackets within each other", maxDepth)}, true
		}
	}
	return Mistake{}, false
}

// lines counts lines on the way through a file; the parser would start again for
// each key.
type lines struct {
	data       []byte
	done, line int
}

// at is the line of a place that is after those before.
func (l *lines) at(place unstable.Range) int {
	to := max(int(place.Offset), l.done)
	l.line += bytes.Count(l.data[l.done:to], []byte{'\n'})
	l.done = to
	return l.line
}

// walk lists all keys of a file in order. A file that is no TOML is a mistake
// at the line where it ceases to be.
func walk(path string, data []byte) ([]key, error) {
	p := unstable.Parser{}
	p.Reset(data)
	lines := lines{data: data, line: 1}
	var keys []key
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = nil
			line := 0
			for it := e.Key(); it.Next(); {
				table = append(table, string(it.Node().Data))
				line = lines.at(it.Node().Raw)
				if len(table) > maxDepth {
					return nil, longKey(path, line)
				}
			}
			keys = append(keys, key{path: table, line: line, kind: unstable.Table})
		case unstable.KeyValue:
			if keys = pairs(&lines, keys, table, e); len(keys[len(keys)-1].path) > maxDepth {
				return nil, longKey(path, keys[len(keys)-1].line)
			}
		}
	}
	if p.Error() == nil {
		return keys, nil
	}
	var ignored any
	err := toml.Unmarshal(data, &ignored) // says where
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return nil, Mistakes{{File: path, Line: line, Text: strings.TrimPrefix(wrong.Error(), "toml: ")}}
	}
	return nil, Mistakes{{File: path, Line: 1, Text: p.Error().Error()}}
}

func longKey(path string, line int) error {
	return Mistakes{{File: path, Line: line, Text: fmt.Sprintf("a key of more than %d parts", maxDepth)}}
}

// pairs adds a key with its value; the keys of an inline table are keys too. It
// stops at a key of more than maxDepth parts, which is the last one then.
func pairs(lines *lines, keys []key, table []string, e *unstable.Node) []key {
	path := append([]string(nil), table...)
	line := 0
	for it := e.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
		line = lines.at(it.Node().Raw)
		if len(path) > maxDepth {
			return append(keys, key{path: path, line: line})
		}
	}
	value := e.Value() // gone with the next expression
	k := key{path: path, line: line, kind: value.Kind}
	switch value.Kind {
	case unstable.Array:
		k.texts = onlyTexts(value)
	case unstable.InlineTable:
	default:
		k.value = string(value.Data)
	}
	keys = append(keys, k)
	if value.Kind == unstable.InlineTable {
		for it := value.Children(); it.Next(); {
			if n := it.Node(); n.Kind == unstable.KeyValue {
				if keys = pairs(lines, keys, path, n); len(keys[len(keys)-1].path) > maxDepth {
					break
				}
			}
		}
	}
	return keys
}

func onlyTexts(list *unstable.Node) bool {
	for it := list.Children(); it.Next(); {
		if kind := it.Node().Kind; kind != unstable.String && kind != unstable.Comment {
			return false
		}
	}
	return true
}

// checkKeys compares keys and the kinds of their values with Config.
func checkKeys(path string, keys []key) error {
	var all Mistakes
	bad := map[string]bool{} // tables that are not known: their keys are no news
	for _, k := range keys {
		if len(all) == maxMistakes {
			break
		}
		if within(bad, k.path) {
			continue
		}
		at, i, known := find(k.path)
		m := Mistake{File: path, Line: k.line, Key: k.name()}
		switch want := wants(at); {
		case i < len(k.path):
			bad[strings.Join(k.path[:i+1], ".")] = true
			m.Key = strings.Join(k.path[:i+1], ".")
			m.Text = fmt.Sprintf("unknown key %q", m.Key)
			m.Near = Nearest(k.path[i], known)
		case !fits(at, k):
			m.Text = fmt.Sprintf("want %s, not %s", want, kindWords(k))
		default:
			continue
		}
		all = append(all, m)
	}
	return all.orNil()
}

func within(set map[string]bool, path []string) bool {
	for i := range path {
		if set[strings.Join(path[:i+1], ".")] {
			return true
		}
	}
	return false
}

// find follows a path through Config. i is how far it came; where that is not
// the whole, known are the keys there.
func find(path []string) (at reflect.Type, i int, known []string) {
	at = reflect.TypeFor[Config]()
	for i, name := range path {
		switch at.Kind() {
		case reflect.Map:
			at = at.Elem()
		case reflect.Struct:
			fields := fieldsOf(at)
			next, ok := fields[name]
			if !ok {
				return at, i, sortedKeys(fields)
			}
			at = next
		default:
			return at, i, nil
		}
	}
	return at, len(path), nil
}

// fieldsOf are the keys of a struct, those of embedded ones too.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		name := f.Tag.Get("toml")
		switch {
		case f.Anonymous:
			for k, v := range fieldsOf(f.Type) {
				fields[k] = v
			}
		case name != "" && name != "-":
			fields[name] = f.Type
		}
	}
	return fields
}

// wants says in words what a type wants.
func wants(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Duration]():
		return `a time such as "90s" or "5m"`
	case t.Kind() == reflect.Slice:
		return `a list of texts such as ["a", "b*"]`
	case t.Kind() == reflect.Int:
		return "a whole number"
	case t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "a text in quotes"
	}
	return "a table"
}

// fits reports whether the value of a key has the kind that its type wants.
func fits(t reflect.Type, k key) bool {
	kind := k.kind
	switch {
	case t == reflect.TypeFor[Duration](), t.Kind() == reflect.String:
		return kind == unstable.String
	case t.Kind() == reflect.Slice:
		return kind == unstable.Array && k.texts
	case t.Kind() == reflect.Int:
		return kind == unstable.Integer
	case t.Kind() == reflect.Float64:
		return kind == unstable.Integer || kind == unstable.Float
	case t.Kind() == reflect.Bool:
		return kind == unstable.Bool
	}
	return kind == unstable.Table || kind == unstable.InlineTable
}

func kindWords(k key) string {
	switch k.kind {
	case unstable.String:
		return fmt.Sprintf("the text %q", k.value)
	case unstable.Integer, unstable.Float, unstable.Bool:
		return k.value
	case unstable.Array:
		return "a list of other things"
	case unstable.Table, unstable.InlineTable:
		return "a table"
	}
	return "a date"
}
