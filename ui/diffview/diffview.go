// Package diffview draws edits as diffs for the review screen: unified or side
// by side, with tinted lines, marked words and syntax colors. It turns values
// into lines of text and knows nothing of keys, panes or sessions.
//
// What it draws is untrusted source; package syntax makes it safe to print.
package diffview

import (
	"image/color"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/syntax"
)

// SplitWidth is the least width, in cells, at which a diff is drawn side by
// side when asked to.
const SplitWidth = 96

// HunkRef names a hunk.
type HunkRef struct {
	File string // as in patch.Edit
	Hunk int    // index in patch.Hunks
}

// Options says how edits are drawn.
type Options struct {
	// Lines cuts source into colored lines; nil means syntax.Lines. Callers
	// that draw the same edits often pass the method of a syntax.Cache.
	Lines func(source string) [][]syntax.Span

	Width  int  // cells, exact for every line
	Split  bool // side by side, where Width allows
	Wrap   bool // long lines go on below, rather than end with "…"
	Left   map[string]map[int]bool
	Cursor HunkRef           // the hunk that keys act on; the zero value is none
	Notes  map[string]string // file to a word on it, shown after its path
	// Palette of the theme. The zero value draws without colors.
	Palette Palette
}

// Palette holds the colors of a diff. Nil colors are not drawn: signs and
// boxes carry the meaning alone.
type Palette struct {
	Syntax syntax.Palette

	AddBack, DelBack color.Color // behind added and removed lines
	AddWord, DelWord color.Color // behind the words that changed
	AddSign, DelSign color.Color // signs and numbers of changed lines
	// AddText and DelText replace the syntax colors on changed lines, for
	// terminals with too few colors to tint a background.
	AddText, DelText color.Color
	// TintText is what else is written on a tint, so that it can be read even where
	// the terminal's background was mistaken.
	TintText color.Color
	// Underline marks changed words by a line below, where there is no tint.
	Underline bool

	Path   color.Color // file names
	Number color.Color // line numbers, separators
	Dim    color.Color // hunks left out, notes
	Focus  color.Color // the hunk under the cursor
	Taken  color.Color // the box of a hunk that is taken
}

// View is a drawn diff.
type View struct {
	Lines    []string        // each exactly Options.Width cells wide
	HunkLine map[HunkRef]int // index in Lines of the line that heads a hunk
	Hunks    []HunkRef       // in order
}

// Render draws edits one below the other. It is pure: the same arguments give
// the same view. A width below 1 gives an empty view.
func Render(edits []patch.Edit, o Options) View {
	v := View{HunkLine: map[HunkRef]int{}}
	if o.Width < 1 {
		return v
	}
	if o.Lines == nil {
		o.Lines = syntax.Lines
	}
	d := &drawer{o: o, split: o.Split && o.Width >= SplitWidth, view: &v}
	for _, e := range edits {
		d.edit(e)
	}
	return v
}
