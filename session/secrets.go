package session

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// hashes are the fields of a journal that hold hashes. What hides secrets would
// take them for some: they look random.
var hashes = lazyregexp.New(`"(?:fingerprint|inputs|mac|name|kept|hash|before|after)":"[0-9a-f]{8,64}"`)

// HideIn hides secrets in the text of a journal: first those that values has replaced in
// a body, which it reports, then those in texts, all of which learn is given before. It
// leaves hashes: they tie a session to its source texts and to others of the same fault.
func HideIn(journal string, values func(Body) bool, learn func(text string), hide func(text string) string) string {
	var whole strings.Builder
	for line := range strings.Lines(journal) {
		if e, err := decode([]byte(line)); err == nil && values(e.Body) {
			if text, err := encode(e); err == nil {
				line = string(text) + "\n"
			}
		}
		whole.WriteString(line)
	}
	texts := withoutHashes(whole.String())
	for i := 0; i < len(texts); i += 2 {
		learn(texts[i])
	}
	var out strings.Builder
	for i, text := range texts {
		if i%2 == 0 {
			text = hide(text)
		}
		out.WriteString(text)
	}
	return out.String()
}

// withoutHashes cuts a journal into texts, and the hashes between them.
func withoutHashes(journal string) []string {
	var texts []string
	at := 0
	for _, hash := range hashes.FindAllStringIndex(journal, -1) {
		texts = append(texts, journal[at:hash[0]], journal[hash[0]:hash[1]])
		at = hash[1]
	}
	return append(texts, journal[at:])
}
