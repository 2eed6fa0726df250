package redact

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// spelled adds to texts how they are read: as a terminal shows them, and without what is written
// out in them. A text that is written in another way than one of them, as Go quotes it, as JSON,
// in a URL or a page, has the same reading.
func spelled(texts []known) []known {
	list := make([]known, 0, len(texts))
	for _, t := range texts {
		list = append(list, t)
		seen := printable.Seen(t.text)
		decoded, _ := printable.Decoded(t.text, true)
		for _, s := range append(asBytes(t.text), seen, reading(decoded.Text), reading(printable.Seen(decoded.Text))) {
			if len(s) >= minHidden && s != t.text {
				list = append(list, known{s, t.kind})
			}
		}
	}
	return list
}

// asBytes are a text as Go prints a list of its bytes: with %v, %d, %x, % x and %#v.
func asBytes(text string) []string {
	list := []byte(text)
	join := func(verb, between string) string {
		parts := make([]string, len(list))
		for i, b := range list {
			parts[i] = fmt.Sprintf(verb, b)
		}
		return strings.Join(parts, between)
	}
	return []string{join("%d", " "), join("%d", ", "), join("%02x", ""), join("%02X", ""), join("%02x", " "), join("%02X", " "), join("0x%x", ", ")}
}

// reading is a decoded text as it is looked for: the last signs would not be those that they are
// before others.
func reading(decoded string) string {
	return strings.TrimRight(plusAsBlank(decoded), "\\%&")
}
