package asking

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/commandline"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/conversation"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/timeline"
)

// Discussion is the conversation about a stop, and where its citations lead.
type Discussion struct {
	*common.Common
	Command   *commandline.CommandLine
	Selection *timeline.Selection
}

// Open shows the conversation about the stop.
func (di *Discussion) Open() {
	di.Commanding = false
	di.Dialog = conversation.New()
}

// TakeCommand takes "ask" and "explain" from the command line; false for
// anything else. The engine knows an expression from a question.
func (di *Discussion) TakeCommand(input string) (tea.Cmd, bool) {
	verb, _, _ := strings.Cut(input, " ")
	if verb != "ask" && input != "explain" || !di.Facts().Held() {
		return nil, false
	}
	if input != "ask" {
		di.Engine.Do(intent.Evaluate{At: di.Ctx.At, Input: input, Seen: di.Ctx.State.Seq})
	}
	di.Open()
	return nil, true
}

// Sync hands the conversation what it shows.
func (di *Discussion) Sync() {
	d, ok := di.Dialog.(*conversation.Dialog)
	if !ok {
		return
	}
	s := di.Ctx.State
	stop := s.Current
	if stop < 0 && len(s.Questions) > 0 { // the target has gone on: what was said stays to be read
		stop = s.Questions[len(s.Questions)-1].Stop
	}
	vars := di.variables()
	d.Sync(conversation.Input{Questions: s.Conversation(stop), Reply: di.Ctx.Live.Reply, Now: di.Ctx.Now, At: di.Ctx.At,
		Paused: di.Facts().Held(), Names: len(vars), Known: func(name string) bool { return slices.Contains(vars, name) }})
}

// idle reports whether the conversation is open and nothing is typed into it.
func (di *Discussion) idle() bool {
	d, ok := di.Dialog.(*conversation.Dialog)
	return ok && !d.Typing()
}

// variables are the names that an answer may mean: those of the selected frame
// and of the one that the stop is about.
func (di *Discussion) variables() []string {
	var names []string
	refs := []debugger.FrameRef{di.Ctx.At}
	if stop, ok := di.Ctx.CurrentStop(); ok {
		if f, ok := stop.Stop.SelectedFrame(); ok {
			refs = append(refs, debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: f.Index})
		}
	}
	for _, at := range refs {
		if f, ok := di.Ctx.Store.Frame(at); ok {
			for _, v := range f.Variables() {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// Jump shows what a citation names. It only ever moves the view.
func (di *Discussion) Jump(j conversation.Jump) {
	if !di.Facts().Held() {
		di.Say("info", "the program is not paused here any more")
		return
	}
	di.LeaveReview()
	switch j.To.Kind {
	case conversation.Frame:
		di.jumpFrame(debugger.FrameRef{Goroutine: j.At.Goroutine, Frame: j.To.Frame})
	case conversation.Line:
		di.jumpLine(j)
	case conversation.Value:
		di.jumpValue(j)
	}
}

func (di *Discussion) jumpFrame(at debugger.FrameRef) {
	if _, ok := di.Ctx.Store.Frame(at); !ok {
		di.Say("info", "there is no such frame on the stack that was read")
		return
	}
	di.Selection.SelectFrame(pane.SelectFrame{At: at})
	di.SetFocus(layout.Source)
}

// jumpLine goes to the frame that is held at the line, or else shows the line.
func (di *Discussion) jumpLine(j conversation.Jump) {
	ws := di.Ctx.State.Started.Workspace
	file := ws.Abs(path.Clean(j.To.File))
	if st := di.Ctx.Store.Stack(j.At.Goroutine); st != nil {
		for _, f := range st.Frames {
			if !strings.HasSuffix("/"+filepath.ToSlash(f.File), "/"+j.To.File) {
				continue
			}
			file = f.File
			if f.Line == j.To.Line {
				di.Selection.SelectFrame(pane.SelectFrame{At: debugger.FrameRef{Goroutine: j.At.Goroutine, Frame: f.Index}})
				di.SetFocus(layout.Source)
				return
			}
		}
	}
	if !ws.Owns(file) && !di.onStack(file) {
		di.Say("info", j.To.File+" is no file of the program")
		return
	}
	di.Panes.Source.Look(di.Ctx, file, j.To.Line)
	di.SetFocus(layout.Source)
}

// onStack reports whether a frame that was read is in a file.
func (di *Discussion) onStack(file string) bool {
	st := di.Ctx.Store.Stack(di.Ctx.At.Goroutine)
	return st != nil && slices.ContainsFunc(st.Frames, func(f debugger.Frame) bool { return f.File == file })
}

// jumpValue opens a value in the locals, or evaluates it where it is none of
// theirs. "print" keeps a name from being taken for a command.
func (di *Discussion) jumpValue(j conversation.Jump) {
	if f, ok := di.Ctx.Store.Frame(j.At); ok && f.Loaded {
		root, _, _ := strings.Cut(j.To.Expr, ".")
		if slices.ContainsFunc(f.Variables(), func(v debugger.Variable) bool { return v.Name == root }) {
			di.Ctx.At = j.At
			di.Panes.Locals.Reveal(di.Ctx, j.To.Expr)
			di.SetFocus(layout.Locals)
			return
		}
	}
	di.Command.OpenCommand()
	di.Engine.Do(intent.Evaluate{At: j.At, Input: "print " + j.To.Expr})
}
