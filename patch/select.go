package patch

import "strings"

// Leave returns the edit without the hunks named by their indexes in Hunks.
// An edit that keeps nothing has Before equal to After.
func (e Edit) Leave(left map[int]bool) Edit {
	if len(left) == 0 {
		return e
	}
	var b strings.Builder
	all := lines(e.Before, e.After)
	hunks := Hunks(e)
	h, within := 0, 0
	for i := range all {
		inHunk := false
		for h < len(hunks) && within >= len(hunks[h].Lines) {
			h, within = h+1, 0
		}
		if h < len(hunks) && &hunks[h].Lines[within] != nil && sameLine(hunks[h].Lines[within], all[i]) {
			inHunk = true
			within++
		}
		writeChosen(&b, all[i], inHunk && left[h])
	}
	e.After = b.String()
	return e
}

// writeChosen writes the line as it stands after the edit, or before it where
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

func sameLine(a, b Line) bool { return a.Op == b.Op && a.Old == b.Old && a.New == b.New }

// Without returns the candidate with the given hunks left out of each file;
// files that keep nothing disappear.
func (c Candidate) Without(left map[string][]int) Candidate {
	var edits []Edit
	for _, e := range c.Edits {
		skip := map[int]bool{}
		for _, i := range left[e.File] {
			skip[i] = true
		}
		if e = e.Leave(skip); e.Before != e.After {
			edits = append(edits, e)
		}
	}
	c.Edits = edits
	return c
}
