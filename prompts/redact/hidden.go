package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/internal/printable"
)

// What is shown in place of hidden values.
const (
	hiddenStart = "[hidden by "
	byName      = hiddenStart + "redact.names]"
	byType      = hiddenStart + "redact.types]"
	byKeyType   = hiddenStart + "its type: a key]"
	byKeyName   = hiddenStart + "its name: a key]"

	kindHidden = "hidden by name or type"
)

// Hides reports whether the value of a variable or field of this name and type is
// hidden, because the configuration says so or because the type is that of a key, and
// what is shown in its place. Either may be empty.
func (r *Redactor) Hides(name, typ string) (instead string, ok bool) {
	if r.off {
		return "", false
	}
	name, typ = printable.Seen(name), printable.Seen(typ)
	lower := strings.ToLower(name)
	for _, p := range r.settings.Names {
		if name != "" && glob.Match(strings.ToLower(p), lower) {
			return byName, true
		}
	}
	base := baseType(typ)
	for _, p := range r.settings.Types {
		if base != "" && (glob.Match(p, base) || glob.Match(p, base[strings.LastIndexByte(base, '.')+1:])) {
			return byType, true
		}
	}
	if isKeyType(typ) {
		return byKeyType, true
	}
	return "", false
}

// HidesBytes is Hides for bytes that are no text: those that go by the name of a secret
// are the secret, but no pattern would find them.
func (r *Redactor) HidesBytes(name string) (instead string, ok bool) {
	name = printable.Seen(name[strings.LastIndexByte(name, '.')+1:])
	if r.off || ending(name, secretWords) == "" && !slices.ContainsFunc(rawNames, func(raw string) bool {
		return strings.HasPrefix(lower(name), raw) && neutral(name[len(raw):])
	}) {
		return "", false
	}
	return byKeyName, true
}

// rawNames are names of bytes that are keys, though they are none of texts.
var rawNames = []string{"priv", "privkey", "sk", "seed", "sharedkey", "masterkey", "sessionkey", "ticketkey", "sessionticketkey", "hmackey", "aeskey"}

// IsKey reports whether what Hides shows in place of a value stands for a key.
func IsKey(instead string) bool { return instead == byKeyType || instead == byKeyName }

// IsHidden reports whether what is shown in place of a value is what Hides gave.
func IsHidden(instead string) bool {
	return instead == byName || instead == byType || IsKey(instead)
}

// HidesNothing reports whether nothing is hidden at all, as by Off.
func (r *Redactor) HidesNothing() bool { return r.off }

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
		at = from + len(hiddenStart)
		for _, shown := range []string{byName, byType, byKeyType, byKeyName} {
			if strings.HasPrefix(text[from:], shown) {
				found = append(found, span{from, from + len(shown), kindHidden})
			}
		}
	}
}
