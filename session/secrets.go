package session

import (
	"encoding/json"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// hashes are the fields of a journal that hold hashes. What hides secrets would
// take them for some: they look random.
var hashes = lazyregexp.New(`"(?:fingerprint|inputs|mac|name|kept|hash|before|after)":"[0-9a-f]{8,64}"`)

// HideIn hides secrets in the text of a journal: first those that values has replaced in
// a body, which it reports, then those in texts, all of which learn is given before: those of
// its strings that have quotes or lines, as source does, and the whole. It leaves hashes: they
// tie a session to its source texts and to others of the same fault.
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
	journal = whole.String()
	inStrings(journal, func(text string) string { learn(text); return text })
	texts := withoutHashes(journal)
	for i := 0; i < len(texts); i += 2 {
		learn(texts[i])
	}
	texts = withoutHashes(inStrings(journal, hide))
	var out strings.Builder
	for i, text := range texts {
		if i%2 == 0 {
			text = hide(text)
		}
		out.WriteString(text)
	}
	return out.String()
}

// inStrings replaces the strings of a journal that have something written out by what of makes of
// what they say.
func inStrings(journal string, of func(text string) string) string {
	var out strings.Builder
	at := 0
	for i := 0; i < len(journal); i++ {
		if journal[i] != '"' {
			continue
		}
		from, escaped := i, false
		for i++; i < len(journal) && journal[i] != '"' && journal[i] != '\n'; i++ {
			if journal[i] == '\\' {
				escaped = true
				i++
			}
		}
		var text string
		if !escaped || i >= len(journal) || json.Unmarshal([]byte(journal[from:i+1]), &text) != nil {
			continue
		}
		shown := of(text)
		if shown == text {
			continue
		}
		if literal, err := json.Marshal(shown); err == nil {
			out.WriteString(journal[at:from] + string(literal))
			at = i + 1
		}
	}
	out.WriteString(journal[at:])
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
