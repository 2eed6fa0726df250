package pane

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// stackKind says what a row of the stack is.
type stackKind int

const (
	frameRow    stackKind = iota
	runRow                // a run of the runtime's frames
	moreRow               // frames that are not read yet
	defersRow             // what a frame has still to call
	deferRow              // one of those calls
	originRow             // where the goroutine was started
	startedBy             // the goroutine that did it, which is there still
	ancestorRow           // a goroutine that led to this one
	calledRow             // a frame of its stack
	noteRow
)

// fold names what folds and unfolds: a run by its first frame, deferred calls by
// their frame, an ancestor by its number.
type fold struct {
	kind stackKind
	n    int64
}

type stackRow struct {
	kind      stackKind
	frame     debugger.Frame       // of a frame, a run or deferred calls
	count     int                  // how many there are below a fold
	open      bool                 // the fold is
	place     debugger.Location    // which code it leads to
	goroutine debugger.GoroutineID // of an ancestor
	words     string               // of a note
}

// fold names the row's fold; false where it has none.
func (r stackRow) fold() (fold, bool) {
	switch r.kind {
	case runRow, defersRow:
		return fold{r.kind, int64(r.frame.Index)}, true
	case originRow:
		return fold{kind: originRow}, true
	case ancestorRow:
		return fold{ancestorRow, int64(r.goroutine)}, true
	}
	return fold{}, false
}

func (p *Stack) rebuild() {
	p.rows = p.rows[:0]
	st := p.c.Store.Stack(p.c.At.Goroutine)
	if st == nil {
		p.setCount(0)
		return
	}
	p.around = p.c.Store.Around(p.c.At.Goroutine)
	for i := 0; i < len(st.Frames); {
		run := 0
		for i+run < len(st.Frames) && st.Frames[i+run].Runtime {
			run++
		}
		if run > 1 && p.filter == "" {
			p.addRun(st.Frames[i : i+run])
			i += run
			continue
		}
		p.addFrame(st.Frames[i])
		i++
	}
	switch {
	case st.More:
		p.rows = append(p.rows, stackRow{kind: moreRow})
	case p.filter == "" && p.around != nil && p.around.Origin.At.File != "":
		p.addOrigin(p.around.Origin)
	}
	p.setCount(len(p.rows))
}

func (p *Stack) addRun(frames []debugger.Frame) {
	var hidden debugger.Hidden
	for _, f := range frames {
		hidden.Add(f)
	}
	r := stackRow{kind: runRow, frame: frames[0], count: len(frames), words: hidden.String()}
	r.open = p.unfolded[fold{runRow, int64(r.frame.Index)}]
	p.rows = append(p.rows, r)
	if r.open {
		for _, f := range frames {
			p.rows = append(p.rows, stackRow{frame: f})
		}
	}
}

// addFrame adds a frame, and below one of the user's what it has deferred.
func (p *Stack) addFrame(f debugger.Frame) {
	if !matches(f.Function+" "+f.File, p.filter) {
		return
	}
	p.rows = append(p.rows, stackRow{frame: f})
	if p.filter != "" || !f.User || p.around == nil || len(p.around.Defers[f.Index]) == 0 {
		return
	}
	calls := p.around.Defers[f.Index]
	r := stackRow{kind: defersRow, frame: f, count: len(calls)}
	r.open = p.unfolded[fold{defersRow, int64(f.Index)}]
	p.rows = append(p.rows, r)
	if !r.open {
		return
	}
	for _, d := range calls {
		if d.Err != "" {
			p.addNote("unreadable: " + d.Err)
			continue
		}
		p.rows = append(p.rows, stackRow{kind: deferRow, frame: f, place: d.Call})
	}
}

// addOrigin adds where the goroutine was started and, unfolded, by whom.
func (p *Stack) addOrigin(o debugger.Origin) {
	r := stackRow{kind: originRow, place: o.At, open: p.unfolded[fold{kind: originRow}]}
	p.rows = append(p.rows, r)
	if !r.open {
		return
	}
	if o.By != 0 && p.c.Store.Goroutines().Index(o.By) >= 0 {
		p.rows = append(p.rows, stackRow{kind: startedBy, goroutine: o.By})
	}
	known := p.c.Store.Ancestors(p.c.At.Goroutine)
	if known == nil {
		p.addNote("reading the goroutines that led to it…")
		return
	}
	p.addAncestors(*known)
}

