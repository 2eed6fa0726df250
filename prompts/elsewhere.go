package prompts

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// elsewhere follows the place of a function whose source another section shows.
const elsewhere = " (its source is given elsewhere in this message)"

var named = lazyregexp.New(`(\S+, lines \d+–\d+)` + regexp.QuoteMeta(elsewhere))

// resolve shows functions that are said to be shown elsewhere where they are
// named, if only sections that are left out show them.
func resolve(chosen, whole []draft) {
	moved := map[string]bool{} // by place
	for i := range chosen {
		chosen[i].Text = named.ReplaceAllStringFunc(chosen[i].Text, func(s string) string {
			place := strings.TrimSuffix(s, elsewhere)
			if moved[place] || shown(place, chosen) {
				return s
			}
			moved[place] = true
			for _, d := range whole {
				if source, ok := sourceOf(place, d.Text); ok {
					return place + ":\n" + source
				}
			}
			return place
		})
	}
}

func shown(place string, in []draft) bool {
	return slices.ContainsFunc(in, func(d draft) bool { _, ok := sourceOf(place, d.Text); return ok })
}

// settle takes the words back where trimming has left the source out.
func settle(sections []Section) {
	for i := range sections {
		sections[i].Text = named.ReplaceAllStringFunc(sections[i].Text, func(s string) string {
			place := strings.TrimSuffix(s, elsewhere)
			for _, other := range sections {
				if _, ok := sourceOf(place, other.Text); ok {
					return s
				}
			}
			return place
		})
	}
}

// sourceOf returns the fenced source that a text shows of a place.
func sourceOf(place, text string) (string, bool) {
	head := place + ":\n"
	for from := 0; ; {
		i := strings.Index(text[from:], head)
		if i < 0 {
			return "", false
		}
		i += from
		from = i + len(head)
		if i > 0 && text[i-1] != ' ' && text[i-1] != '\n' {
			continue // the end of another name
		}
		rest := text[from:]
		fence := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		end := strings.Index(rest, "\n"+fence+"\n")
		if end < 0 && strings.HasSuffix(rest, "\n"+fence) {
			end = len(rest) - len(fence) - 1
		}
		if fence != "" && end >= 0 {
			return rest[:end+1+len(fence)], true
		}
	}
}
