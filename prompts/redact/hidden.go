package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/glob"
)

const (
	kindHidden  = "hidden by the configuration"
	hiddenStart = "[hidden by redact."
)

// Hides reports whether the configuration hides the value of a variable or field
// of this name and type, and what is shown in its place. Either may be empty.
func (r *Redactor) Hides(name, typ string) (instead string, ok bool) {
	if r.off {
		return "", false
	}
	lower := strings.ToLower(name)
	for _, p := range r.settings.Names {
		if name != "" && glob.Match(strings.ToLower(p), lower) {
			return hiddenStart + "names]", true
		}
	}
	base := baseType(typ)
	for _, p := range r.settings.Types {
		if base != "" && (glob.Match(p, base) || glob.Match(p, base[strings.LastIndexByte(base, '.')+1:])) {
			return hiddenStart + "types]", true
		}
	}
	return "", false
}

// HidesNothing reports whether nothing is hidden at all, as by Off.
func (r *Redactor) HidesNothing() bool { return r.off }

// HidesTypes reports whether any type is hidden: only then is it worth asking.
func (r *Redactor) HidesTypes() bool { return !r.off && len(r.settings.Types) > 0 }

// baseType is a type without pointers, slices and its package's path:
// "store.User" of "[]*example.com/a/store.User".
func baseType(t string) string {
	for {
		switch {
		case strings.HasPrefix(t, "*"):
			t = t[1:]
		case strings.HasPrefix(t, "[") && strings.Contains(t, "]"):
			t = t[strings.IndexByte(t, ']')+1:]
		case strings.HasPrefix(t, "map["):
			t = t[3:]
		default:
			if i := strings.IndexByte(t, '['); i >= 0 { // type arguments
				t = t[:i]
			}
			return t[strings.LastIndexByte(t, '/')+1:]
		}
	}
}

// hiddenMarks finds the places of values that were hidden already, so that
// they are reported with the rest.
func hiddenMarks(text string) []span {
	var found []span
	for at := 0; ; {
		i := strings.Index(text[at:], hiddenStart)
		if i < 0 {
			return found
		}
		from := at + i
		end := strings.IndexByte(text[from:min(from+40, len(text))], ']')
		at = from + len(hiddenStart)
		if end >= 0 && slices.Contains([]string{"names", "types"}, text[from+len(hiddenStart):from+end]) {
			found = append(found, span{from, from + end + 1, kindHidden})
		}
	}
}
