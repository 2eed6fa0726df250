package ui

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/conversation"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// openTalk shows the conversation about the stop.
func (m *model) openTalk() {
	m.commanding = false
	m.dialog = conversation.New()
}

// talkCommand takes "ask" and "explain" from the command line; false for
// anything else. The engine knows an expression from a question.
func (m *model) talkCommand(input string) bool {
	verb, _, _ := strings.Cut(input, " ")
	if verb != "ask" && input != "explain" || !m.facts().Held() {
		return false
	}
	if input != "ask" {
		m.face.Do(engine.Evaluate{At: m.ctx.At, Input: input})
	}
	m.openTalk()
	return true
}

// syncTalk hands the conversation what it shows.
func (m *model) syncTalk() {
	d, ok := m.dialog.(*conversation.Dialog)
	if !ok {
		return
	}
	s := m.ctx.State
	stop := s.Current
	if stop < 0 && len(s.Questions) > 0 { // the target has gone on: what was said stays to be read
		stop = s.Questions[len(s.Questions)-1].Stop
	}
	vars := m.variables()
	d.Sync(conversation.Input{Questions: s.Conversation(stop), Reply: m.ctx.Live.Reply, Now: m.ctx.Now, At: m.ctx.At,
		Paused: m.facts().Held(), Names: len(vars), Known: func(name string) bool { return slices.Contains(vars, name) }})
}

// talkIdle tells whether the conversation is open and nothing is typed into it.
func (m *model) talkIdle() bool {
	d, ok := m.dialog.(*conversation.Dialog)
	return ok && !d.Typing()
}

// variables are the names that an answer may mean: those of the selected frame
// and of the one that the stop is about.
func (m *model) variables() []string {
	var names []string
	refs := []debugger.FrameRef{m.ctx.At}
	if stop, ok := m.ctx.CurrentStop(); ok {
		if f, ok := stop.Stop.SelectedFrame(); ok {
			refs = append(refs, debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: f.Index})
		}
	}
	for _, at := range refs {
		if f, ok := m.ctx.Store.Frame(at); ok {
			for _, v := range f.Variables() {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// jump shows what a citation names. It only ever moves the view.
func (m *model) jump(j conversation.Jump) {
	if !m.facts().Held() {
		m.say("info", "the program is not paused here any more")
		return
	}
	m.leaveReview()
	switch j.To.Kind {
	case conversation.Frame:
		m.jumpFrame(debugger.FrameRef{Goroutine: j.At.Goroutine, Frame: j.To.Frame})
	case conversation.Line:
		m.jumpLine(j)
	case conversation.Value:
		m.jumpValue(j)
	}
}

func (m *model) jumpFrame(at debugger.FrameRef) {
	if _, ok := m.ctx.Store.Frame(at); !ok {
		m.say("info", "there is no such frame on the stack that was read")
		return
	}
	m.selectFrame(pane.SelectFrame{At: at})
	m.setFocus(layout.Source)
}

// jumpLine goes to the frame that is held at the line, or else shows the line.
func (m *model) jumpLine(j conversation.Jump) {
	ws := m.ctx.State.Started.Workspace
	file := ws.Abs(path.Clean(j.To.File))
	if st := m.ctx.Store.Stack(j.At.Goroutine); st != nil {
		for _, f := range st.Frames {
			if !strings.HasSuffix("/"+filepath.ToSlash(f.File), "/"+j.To.File) {
				continue
			}
			file = f.File
			if f.Line == j.To.Line {
				m.selectFrame(pane.SelectFrame{At: debugger.FrameRef{Goroutine: j.At.Goroutine, Frame: f.Index}})
				m.setFocus(layout.Source)
				return
			}
		}
	}
	if !ws.Owns(file) && !m.onStack(file) {
		m.say("info", j.To.File+" is no file of the program")
		return
	}
	m.panes.source.Look(m.ctx, file, j.To.Line)
	m.setFocus(layout.Source)
}

// onStack tells whether a frame that was read stands in a file.
func (m *model) onStack(file string) bool {
	st := m.ctx.Store.Stack(m.ctx.At.Goroutine)
	return st != nil && slices.ContainsFunc(st.Frames, func(f debugger.Frame) bool { return f.File == file })
}

// jumpValue opens a value in the locals, or evaluates it where it is none of
// theirs. "print" keeps a name from being taken for a command.
func (m *model) jumpValue(j conversation.Jump) {
	if f, ok := m.ctx.Store.Frame(j.At); ok && f.Loaded {
		root, _, _ := strings.Cut(j.To.Expr, ".")
		if slices.ContainsFunc(f.Variables(), func(v debugger.Variable) bool { return v.Name == root }) {
			m.ctx.At = j.At
			m.panes.locals.Reveal(m.ctx, j.To.Expr)
			m.setFocus(layout.Locals)
			return
		}
	}
	m.openCommand()
	m.face.Do(engine.Evaluate{At: j.At, Input: "print " + j.To.Expr})
}
