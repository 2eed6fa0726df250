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
// they are, or follow; without any, the usual end. Lines that are in both as
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
	for i, j := range align(k.oldText[i0:i1], k.text[j0:j1]) {
		if j >= 0 {
			from[j] = i0 + i
		}
	}
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
