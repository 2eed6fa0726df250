package redact

import (
	"encoding/base64"
	"encoding/hex"
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
		for _, s := range append(encoded(t.text), seen, reading(decoded.Text), reading(printable.Seen(decoded.Text))) {
			if len(s) >= minHidden && s != t.text {
				list = append(list, known{s, t.kind})
			}
		}
	}
	return list
}

// encoded are the bytes of a text as Go prints them with %x and %X, and as JSON has them.
func encoded(text string) []string {
	digits := hex.EncodeToString([]byte(text))
	return []string{digits, strings.ToUpper(digits), base64.RawStdEncoding.EncodeToString([]byte(text)), base64.RawURLEncoding.EncodeToString([]byte(text))}
}

// reading is a decoded text as it is looked for: the last signs would not be those that they are
// before others.
func reading(decoded string) string {
	return strings.TrimRight(plusAsBlank(decoded), "\\%&")
}
