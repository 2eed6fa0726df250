package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Replacement is an exact text of a file, and what takes its place. Without Old it is
// the whole text of a new file.
type Replacement struct{ File, Old, New string }

// In returns the text of a file with the replacement made. Old has to be in it exactly
// once; in a file with CRLF it may have LF.
func (r Replacement) In(text string) (string, error) {
	m := Masked{Text: text}
	err := m.Replace(r)
	return m.Text, err
}

// Masked is a text of which parts are hidden from whoever changes it. Those parts stay as they
// are, and no error or place depends on what they hold.
type Masked struct {
	Text   string
	Hidden []Part
}

// Part is a part of a text, in bytes.
type Part struct{ From, To int }

// Replace makes a replacement. A text that reaches into what is hidden is not there.
func (m *Masked) Replace(r Replacement) error {
	if strings.Contains(m.Text, "\r\n") && !strings.Contains(r.Old, "\r") {
		r.Old, r.New = strings.ReplaceAll(r.Old, "\n", "\r\n"), strings.ReplaceAll(r.New, "\n", "\r\n")
	}
	if r.Old == "" {
		return fmt.Errorf("%q exists: give the text to replace", r.File)
	}
	at, n := m.find(r.Old)
	switch {
	case n == 0:
		return fmt.Errorf("the text to replace is not in %q: it has to be there exactly, with its tabs and spaces", r.File)
	case n > 1:
		return fmt.Errorf("the text to replace is %d times in %q: give more lines around it", n, r.File)
	}
	m.Text = m.Text[:at] + r.New + m.Text[at+len(r.Old):]
	for i, h := range m.Hidden {
		if h.From >= at+len(r.Old) {
			by := len(r.New) - len(r.Old)
			m.Hidden[i] = Part{h.From + by, h.To + by}
		}
	}
	return nil
}

// find says how often a text is there, and where.
func (m *Masked) find(text string) (at, n int) {
	for from := 0; ; {
		next := strings.Index(m.Text[from:], text)
		if next < 0 {
			return at, n
		}
		next += from
		if slices.ContainsFunc(m.Hidden, func(h Part) bool { return next < h.To && h.From < next+len(text) }) {
			from = next + 1
			continue
		}
		at, n, from = next, n+1, next+len(text)
	}
}

// FromDiff reads a unified diff as replacements, one for each hunk. Numbers of lines are
// not needed, and not read.
func FromDiff(diff string) (list []Replacement, err error) {
	lines := strings.Split(strings.ReplaceAll(diff, "\r\n", "\n"), "\n")
	file, in := "", false // a hunk
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			if file, in = fileOf(lines[i+1]), false; file == "" {
				return nil, fmt.Errorf("the diff removes %q: files cannot be removed", fileOf(line))
			}
		case strings.HasPrefix(line, "@@"):
			if file == "" {
				return nil, errors.New("the diff has no line +++ with the name of the file")
			}
			list, in = append(list, Replacement{File: file}), true
		case in && (line != "" || i+1 < len(lines)):
			list[len(list)-1].add(line)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the diff has no hunk: it needs lines ---, +++ and @@")
	}
	return list, nil
}

// add adds a line of a hunk.
func (r *Replacement) add(line string) {
	op, text := Same, ""
	if line != "" {
		op, text = Op(line[0]), line[1:]
	}
	switch op {
	case Del:
		r.Old += text + "\n"
	case Add:
		r.New += text + "\n"
	case Same:
		r.Old, r.New = r.Old+text+"\n", r.New+text+"\n"
	}
}

// fileOf is the file of a line --- or +++, empty for /dev/null.
func fileOf(line string) string {
	name, _, _ := strings.Cut(line[4:], "\t")
	name = strings.TrimSpace(name)
	if name == "/dev/null" {
		return ""
	}
	if rest, ok := strings.CutPrefix(name, "a/"); ok {
		return rest
	}
	return strings.TrimPrefix(name, "b/")
}
