package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// What stands where a value belongs and is none: the place of one, in the forms of shells, templates
// and formats, and code.

const (
	// placeName is the name in a placeholder: words, which may end with a digit.
	placeName = `_{0,2}(?:(?i:env):)?` + placeWord + `(?:(?:[_.-]|->| )` + placeWord + `|_\d){0,8}`
	placeWord = `(?:[A-Z]+|[A-Z]?[a-z]+(?:[A-Z]+[a-z]*){0,8})\d?`
	// place is one placeholder: $NAME, $(NAME), ${NAME}, {{ .Name }}, {0}, <name>, %NAME%, %(name)s, @NAME@, %-20s.
	place = `(?:\$+` + placeName + `|\$+\(` + placeName + `\)|[$#%]{0,2}\{{1,2}-?\s?[.$]?(?:` + placeName + `|\d)?\s?-?\}{1,2}|<` + placeName + `>|%` + placeName + `%|%\(` + placeName + `\)[sd]|@` + placeName + `@|` +
		`%[-+# 0]{0,3}(?:\[\d\])?(?:\d{1,3})?(?:\.\d{1,3})?[bcdeEfFgGoOpqstTUvwxX])`
	placeSigns = `[\s:;,./@_=()\[\]'"|!?…-]{0,4}`
)

var (
	places = lazyregexp.New(`^(?:(?i:apikey|basic|bearer|digest|key|token)\s)?(?:` + placeSigns + place + `){1,8}` + placeSigns + `$`)
	// betweenTexts is the code between two literals, where the end of one was taken for the
	// beginning of a value: "password=" + pw + "…".
	betweenTexts = lazyregexp.New(`(?s)^[+,)](?:.*[+,(:\[{&|<>?;)]\s*|.*\s=+\s*|\s*)$`)
)

// constants are words of formats that stand for no text.
var constants = []string{"true", "false", "null", "none", "undefined"}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// placeholder reports whether a value only marks the place of a real one, or is the
// name of a field. A part of it is not enough: a password may begin with any sign.
func placeholder(v string) bool {
	if strings.Trim(v, "*x.X-…") == "" || isName(v) || slices.Contains(constants, lower(v)) {
		return true
	}
	if strings.ContainsAny(v, "$%{<@") && places.MatchString(v) {
		return !looksRandom(strings.Trim(v, "$(){}<>%@"), true)
	}
	if len(v) > 24 {
		return false
	}
	name := separators.Replace(lower(v))
	for _, w := range secretWords {
		if name == "the"+w || name == "your"+w {
			return true
		}
	}
	return false
}

// noValue reports whether what stands in the place of a value, in a text whose literals are not
// known by its syntax, is none.
func noValue(v string) bool {
	first := strings.TrimLeft(v, " \t")
	return placeholder(v) || first != "" && strings.IndexByte("+,)", first[0]) >= 0 && betweenTexts.MatchString(first)
}
