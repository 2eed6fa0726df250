package lines

import (
	"regexp"
	"strings"
)

// keyed is what a hint says of a key of the screen: the part of it up to the next one.
var keyed = regexp.MustCompile(`^(change that one: )?([A-Za-z]) ([a-z]+.*)$`)

// wordOf is the command that does what a key of the screen does, by the key; empty where there
// is none, and a hint does not name that key.
var wordOf = map[string]string{"B": "breakpoints", "c": "continue", "f": "fix", "r": "restart", "u": "undo", "F": "", "P": ""}

// spoken is a hint with the commands that are typed here in place of the screen's keys.
func spoken(hint string) string {
	for _, sign := range []string{"; ", ", "} {
		if head, tail, ok := strings.Cut(hint, sign); ok {
			head, tail = spoken(head), spoken(tail)
			switch {
			case head == "" && strings.HasPrefix(tail, "and "): // what the same key does
				return ""
			case head == "" || tail == "":
				sign = ""
			}
			return head + sign + tail
		}
	}
	if rest, ok := strings.CutPrefix(hint, ":"); ok { // a command of the screen's command line
		return rest
	}
	part := keyed.FindStringSubmatch(hint)
	if part == nil {
		return hint
	}
	word, known := wordOf[part[2]]
	switch {
	case !known:
		return hint
	case part[2] == "B" && strings.HasPrefix(part[3], "change"):
		return "condition and on change it"
	case part[2] == "B" && strings.HasPrefix(part[3], "open"):
		return "condition and on change one"
	case word == "":
		return ""
	}
	return part[1] + word + " " + part[3]
}
