package execution

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/text"
)

// Mute asks for how long the place of the stop shall be muted.
func (bp *Breakpoints) Mute() {
	where := "this place"
	if f, ok := bp.Ctx.Stop.Stop.SelectedFrame(); ok {
		where = text.Line(text.Place(f.File, f.Line))
	}
	bp.Dialog = &dialog.Choose{Head: "Mute " + where + "?", Choices: []dialog.Choice{
		{Words: "in this session", Do: intent.Mute{}},
		{Words: "in this module, later sessions too", Do: intent.Mute{Module: true}},
	}}
}

// ListMutes offers the muted places to be unmuted, the newest first.
func (bp *Breakpoints) ListMutes() {
	d := &dialog.Choose{Head: "Muted places · enter unmutes"}
	for _, muted := range slices.Backward(bp.Ctx.State.Mutes) {
		key := "session"
		if muted.Module {
			key = "module"
		}
		if n := bp.Ctx.Live.Passed[muted.Site.Fingerprint]; n > 0 {
			key = fmt.Sprintf("passed %d× · %s", n, key)
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: text.Line(session.SiteWords(muted.Site)), Key: key, Do: intent.Unmute{Fingerprint: muted.Site.Fingerprint}})
	}
	bp.Dialog = d
}

// SayMuted tells what was muted, or stops again.
func (bp *Breakpoints) SayMuted(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Muted:
		if e.Actor != session.EngineActor {
			bp.Say("info", "muted: "+text.Place(b.Site.File, b.Site.Line)+" stops only where it ends the program · ctrl+p muted places")
		}
	case *session.Unmuted:
		if e.Actor != session.EngineActor {
			bp.Say("info", "not muted any more: "+text.Place(b.Site.File, b.Site.Line))
		}
	}
}
