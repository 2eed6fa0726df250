package pair

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/internal/printable"
)

const maxName = 24 // runes

// cleanName makes a name of what somebody calls themselves: letters, digits and
// a few signs. No name looks like that of a part of pausetui in the log.
func cleanName(s string) string {
	var b strings.Builder
	n := 0
	for _, c := range printable.Line(cut(s, 400)) {
		if n == maxName {
			break
		}
		if c < unicode.MaxLatin1 && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c)) {
			b.WriteRune(c)
			n++
		}
	}
	return strings.Trim(b.String(), "-_.")
}

func reserved(name string) bool {
	return name == "" || slices.Contains([]string{"engine", "person", "model", "host", "all", "off"}, strings.ToLower(name))
}

// freeName returns the name, or one like it that nobody has in this session;
// r.mu is held.
func (r *Room) freeName(name string) string {
	if reserved(name) {
		name = "guest"
	}
	taken := func(name string) bool {
		same := func(other string) bool { return strings.EqualFold(name, other) }
		for _, k := range r.known {
			if same(k.name) {
				return true
			}
		}
		return same(r.host.Name) || slices.ContainsFunc(r.seats, func(s *Seat) bool { return same(s.Name) })
	}
	for n := 2; ; n++ {
		if !taken(name) {
			return name
		}
		name = fmt.Sprintf("%s-%d", strings.TrimRight(strings.TrimRight(name, "0123456789"), "-"), n)
	}
}

// cleanWords makes one bounded line of what somebody wrote.
func cleanWords(s string, most int) string { return cut(printable.Line(cut(s, 4*most)), most) }

// cut bounds a text in bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