func (p *Stack) addAncestors(known inspect.Ancestors) {
	switch {
	case known.Err != "":
		p.addNote(known.Err)
	case len(known.List) == 0:
		p.addNote("nothing more is known")
	}
	for _, a := range known.List {
		if a.Err != "" {
			p.addNote(a.Err)
			continue
		}
		frames := written(a.Frames)
		r := stackRow{kind: ancestorRow, goroutine: a.ID, count: len(frames), open: p.unfolded[fold{ancestorRow, int64(a.ID)}]}
		p.rows = append(p.rows, r)
		for i := 0; r.open && i < len(frames); i++ {
			f := frames[i]
			p.rows = append(p.rows, stackRow{kind: calledRow, frame: f, place: debugger.Location{File: f.File, Line: f.Line, Function: f.Function}})
		}
	}
}

// written leaves out the runtime's frames, unless there are no others.
func written(frames []debugger.Frame) []debugger.Frame {
	var list []debugger.Frame
	for _, f := range frames {
		if !f.Runtime {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return frames
	}
	return list
}

// addNote adds words in as many rows as they need.
func (p *Stack) addNote(words string) {
	for _, line := range text.Wrap(text.Line(words), max(p.width-len(noteIndent), 8), 4) {
		p.rows = append(p.rows, stackRow{kind: noteRow, words: line})
	}
}

const noteIndent = "      "

// hides reports whether the selected frame is one of those that a row folds.
func (p *Stack) hides(r stackRow) bool {
	first := r.frame.Index
	return r.kind == runRow && !r.open && first <= p.c.At.Frame && p.c.At.Frame < first+r.count
}

func (p *Stack) line(r stackRow) string {
	t := p.c.Theme
	foldWords := func(indent, words string) string {
		if r.open {
			words += " ▾"
		}
		if p.hides(r) {
			return t.Focus.Render("▸ ") + t.Strong.Render("⋯ "+words)
		}
		return t.Faint.Render(indent + "⋯ " + words)
	}
	switch r.kind {
	case moreRow:
		return t.Faint.Render("  … more frames")
	case runRow:
		words := r.words
		if p.hides(r) {
			words = fmt.Sprintf("frame %d of %s", p.c.At.Frame, words)
		}
		return foldWords("  ", words)
	case defersRow:
		return foldWords("    ", text.Plural(int64(r.count), "deferred call"))
	case deferRow:
		return p.called("      defer ", r.place)
	case originRow:
		words := "started by "
		if p.width < roomy {
			words = "by "
		}
		return p.called(foldSign(r.open)+words, r.place)
	case startedBy:
		return t.Dim.Render(fmt.Sprintf("      goroutine %d is still running", r.goroutine))
	case ancestorRow:
		return foldWords("    ", fmt.Sprintf("goroutine %d: %s", r.goroutine, text.Plural(int64(r.count), "frame")))
	case calledRow:
		return p.called("      ", r.place)
	case noteRow:
		return t.Dim.Render(noteIndent + r.words)
	}
	return p.frameLine(r.frame)
}

// roomy is a width from which words are not shortened, in cells.
const roomy = 36

// foldSign is before a row that folds and has words of its own.
func foldSign(open bool) string {
	if open {
		return "  ▾ "
	}
	return "  ⋯ "
}

// called is a function with its place, after a word on what it is here.
func (p *Stack) called(words string, at debugger.Location) string {
	t := p.c.Theme
	room := max(p.width-text.Width(words), 2)
	function, where := fitFrame(at.Function, text.Place(at.File, at.Line), room, p.bare)
	return text.Sides(t.Faint.Render(words)+t.Dim.Render(function), t.Faint.Render(where), p.width)
}

func (p *Stack) frameLine(f debugger.Frame) string {
	t := p.c.Theme
	mark, name, place := "  ", t.Text, t.Dim
	if f.Index == p.c.At.Frame {
		mark, name = t.Focus.Render("▸ "), t.Strong
	} else if !f.User {
		name, place = t.Dim, t.Faint
	}
	function, where := fitFrame(f.Function, text.Place(f.File, f.Line), p.width-2, p.bare)
	return text.Sides(mark+name.Render(function), place.Render(where), p.width)
}
