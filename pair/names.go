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

// words begin lines of --plain, and stand for the reader of a screen: a guest of that name
// would speak as pausetui, or seem to be the one who reads.
var words = []string{"engine", "person", "model", "host", "all", "off", "you", "out", "error", "warning", "hint", "fix", "why", "value", "values",
	"returned", "line", "goroutine", "breakpoint", "panic", "judged", "applied", "undone", "committed", "muted", "building", "built", "running", "asked", "session", "pausetui"}

func reserved(name string) bool { return name == "" || slices.Contains(words, strings.ToLower(name)) }

// maxNames bounds the names that are remembered.
const maxNames = 4096

// takeName gives a newcomer the name, or one like it. A name stands for the same key,
// address and way of coming in as long as the session lasts: who answers a question
// about somebody, or gives them the wheel, has read these with the name, and means nobody
// who took it after them. r.mu is held.
func (r *Room) takeName(name string, p Person) string {
	p.Name, p.Color = "", 0
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
		was, used := r.names[strings.ToLower(name)]
		return used && was != p || same(r.host.Name) || slices.ContainsFunc(r.seats, func(s *Seat) bool { return same(s.Name) })
	}
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s-%d", strings.TrimRight(strings.TrimRight(name, "0123456789"), "-"), n)
	}
	for other := range r.names {
		if len(r.names) < maxNames {
			break
		}
		delete(r.names, other)
	}
	r.names[strings.ToLower(name)] = p
	return name
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
