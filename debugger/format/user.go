package format

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
)

// Formats are the user's own formats for values of some types, before
// Describe's. The zero value has none.
type Formats struct{ rules []rule }

// rule is one format: a template, or a word.
type rule struct {
	pattern string
	word    string
	parts   []part
	of      []string // the modules whose types alone it is for; nil: all types
	not     []string // modules below these that are others'
}

// Bounds, in bytes, of a template and of what it writes. A width has three digits at most.
const (
	maxTemplate = 1000
	maxWritten  = 4096
)

// part is a text, or a field with the verb that it is written with.
type part struct {
	text string
	path string // empty with a verb: the value itself
	verb string // as package fmt reads it, "%02d"; empty for a text
	len  bool   // its length
}

// Words may be given instead of a template.
var Words = []string{"hide", "hex", "bin", "oct", "dec", "char", "text", "dump", "fields"}

// Hidden is how a value is written that is not to be seen.
const Hidden = "(hidden)"

var placeholder = lazyregexp.New(`^(len\s+)?([\pL_][\pL\pN_.]*)?(?::([-+# 0]*\d{0,3}(?:\.\d{1,3})?[dxXobcqsvfegtT]?))?$`)

// Parse reads formats: patterns of types, with whole package paths and * and ?,
// and for each a template, "{Units}.{Cents:02d} {Currency}", or one of Words. A
// field may be followed by a colon and flags, width and verb of package fmt, {}
// is the value itself, {len F} a length, {{ and }} are braces. The error names
// the pattern in question, see Mistake.
func Parse(formats map[string]string) (Formats, error) {
	var f Formats
	for _, pattern := range slices.Sorted(maps.Keys(formats)) {
		r := rule{pattern: pattern}
		switch text := formats[pattern]; {
		case strings.Trim(pattern, "*? ") == "":
			return Formats{}, &Mistake{pattern, "it matches every type; name one", ""}
		case slices.Contains(Words, text):
			r.word = text
		case !strings.ContainsAny(text, "{}"):
			return Formats{}, &Mistake{pattern, fmt.Sprintf("%q is neither a template with a {Field} nor one of %s", text, strings.Join(Words, ", ")), text}
		default:
			parts, err := template(text)
			if err != nil {
				return Formats{}, &Mistake{pattern, err.Error(), ""}
			}
			r.parts = parts
		}
		f.rules = append(f.rules, r)
	}
	// The longest pattern says most.
	slices.SortStableFunc(f.rules, func(a, b rule) int { return len(b.pattern) - len(a.pattern) })
	return f, nil
}

// WithModule adds formats that came with the code of some modules: they are for types
// of these alone, not of the others that their code needs, and where the user's own say nothing.
func (f Formats) WithModule(modules, others []string, formats map[string]string) (Formats, error) {
	more, err := Parse(formats)
	if err != nil {
		return Formats{}, err
	}
	for i := range more.rules {
		more.rules[i].of, more.rules[i].not = append([]string{"main"}, modules...), others
	}
	return Formats{slices.Concat(f.rules, more.rules)}, nil
}

// Mistake says which format cannot be used, and why.
type Mistake struct {
	Pattern string
	Text    string
	Word    string // what was written where a word was expected
}

// Error implements error.
func (m *Mistake) Error() string { return m.Pattern + ": " + m.Text }

func template(s string) ([]part, error) {
	if len(s) > maxTemplate {
		return nil, fmt.Errorf("it is longer than %d bytes", maxTemplate)
	}
	var parts []part
	var text strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{"), strings.HasPrefix(s[i:], "}}"):
			text.WriteByte(s[i])
			i++
		case s[i] == '}':
			return nil, fmt.Errorf("a } at %q closes nothing", s[i:])
		case s[i] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return nil, fmt.Errorf("the { at %q is not closed", s[i:])
			}
			m := placeholder.FindStringSubmatch(s[i+1 : i+end])
			if m == nil {
				return nil, fmt.Errorf("%q is not a field with a verb, such as {Cents:02d}", s[i:i+end+1])
			}
			verb := m[3]
			if verb == "" || strings.ContainsAny(verb[len(verb)-1:], "0123456789+-# .") {
				verb += "v"
			}
			parts = append(parts, part{text: text.String()}, part{path: m[2], verb: "%" + verb, len: m[1] != ""})
			text.Reset()
			i += end
		default:
			text.WriteByte(s[i])
		}
	}
	return append(parts, part{text: text.String()}), nil
}

