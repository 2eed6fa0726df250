// Package choose has a person take one of a list before there is a session.
package choose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/appearance"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// ErrNothing is returned by One when the person has left the list.
var ErrNothing = errors.New("nothing was chosen")

// Row is one of what One offers.
type Row struct {
	Words string
	Note  string // at the right
	// Preview reads what it is about, to be shown beside the list: Go source, where
	// path says so, or text. Nil for nothing.
	Preview func() (path, content string)
}

// One has the person take one of a list, before there is a session, and
// returns its index. It fails with ErrNothing, or as ctx does.
func One(ctx context.Context, head string, rows []Row, opts options.Screen) (int, error) {
	c := newChooser(head, rows, opts)
	program := tea.NewProgram(&frames.Regained{Model: c}, options.Program(opts, frames.NewWriter(opts.Output, opts.Mark, opts.Foreground))...)
	stop := context.AfterFunc(ctx, program.Quit)
	defer stop()
	shown, cancel := context.WithCancel(ctx)
	var helpers sync.WaitGroup
	helpers.Go(func() { frames.Regain(shown, program, opts.Continued) })
	_, err := program.Run()
	cancel()
	helpers.Wait()
	switch {
	case err != nil:
		return 0, fmt.Errorf("show the list: %w", err)
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case c.chosen < 0:
		return 0, ErrNothing
	}
	return c.chosen, nil
}

// chooser is the program of One: a dialog and nothing below it.
type chooser struct {
	*common.Common
	appearance *appearance.Appearance
	chosen     int
	rows       []Row
	previews   map[int]*inspect.Source // read, or nil while they are being read
}

// previewMsg is the preview of a row.
type previewMsg struct {
	row    int
	source *inspect.Source
}

func newChooser(head string, rows []Row, opts options.Screen) *chooser {
	list := &dialog.Choose{Head: text.Line(head), Wide: 120}
	for i, r := range rows {
		list.Choices = append(list.Choices, dialog.Choice{Words: text.Line(r.Words), Note: text.Line(r.Note), Do: i})
	}
	shared := &common.Common{Opts: opts, Dialog: list, Ctx: &pane.Context{}}
	c := &chooser{Common: shared, appearance: appearance.New(shared), chosen: -1, rows: rows, previews: map[int]*inspect.Source{}}
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Preview != nil }) {
		list.Wide, list.Aside = 180, c.aside
	}
	var kept preferences.Screen
	if opts.Preferences != nil {
		kept, _ = opts.Preferences.Load() // the session will say what is wrong with it
	}
	c.appearance.FirstLook(kept)
	c.appearance.SetTheme()
	return c
}

// Init asks for the colors of the terminal, and reads the first preview.
func (c *chooser) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, c.preview()) }

// Update takes a key or a size.
func (c *chooser) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := c.take(msg)
	return c, tea.Batch(cmd, c.preview())
}

func (c *chooser) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case previewMsg:
		c.previews[msg.row] = msg.source
	case tea.WindowSizeMsg:
		c.Width, c.Height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		c.appearance.Look.Learn(msg.IsDark())
		c.appearance.SetTheme()
	case tea.ColorProfileMsg:
		c.appearance.Look.Profile = msg.Profile
		c.appearance.SetTheme()
	case tea.KeyPressMsg:
		return c.took(c.Dialog.Key(msg))
	case tea.PasteMsg:
		if list, ok := c.Dialog.(*dialog.Choose); ok {
			list.Paste(msg.Content)
		}
	case tea.MouseWheelMsg:
		c.scroll(msg)
	case tea.MouseClickMsg:
		r, _ := c.DialogRect()
		if list, ok := c.Dialog.(dialog.Clicker); ok {
			return c.took(list.Click(msg.X-r.X-2, msg.Y-r.Y-1))
		}
	}
	return nil
}

// preview reads what the selected row is about, once.
func (c *chooser) preview() tea.Cmd {
	list, ok := c.Dialog.(*dialog.Choose)
	if !ok {
		return nil
	}
	i, ok := list.Selected().(int)
	if !ok || c.rows[i].Preview == nil {
		return nil
	}
	if _, asked := c.previews[i]; asked {
		return nil
	}
	c.previews[i] = nil
	read := c.rows[i].Preview
	return func() tea.Msg { return previewMsg{i, inspect.NewSource(read())} }
}

// aside draws the preview of a row.
func (c *chooser) aside(t theme.Theme, row any, w, h int) []string {
	i, _ := row.(int)
	source := c.previews[i]
	switch {
	case source == nil && c.rows[i].Preview == nil:
		return nil
	case source == nil:
		return []string{t.Dim.Render("Reading…")}
	case !strings.HasSuffix(source.Path, ".go"):
		var out []string
		for line := range strings.Lines(text.Clean(source.Text)) {
			out = append(out, text.Wrap(strings.TrimRight(line, "\n"), w, 0)...)
		}
		return out
	}
	out := []string{t.Dim.Render(text.Path(text.Line(source.Path), w))}
	for _, line := range source.Lines {
		if len(out) == h {
			break
		}
		out = append(out, t.Code(syntax.Cut(line, 0, w)))
	}
	return out
}

func (c *chooser) scroll(msg tea.MouseWheelMsg) {
	list, ok := c.Dialog.(*dialog.Choose)
	switch {
	case !ok:
	case msg.Button == tea.MouseWheelUp:
		list.ScrollBy(-1)
	case msg.Button == tea.MouseWheelDown:
		list.ScrollBy(1)
	}
}

// took ends the program once something was chosen, or nothing will be.
func (c *chooser) took(o dialog.Outcome) tea.Cmd {
	if i, ok := o.Do.(int); ok {
		c.chosen = i
	}
	if o.Close {
		return tea.Quit
	}
	return nil
}

// View draws the list.
func (c *chooser) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	if c.Width <= 0 || c.Height <= 0 {
		return v
	}
	t := c.Ctx.Theme
	keys := t.Key.Render("enter") + t.Dim.Render(" takes it   ") + t.Key.Render("esc") + t.Dim.Render(" quits   type to narrow down")
	blank := compose.Screen(c.Width, c.Height, nil)
	lines, cursor := c.DrawDialog(blank)
	lines[len(lines)-1] = text.Fit(" "+keys, c.Width)
	v.SetContent(printable.Screen(strings.Join(lines, "\n")))
	v.Cursor = cursor
	return v
}
