package patch

import "strings"

// bom is the byte order mark that some editors put before UTF-8.
const bom = "\ufeff"

// Faithful returns the edit with the file's own ways kept: every unchanged line
// keeps its line end, new ones get that of the lines around them, the byte order
// mark and a missing final newline stay as they are, and code is indented as the
// file is, where that is not gofmt's way. What proposes an edit need not know of
// them.
func (e Edit) Faithful() Edit {
	if e.Create || e.Before == e.After || e.Before == "" || e.After == "" {
		return e
	}
	before, marked := strings.CutPrefix(e.Before, bom)
	after := strings.TrimPrefix(e.After, bom)
	if strings.HasSuffix(e.File, ".go") {
		after = keepIndent(before, after)
	}
	after = keepEndings(before, keepFinal(before, after), usualEnd(before))
	if marked {
		after = bom + after
	}
	e.After = after
	return e
}

// Faithful returns the candidate with each of its edits so.
func (c Candidate) Faithful() Candidate {
	edits := make([]Edit, len(c.Edits))
	for i, e := range c.Edits {
		edits[i] = e.Faithful()
	}
	c.Edits = edits
	return c
}

// usualEnd is how most lines of a text end.
func usualEnd(text string) string {
	if usesCRLF(text) {
		return "\r\n"
	}
	return "\n"
}

// keepEndings gives the lines of after the ends of the lines of before that
// they are, change or follow; without any, the usual end. Lines that are in both as
// they stand are not touched.
func keepEndings(before, after, usual string) string {
	if usual == "\n" && !strings.Contains(before, "\r\n") && !strings.Contains(after, "\r\n") {
		return after
	}
	k := endingsWriter{old: splitLines(before), now: splitLines(after), around: usual, usual: usual}
	k.oldText, k.oldEnds = cutEnds(k.old)
	k.text, k.ends = cutEnds(k.now)
	k.around = endOf(k.oldEnds, 0, usual)
	i0, j0 := 0, 0
	for i, j := range align(k.old, k.now) {
		if j < 0 {
			continue
		}
		k.gap(i0, i, j0, j)
		k.out.WriteString(k.now[j])
		k.around = endOf(k.oldEnds, i, usual)
		i0, j0 = i+1, j+1
	}
	k.gap(i0, len(k.old), j0, len(k.now))
	return k.out.String()
}

// endingsWriter writes a text with the line ends of another.
type endingsWriter struct {
	old, now         []string // whole lines
	oldText, oldEnds []string
	text, ends       []string
	around, usual    string // line ends: of the line before, and of most
	out              strings.Builder
}

// gap writes now[j0:j1], which stands for old[i0:i1].
func (k *endingsWriter) gap(i0, i1, j0, j1 int) {
	from := make([]int, j1-j0) // the line of old that a line is; -1 for a new one
	for j := range from {
		from[j] = -1
	}
	k.pair(from, region{i0, i1, j0, j1}, j0, func(line string) string { return line }, strings.TrimSpace)
	for j := j0; j < j1; j++ {
		if from[j-j0] >= 0 {
			k.around = endOf(k.oldEnds, from[j-j0], k.usual)
		}
		k.out.WriteString(k.text[j])
		if k.ends[j] != "" {
			k.out.WriteString(k.around)
		}
	}
}

// pair finds which old line each new line is, by the first of the keys and, between
// what that finds, by the next. Where as many lines are left on both sides, each is
// the one that it takes the place of. from begins with the line first.
func (k *endingsWriter) pair(from []int, r region, first int, keys ...func(string) string) {
	if len(keys) == 0 {
		for n := range r.a1 - r.a0 {
			if r.a1-r.a0 == r.b1-r.b0 {
				from[r.b0+n-first] = r.a0 + n
			}
		}
		return
	}
	i0, j0 := r.a0, r.b0
	for i, j := range align(keyed(k.oldText[r.a0:r.a1], keys[0]), keyed(k.text[r.b0:r.b1], keys[0])) {
		if j < 0 {
			continue
		}
		k.pair(from, region{i0, r.a0 + i, j0, r.b0 + j}, first, keys[1:]...)
		from[r.b0+j-first] = r.a0 + i
		i0, j0 = r.a0+i+1, r.b0+j+1
	}
	k.pair(from, region{i0, r.a1, j0, r.b1}, first, keys[1:]...)
}

func keyed(lines []string, key func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = key(l)
	}
	return out
}

// endOf is a line's end, or the usual one for a last line without.
func endOf(ends []string, i int, usual string) string {
	if i < len(ends) && ends[i] != "" {
		return ends[i]
	}
	return usual
}

// cutEnds separates lines from their ends: "\r\n", "\n" or nothing.
func cutEnds(lines []string) (text, ends []string) {
	for _, l := range lines {
		t, end := strings.TrimSuffix(l, "\n"), ""
		if t != l {
			end = "\n"
			if c, ok := strings.CutSuffix(t, "\r"); ok {
				t, end = c, "\r\n"
			}
		}
		text, ends = append(text, t), append(ends, end)
	}
	return text, ends
}

// keepFinal keeps a final newline, and its absence where the last line itself
// is unchanged.
func keepFinal(before, after string) string {
	a, b := splitLines(before), splitLines(after)
	if len(a) == 0 || len(b) == 0 { // nothing but a byte order mark
		return after
	}
	text, ends := cutEnds([]string{a[len(a)-1], b[len(b)-1]})
	switch {
	case ends[0] == "" && text[0] == text[1]:
		return strings.TrimSuffix(after, ends[1])
	case ends[0] != "" && ends[1] == "":
		return after + "\n"
	}
	return after
}