// Word is the word that a value's type was given; empty for a template and for
// types of which nothing is said.
func (f Formats) Word(v debugger.Variable) string {
	if r := f.find(v.QualifiedType()); r != nil {
		return r.word
	}
	return ""
}

func (f Formats) find(typ string) *rule {
	for i := range f.rules {
		if f.rules[i].isFor(typ) && glob.Match(f.rules[i].pattern, typ) {
			return &f.rules[i]
		}
	}
	return nil
}

// isFor reports whether a type is declared in one of the rule's modules.
func (r *rule) isFor(typ string) bool {
	declares := func(module string) bool {
		rest, ok := strings.CutPrefix(strings.ReplaceAll(typ, "%2e", "."), module)
		return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/"))
	}
	return r.of == nil || slices.ContainsFunc(r.of, declares) && !slices.ContainsFunc(r.not, declares)
}

// Describe writes a value as the person wants it, or else as the function
// Describe does.
func (f Formats) Describe(ctx context.Context, r Reader, v debugger.Variable) (Value, error) {
	if len(f.rules) == 0 || v.Unreadable != "" {
		return Describe(ctx, r, v)
	}
	d := &describer{ctx: ctx, r: r}
	at := v
	found := f.find(at.QualifiedType())
	for found == nil && !at.Nil && (at.Kind == reflect.Pointer || at.Kind == reflect.Interface) && len(at.Children) == 1 {
		at = at.Children[0]
		found = f.find(at.QualifiedType())
	}
	switch {
	case found == nil || at.Nil && found.word != "hide":
		return Describe(ctx, r, v)
	case found.word == "hide":
		return Value{Text: Hidden}, nil
	case found.word != "":
		return Value{}, ErrPlain
	}
	text, err := d.fill(found.parts, at)
	if errors.Is(err, ErrPlain) {
		return Value{}, fmt.Errorf("%w: %s", ErrPlain, found.pattern)
	}
	return Value{Text: text}, err
}

func (d *describer) fill(parts []part, v debugger.Variable) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		if b.Len() > maxWritten {
			return printable.Cut(b.String(), maxWritten) + "…", nil
		}
		if p.verb == "" {
			b.WriteString(p.text)
			continue
		}
		f := v
		if p.path != "" {
			var err error
			if f, err = d.field(v, p.path); err != nil {
				return "", err
			}
		}
		if inner, err := d.pointee(f); err == nil {
			f = inner
		}
		if p.len {
			fmt.Fprintf(&b, p.verb, f.Len)
			continue
		}
		b.WriteString(d.written(f, p.verb))
	}
	return b.String(), nil
}

// written writes a value with a verb of package fmt, as far as that means
// something for it.
func (d *describer) written(v debugger.Variable, verb string) string {
	if v.Nil {
		return "nil"
	}
	switch kind := v.Kind; {
	case kind == reflect.Bool:
		return fmt.Sprintf(verb, v.Value == "true")
	case kind == reflect.String:
		return fmt.Sprintf(verb, v.Value)
	case verb == "%v" && v.Value != "" && (kind < reflect.Float32 || kind > reflect.Float64):
		return d.plain(v)
	case kind >= reflect.Int && kind <= reflect.Int64:
		if n, err := strconv.ParseInt(debugger.Number(v.Value), 10, 64); err == nil {
			return fmt.Sprintf(verb, n)
		}
	case kind >= reflect.Uint && kind <= reflect.Uintptr:
		if n, err := strconv.ParseUint(debugger.Number(v.Value), 10, 64); err == nil {
			return fmt.Sprintf(verb, n)
		}
	case kind == reflect.Float32 || kind == reflect.Float64:
		if n, err := strconv.ParseFloat(v.Value, 64); err == nil {
			return fmt.Sprintf(verb, n)
		}
	}
	return d.plain(v)
}
