package report

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/patch"
)

// maxPadding bounds the lines before a hunk: a diff is not to be believed.
const maxPadding = 200_000

// Edits are the changes of a stored diff, for who draws them: what lies between
// hunks is not stored, and stands as empty lines that no hunk shows. False for a
// text that is no diff that can be drawn.
func Edits(diff string) ([]patch.Edit, bool) {
	var list []patch.Edit
	var before, after *half
	left := struct{ old, new int }{}
	end := func() {
		if len(list) > 0 && before != nil {
			e := &list[len(list)-1]
			e.Before, e.After = before.text.String(), after.text.String()
		}
	}
	for line := range strings.Lines(diff) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case left.old > 0 || left.new > 0:
			kind, rest := byte(' '), ""
			if text != "" {
				kind, rest = text[0], text[1:]
			}
			if kind == '\\' {
				continue
			}
			if kind != '+' {
				before.add(rest)
				left.old--
			}
			if kind != '-' {
				after.add(rest)
				left.new--
			}
			if !strings.ContainsRune(" +-", rune(kind)) || left.old < 0 || left.new < 0 {
				return nil, false
			}
		case strings.HasPrefix(text, "--- "):
			end()
			before, after = &half{}, &half{}
			list = append(list, patch.Edit{File: path(text), Create: path(text) == "/dev/null"})
		case strings.HasPrefix(text, "+++ ") && before != nil:
			if to := path(text); to != "/dev/null" {
				list[len(list)-1].File = to
			}
		case strings.HasPrefix(text, "@@ ") && before != nil:
			o, n, ok := extents(text)
			if !ok || !before.pad(o.start, o.lines) || !after.pad(n.start, n.lines) {
				return nil, false
			}
			left.old, left.new = o.lines, n.lines
		}
	}
	end()
	return list, len(list) > 0 && left.old == 0 && left.new == 0
}

// half is one side of a diff.
type half struct {
	text  strings.Builder
	lines int
}

func (h *half) add(line string) {
	h.text.WriteString(line + "\n")
	h.lines++
}

// pad fills up to a hunk. One without lines begins after its line.
func (h *half) pad(start, lines int) bool {
	if lines > 0 {
		start--
	}
	if start < h.lines || start > maxPadding {
		return false
	}
	h.text.WriteString(strings.Repeat("\n", start-h.lines))
	h.lines = start
	return true
}

// path is the file of a line that begins with --- or +++.
func path(line string) string {
	name, _, _ := strings.Cut(line[4:], "\t")
	if name == "/dev/null" {
		return name
	}
	if _, rest, ok := strings.Cut(name, "/"); ok {
		return rest
	}
	return name
}

type extent struct{ start, lines int }

// extents reads "@@ -3,4 +3,5 @@".
func extents(line string) (before, after extent, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return before, after, false
	}
	read := func(word, sign string) (extent, bool) {
		word, ok := strings.CutPrefix(word, sign)
		e := extent{lines: 1}
		start, lines, several := strings.Cut(word, ",")
		_, err := fmt.Sscan(start, &e.start)
		if err == nil && several {
			_, err = fmt.Sscan(lines, &e.lines)
		}
		return e, ok && err == nil && e.start >= 0 && e.lines >= 0 && e.lines <= maxPadding
	}
	before, ok1 := read(words[1], "-")
	after, ok2 := read(words[2], "+")
	return before, after, ok1 && ok2
}
