package printable

import "github.com/pausetui/pausetui/internal/lazyregexp"

var (
	emoji       = lazyregexp.New(`:([a-z0-9_+-]+):`)
	issueNumber = lazyregexp.New(`\bGH-(\d)`)
)

// NoShortcuts escapes in markdown the names of emoji, and what GitHub takes for the number of an
// issue.
func NoShortcuts(markdown string) string {
	return issueNumber.ReplaceAllString(emoji.ReplaceAllString(markdown, `\:$1:`), "GH\u200b-$1")
}
