package status

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// Building is one calm panel: what is built, how far it is, for how long.
func (st *Status) Building(r layout.Rect) []string {
	t := st.Ctx.Theme
	s := st.Ctx.State
	var lines []string
	what, doing := "Starting", "finding out what there is to build…"
	if !s.Started.Mode.Builds() {
		what, doing = text.Line(s.Started.Mode.Doing()), "reading what is known of its code…"
	}
	if s.Phase == session.PhaseBuilding {
		what = "Building " + text.Line(common.TargetName(s.Started))
	}
	lines = append(lines, t.Strong.Render(what), "")
	if b := st.Ctx.Live.Build; b != nil && s.Phase == session.PhaseBuilding {
		lines = append(lines, st.progress(b.Done, b.Total, 40))
		state := text.Line(b.Phase)
		if b.Total > 0 {
			state += fmt.Sprintf(" · %d of %s", b.Done, text.Plural(int64(b.Total), "package"))
		} else if b.Done > 0 {
			state += " · " + text.Plural(int64(b.Done), "package")
		}
		lines = append(lines, t.Dim.Render(state+" · "+text.Seconds(b.Elapsed)))
		lines = append(lines, t.Faint.Render(text.CutLeft(text.Line(b.Package), 40)))
	} else {
		lines = append(lines, t.Dim.Render(doing))
	}
	if s.Started.LogNote != "" {
		lines = append(lines, "")
		for _, l := range text.Wrap(text.Line(s.Started.LogNote), min(r.W-4, 70), 3) {
			lines = append(lines, t.Dim.Render(l))
		}
	}
	return compose.Centered(lines, r)
}

// progress is a bar of w cells; without a total it only tells that work goes on.
func (st *Status) progress(done, total, w int) string {
	t := st.Ctx.Theme
	if total <= 0 {
		return t.Faint.Render(strings.Repeat("─", w))
	}
	full := min(done*w/total, w)
	return t.Focus.Render(strings.Repeat("━", full)) + t.Faint.Render(strings.Repeat("─", w-full))
}

// Broken is the list of messages with the source around the selected one.
func (st *Status) Broken(r layout.Rect) []string {
	t := st.Ctx.Theme
	title, note := st.Panes.Broken.Title()
	return compose.Box(t, r, compose.Frame{Title: title, Note: note, Border: t.Stop, Name: t.StopStrong}, st.Panes.Broken.View(true))
}
