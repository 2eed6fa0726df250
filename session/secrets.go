package session

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// hashes are the fields of a journal that hold hashes. What hides secrets would
// take them for some: they look random.
var hashes = lazyregexp.New(`"(?:fingerprint|inputs|mac|name|kept|hash|before|after)":"[0-9a-f]{8,64}"`)

// HideIn hides secrets in the text of a journal, and leaves its hashes: they tie a
// session to its source texts and to others of the same fault.
func HideIn(journal string, hide func(text string) string) string {
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
