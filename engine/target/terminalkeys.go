package target

import "strings"

// The frontends send the keys of a person as xterm does. A program looks for those of the
// terminal that TERM names, which is the person's own where the program inherits it.

// ownKeys are, by the beginning of TERM, what that terminal sends in the place of xterm's
// sequences, as in its entry of terminfo.
var ownKeys = []struct {
	term string
	keys map[string]string
}{
	{"tmux", vtEnds(nil)},
	{"screen", vtEnds(nil)},
	{"st-", vtEnds(nil)},
	{"linux", vtEnds(map[string]string{"\x1bOP": "\x1b[[A", "\x1bOQ": "\x1b[[B", "\x1bOR": "\x1b[[C", "\x1bOS": "\x1b[[D", "\x1b[15~": "\x1b[[E"})},
	{"rxvt", rxvtKeys()},
}

// vtEnds adds Home and End as they were on a VT220's Find and Select.
func vtEnds(keys map[string]string) map[string]string {
	if keys == nil {
		keys = map[string]string{}
	}
	for _, mode := range []string{"\x1b[", "\x1bO"} {
		keys[mode+"H"], keys[mode+"F"] = "\x1b[1~", "\x1b[4~"
	}
	return keys
}

// rxvtKeys tell shift and ctrl by the last character.
func rxvtKeys() map[string]string {
	keys := map[string]string{"\x1b[H": "\x1b[7~", "\x1bOH": "\x1b[7~", "\x1b[F": "\x1b[8~", "\x1bOF": "\x1b[8~",
		"\x1bOP": "\x1b[11~", "\x1bOQ": "\x1b[12~", "\x1bOR": "\x1b[13~", "\x1bOS": "\x1b[14~"}
	for modifier, end := range map[string]string{"2": "$", "5": "^", "6": "@"} {
		for _, number := range []string{"2", "3", "5", "6"} {
			keys["\x1b["+number+";"+modifier+"~"] = "\x1b[" + number + end
		}
		keys["\x1b[1;"+modifier+"H"], keys["\x1b[1;"+modifier+"F"] = "\x1b[7"+end, "\x1b[8"+end
	}
	for _, arrow := range []string{"A", "B", "C", "D"} {
		keys["\x1b[1;2"+arrow] = "\x1b[" + strings.ToLower(arrow)
		keys["\x1b[1;5"+arrow] = "\x1bO" + strings.ToLower(arrow)
	}
	return keys
}

// keyFor is what a program in an environment expects for a key of xterm's; other text stays.
func keyFor(environment []string, text string) string {
	term := ""
	for _, v := range environment {
		if value, ok := strings.CutPrefix(v, "TERM="); ok {
			term = value // the last one counts
		}
	}
	for _, own := range ownKeys {
		if !strings.HasPrefix(term, own.term) {
			continue
		}
		if key, ok := own.keys[text]; ok {
			return key
		}
	}
	return text
}
