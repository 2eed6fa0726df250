package patch

import "strings"

// Leave returns the edit without the hunks named by their indexes in Hunks.
// An edit that keeps nothing has Before equal to After.
func (e Edit) Leave(left map[int]bool) Edit {
	if len(left) == 0 {
		return e
	}
	all := lines(e.Before, e.After)
	inHunk := make(map[lineKey]int, len(all))
	for i, h := range group(all, Context) {
		for _, l := range h.Lines {
			inHunk[keyOf(l)] = i
		}
	}
	var b strings.Builder
	for _, l := range all {
		i, ok := inHunk[keyOf(l)]
		writeChosen(&b, l, ok && left[i])
	}
	e.After = b.String()
	return e
}

// writeChosen writes the line as it is after the edit, or before it where
// its hunk is left out.
func writeChosen(b *strings.Builder, l Line, leave bool) {
	drop := Del
	if leave {
		drop = Add
	}
	if l.Op == drop {
		return
	}
	b.WriteString(l.Text)
	if !l.NoEOL {
		b.WriteByte('\n')
	}
}

// lineKey identifies a line within one diff.
type lineKey struct {
	op       Op
	old, new int
}

func keyOf(l Line) lineKey { return lineKey{l.Op, l.Old, l.New} }

// Without returns the candidate with the given hunks left out of each file;
// files of which nothing is kept disappear.
func (c Candidate) Without(left map[string][]int) Candidate {
	var edits []Edit
	for _, e := range c.Edits {
		skip := map[int]bool{}
		for _, i := range left[e.File] {
			skip[i] = true
		}
		e = e.Leave(skip)
		if len(skip) > 0 && e.Before == e.After {
			continue
		}
		edits = append(edits, e)
	}
	c.Edits = edits
	return c
}
