package redact

import (
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
		for _, s := range []string{seen, reading(decoded.Text), reading(printable.Seen(decoded.Text))} {
			if len(s) >= minHidden && s != t.text {
				list = append(list, known{s, t.kind})
			}
		}
	}
	return list
}

// reading is a decoded text as it is looked for: the last signs would not be those that they are
// before others.
func reading(decoded string) string {
	return strings.TrimRight(plusAsBlank(decoded), "\\%&")
}
