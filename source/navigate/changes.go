package navigate

import "github.com/pausetui/pausetui/patch"

// Mark says how a line differs from what it was.
type Mark uint8

// The marks.
const (
	Added   Mark = iota + 1
	Changed      // it is where others were
	Removed      // lines before it are gone; on the last line also those after it
	Applied      // a fix that was applied has written it
)

// Changes returns the marks of the lines of after, by their number.
func Changes(before, after string) map[int]Mark {
	marks := map[int]Mark{}
	last := 0
	for _, h := range patch.Hunks(patch.Edit{Before: before, After: after}) {
		gone := 0 // removed lines that nothing has taken the place of yet
		for _, l := range h.Lines {
			switch l.Op {
			case patch.Del:
				gone++
			case patch.Add:
				marks[l.New] = Added
				if gone > 0 {
					marks[l.New] = Changed
					gone--
				}
				last = l.New
				continue
			case patch.Same:
				if gone > 0 && marks[l.New-1] == 0 {
					marks[l.New] = Removed
				}
				gone, last = 0, l.New
			}
		}
		if gone > 0 && last > 0 && marks[last] == 0 { // the end of the file
			marks[last] = Removed
		}
	}
	return marks
}

// origins returns for each line of after, from 1, the line of before that it
// was; 0 for lines that are new. The entry 0 means nothing.
func origins(before, after string) []int {
	count := lineCount(after)
	out := make([]int, count+1)
	line, offset := 1, 0
	for _, h := range patch.Hunks(patch.Edit{Before: before, After: after}) {
		for ; line < h.NewStart && line <= count; line++ {
			out[line] = line + offset
		}
		for _, l := range h.Lines {
			switch l.Op {
			case patch.Same:
				out[l.New] = l.Old
				line = l.New + 1
			case patch.Add:
				line = l.New + 1
				offset--
			case patch.Del:
				offset++
			}
		}
	}
	for ; line <= count; line++ {
		out[line] = line + offset
	}
	return out
}

func lineCount(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '\n' {
			n++
		}
	}
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// Written returns which lines of a text an edit has added or changed, where
// they are now: the text may have been edited since.
func Written(e patch.Edit, now string) []int {
	wrote := map[int]bool{}
	for line, from := range origins(e.Before, e.After) {
		if line > 0 && from == 0 {
			wrote[line] = true
		}
	}
	var out []int
	for line, from := range origins(e.After, now) {
		if line > 0 && wrote[from] {
			out = append(out, line)
		}
	}
	return out
}
