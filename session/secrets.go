package session

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// hashes are the fields of a journal that hold hashes. What hides secrets would
// take them for some: they look random.
var hashes = lazyregexp.New(`"(?:fingerprint|inputs|mac|name|kept|hash|before|after)":"[0-9a-f]{8,64}"`)

// HideIn hides secrets in the text of a journal: first those that values has replaced in
// a body, which it reports, then those in texts. It leaves hashes: they tie a session to
// its source texts and to others of the same fault.
func HideIn(journal string, values func(Body) bool, hide func(text string) string) string {
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
	var out strings.Builder
	for {
		at := hashes.FindStringIndex(journal)
		if at == nil {
			out.WriteString(hide(journal))
			return out.String()
		}
		out.WriteString(hide(journal[:at[0]]))
		out.WriteString(journal[at[0]:at[1]])
		journal = journal[at[1]:]
	}
}
