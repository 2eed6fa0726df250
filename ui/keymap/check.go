package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mistake is what is wrong with the keys that were given to an action.
type Mistake struct {
	Action Action
	Text   string
	Near   string // the key that was meant, as far as that can be guessed
}

// Check says what is wrong with overrides as New takes them: keys that no
// terminal sends under that name, and keys that two actions would share. Names
// of actions that are unknown are not its business.
func Check(overrides map[string]string) []Mistake {
	var found []Mistake
	taken := map[string]Action{}
	for _, b := range rows {
		if _, given := overrides[string(b.Action)]; given {
			continue
		}
		for _, k := range b.Keys {
			taken[k] = b.Action
		}
	}
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		keys := strings.Fields(overrides[name])
		for _, k := range keys {
			near, ok := keyName(k)
			other, shared := taken[k]
			switch {
			case !ok:
				found = append(found, Mistake{Action(name), fmt.Sprintf("%q is no key; want one such as \"x\", \"ctrl+x\", \"f5\" or \"pgup\"", k), near})
			case shared:
				found = append(found, Mistake{Action(name), fmt.Sprintf("the key %q does %q already", k, other), ""})
			default:
				taken[k] = Action(name)
			}
		}
	}
	return found
}

// special are the keys that have a name, as Bubble Tea names them.
var special = []string{"enter", "tab", "esc", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown"}

// written are names that people write for some of them.
var written = map[string]string{"return": "enter", "escape": "esc", "del": "delete", "pageup": "pgup", "pagedown": "pgdown", "page-up": "pgup",
	"page-down": "pgdown", "ins": "insert", "bs": "backspace", "control": "ctrl", "c": "ctrl", "option": "alt", "meta": "alt", "m": "alt", "s": "shift", "a": "alt"}

// keyName reports whether a key is written as Bubble Tea names it; near is how it
// would be written.
func keyName(key string) (near string, ok bool) {
	if utf8.RuneCountInString(key) == 1 {
		return key, unicode.IsPrint([]rune(key)[0])
	}
	parts := strings.FieldsFunc(key, func(r rune) bool { return r == '+' || r == '-' })
	if strings.HasSuffix(key, "+") || strings.HasSuffix(key, "-") {
		parts = append(parts, key[len(key)-1:])
	}
	if len(parts) == 0 {
		return "", false
	}
	mods, last := parts[:len(parts)-1], parts[len(parts)-1]
	var named []string
	for _, m := range mods {
		m = strings.ToLower(m)
		if other, known := written[m]; known {
			m = other
		}
		if !slices.Contains([]string{"ctrl", "alt", "shift"}, m) {
			return "", false
		}
		named = append(named, m)
	}
	if utf8.RuneCountInString(last) > 1 || len(mods) == 0 {
		last = strings.ToLower(last)
		if other, known := written[last]; known {
			last = other
		}
	} else if slices.Contains(named, "ctrl") {
		last = strings.ToLower(last)
	}
	if utf8.RuneCountInString(last) > 1 && !slices.Contains(special, last) && !functionKey(last) {
		return "", false
	}
	slices.SortFunc(named, func(a, b string) int { return order(a) - order(b) })
	near = strings.Join(append(named, last), "+")
	return near, near == key
}

func order(mod string) int { return slices.Index([]string{"ctrl", "alt", "shift"}, mod) }

func functionKey(name string) bool {
	var n int
	_, err := fmt.Sscanf(name, "f%d", &n)
	return err == nil && n >= 1 && n <= 20 && name == fmt.Sprintf("f%d", n)
}
